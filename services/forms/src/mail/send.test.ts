/** Mail of submissions through the real queue to a real SMTP server, in all its moods. */
import { rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { OUTBOX_CHANNEL } from '@sevenfold/chassis/db/outbox';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { freePort } from '@sevenfold/chassis/ports';
import { retryFailed } from '@sevenfold/chassis/queue/failed-jobs';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { resend } from '../commands';
import type { Config } from '../config';
import { type FakeContent, startContent } from '../testing/content';
import { makeSubmission } from '../testing/factories';
import { startFilter, usual } from '../testing/filter';
import { type FormsSite, startForms } from '../testing/service';
import { type FakeSmtp, makeCertificate, startSmtp } from '../testing/smtp';
import { keepFile } from '../uploads/keep';
import { sendMail } from './send';

let content: FakeContent;
let smtp: FakeSmtp;
let site: FormsSite;
beforeAll(async () => {
  content = await startContent();
  smtp = startSmtp(await freePort());
  await smtp.start();
  site = await startForms(configOf(smtp));
});
afterAll(async () => {
  await site.stop();
  await smtp.stop();
  await content.stop();
});
beforeEach(() => {
  smtp.treat = () => ({ kind: 'take' });
  smtp.taking = () => Promise.resolve();
  smtp.taken.length = 0;
  smtp.begun = 0;
});

const configOf = ({ port }: FakeSmtp, more: Partial<Config> = {}): Partial<Config> => ({
  ROLE: 'all',
  CONTENT_GRPC: content.address,
  SMTP_URL: `smtp://127.0.0.1:${port}`,
  // Of a machine that stands still for some seconds too: whoever gives up what was taken sends it again.
  SMTP_TIMEOUT: 10,
  // Less than the configuration would take: tests have no minutes.
  MAIL_RETRY_SECONDS: 0.05,
  ...more,
});

const mail = {
  active: true,
  subject: '[your-subject]',
  sender: '[_site_title] <forms@site.test>',
  recipient: '[_site_admin_email], second@site.test',
  body: '[your-message] [_serial_number] [_url]',
  additional_headers: 'Reply-To: [your-email]',
  attachments: '[cv]',
};
const FORM =
  '[text* your-subject] [email* your-email] [textarea your-message] [file cv] [select to "Sales|sales@site.test"]';

const makeForm = (changes: object = {}): Promise<number> =>
  site.makeForm({
    title: 'Contact',
    form: FORM,
    mail: { ...mail, ...changes },
    mail_2: { ...mail, active: true },
  });

const values = { 'your-subject': 'Hello', 'your-email': 'ann@example.org', 'your-message': 'One' };

interface State {
  mail: string;
  mail_2: string;
  mail_error: string;
}
const stateOf = async (id: number, of = site): Promise<State> =>
  (await of.deps.db.first<State>('select mail, mail_2, mail_error from submissions where id = $1', [
    id,
  ])) as State;
const settled = (id: number, of = site): Promise<State> =>
  until(async () => {
    const state = await stateOf(id, of);
    return state.mail !== 'queued' && state.mail_2 !== 'queued' && state;
  });

it('sends both mails once each, under Message-IDs of their own, with what the template says', async () => {
  const file = await keepFile(site.deps, {
    field: 'cv',
    name: '../cv.txt',
    type: 'text/plain',
    source: Buffer.from('my life'),
  });
  const id = await makeSubmission(site.deps.db, {
    form: await makeForm(),
    values,
    meta: { url: 'http://site.test/contact', address: '192.0.2.1' },
    uploads: [file],
    mails: ['mail', 'mail_2'],
  });
  expect(await settled(id)).toEqual({ mail: 'sent', mail_2: 'sent', mail_error: '' });
  expect(smtp.taken).toHaveLength(2);
  const [first, second] = smtp.taken;
  expect(first?.to).toEqual(['boss@site.test', 'second@site.test']);
  expect(first?.raw).toContain('Subject: Hello');
  expect(first?.raw).toContain(`One ${id} http://site.test/contact`);
  expect(first?.raw).toContain('Reply-To: ann@example.org');
  expect(first?.raw).toMatch(/Content-Disposition: attachment; filename=cv\.txt/);
  expect(first?.raw).toContain(Buffer.from('my life').toString('base64'));
  expect(first?.messageId).toMatch(/^<form-\d+\.\d+\.mail(?:_2)?\.\w+@site\.test>$/);
  expect(first?.messageId).not.toBe(second?.messageId);
});

it.each([
  [7, 'Write to us & ours|write-to-us|http://site.test/write-to-us/|Wren & Son|sub|sub@example.org|Sub & Co'],
  // Of what is not there, or not for everybody, nothing is told.
  [8, '||http://site.test/contact||sub|sub@example.org|Sub & Co'],
])('tells of the page %i and of the account of whoever sent it', async (container, text) => {
  const special = ['post_title', 'post_name', 'post_url', 'post_author', 'user_login', 'user_email'];
  const body = [...special, 'user_display_name'].map((name) => `[_${name}]`).join('|');
  const id = await makeSubmission(site.deps.db, {
    form: await makeForm({ body }),
    values,
    meta: {
      url: 'http://site.test/contact',
      container,
      // As the interface tells of users: HTML.
      user: { login: 'sub', email: 'sub@example.org', url: '', name: 'Sub &amp; Co' },
    },
    mails: ['mail'],
  });
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
  expect(smtp.taken[0]?.raw.replace(/=\r\n/g, '')).toContain(text);
});

it('tells when it was sent, as the site writes dates and by its clock', async () => {
  const id = await makeSubmission(site.deps.db, {
    form: await makeForm({ body: '[_date], [_time]' }),
    values,
    createdAt: '2026-07-22T22:05:00Z',
    mails: ['mail'],
  });
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
  expect(smtp.taken[0]?.raw).toContain('Thursday 23rd July 2026, 00:05 CEST');
});

it('sends to the mailbox behind a pipe, which the visitor only chose', async () => {
  const form = await makeForm({ recipient: '[to]', body: '[_raw_to]' });
  const id = await makeSubmission(site.deps.db, {
    form,
    values: { ...values, to: 'Sales' },
    mails: ['mail'],
  });
  await settled(id);
  expect(smtp.taken.map(({ to }) => to)).toEqual([['sales@site.test']]);
  expect(smtp.taken[0]?.raw).toContain('Sales');
});

it('sends to the mailboxes of what was chosen, where the last choice brings words of the visitor along', async () => {
  const form = await site.makeForm({
    form: '[checkbox to free_text "Sales|sales@site.test" "Press|press@site.test" "Other|office@site.test"]',
    mail: { ...mail, subject: 'Hello', recipient: '[to]', body: '[to]\n[_raw_to]', additional_headers: '' },
  });
  const to = ['Sales', 'Other boss@else.test'];
  const id = await makeSubmission(site.deps.db, { form, values: { to }, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken.map((taken) => taken.to)).toEqual([['sales@site.test', 'office@site.test']]);
  expect(smtp.taken[0]?.raw).toMatch(
    /^sales@site\.test, office@site\.test boss@else\.test\r\nSales, Other boss@else\.test\r$/m,
  );
});

it('sends to the mailboxes of what was chosen, wherever in the form it is offered', async () => {
  const form = await site.makeForm({
    form: '[checkbox to "Sales|sales@site.test"] or [checkbox to "Press|press@site.test"]',
    mail: { ...mail, subject: 'Hello', recipient: '[to]', body: '[to]', additional_headers: '' },
  });
  const id = await makeSubmission(site.deps.db, {
    form,
    values: { to: ['Sales', 'Press'] },
    mails: ['mail'],
  });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken.map((taken) => taken.to)).toEqual([['sales@site.test', 'press@site.test']]);
});

it('what is chosen no more since the form was changed is no mailbox beside what still is', async () => {
  const form = await site.makeForm({
    form: '[checkbox to "Sales|sales@site.test"]',
    mail: { ...mail, subject: 'Hello', recipient: '[to]', additional_headers: '' },
  });
  const to = ['Sales', 'boss@else.test'];
  const id = await makeSubmission(site.deps.db, { form, values: { to }, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken.map((taken) => taken.to)).toEqual([['sales@site.test']]);
});

it('what a server refuses for good has failed, with its reason, and is not tried again', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 550, at: 'data' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  const { mail: state, mail_error: error } = await settled(id);
  expect(state).toBe('failed');
  expect(error).toContain('550');
  expect(smtp.begun).toBe(1);
});

it('a mail that no template can make has failed without a server being asked', async () => {
  const form = await makeForm({ recipient: 'nobody' });
  const id = await makeSubmission(site.deps.db, { form, values, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({
    mail: 'failed',
    mail_error: 'The template names no mailbox to send to.',
  });
  expect(smtp.begun).toBe(0);
});

it('a greylisting server gets the same mail again, under the same Message-ID', async () => {
  let asked = 0;
  smtp.treat = () => (++asked <= 6 ? { kind: 'refuse', code: 451, at: 'data' } : { kind: 'take' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  // More often than a job may fail: a refusal for now is no failure.
  expect(smtp.begun).toBe(3);
  expect(smtp.taken).toHaveLength(1);
});

it('what a server says of a mailbox stays with the submission', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 450, at: 'rcpt' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  const { said, reason } = await until(() =>
    site.deps.db.first<{ said: string; reason: string }>(
      `select said, last_error as reason from deliveries, outbox
       where submission_id = $1 and payload->>'submission' = $1::text and last_error is not null`,
      [id],
    ),
  );
  // That is forgotten with it; why a job waits is in the log, too.
  expect(said).toContain('boss@site.test');
  expect(reason).not.toContain('@');
  smtp.treat = () => ({ kind: 'take' });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
});

it('of several mailboxes only those are asked again that refused for now', async () => {
  let refuse = true;
  smtp.treat = () =>
    refuse ? { kind: 'refuse', code: 450, at: 'rcpt', only: 'second@site.test' } : { kind: 'take' };
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  await until(() => smtp.taken.length === 1);
  refuse = false;
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken.map(({ to }) => to)).toEqual([['boss@site.test'], ['second@site.test']]);
  expect(smtp.taken[0]?.messageId).toBe(smtp.taken[1]?.messageId);
});

it('a mailbox that has taken a mail is not asked again, however its domain is written', async () => {
  // Three times in the first try, for both mailboxes and the content, and once in each of the two after it.
  let asked = 0;
  smtp.treat = () =>
    asked++ < 5 ? { kind: 'refuse', code: 450, at: 'rcpt', only: 'second@site.test' } : { kind: 'take' };
  const form = await makeForm({ recipient: 'Boss@Site.TEST, second@site.test' });
  const id = await makeSubmission(site.deps.db, { form, values, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken.map(({ to }) => to)).toEqual([['Boss@site.test'], ['second@site.test']]);
});

it('a mail that one of its mailboxes never takes is sent, and says so', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 550, at: 'rcpt', only: 'second@site.test' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  const state = await settled(id);
  expect(state.mail).toBe('sent');
  // Why it did not, not that the other one did.
  expect(state.mail_error).toBe('second@site.test: 550 <second@site.test> no such thing here');
  expect(smtp.taken).toHaveLength(1);
});

it('a mail that no mailbox takes says what was said of each', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 550, at: 'rcpt' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  const { mail: state, mail_error: error } = await settled(id);
  expect(state).toBe('failed');
  for (const address of ['boss@site.test', 'second@site.test']) expect(error).toContain(`550 <${address}>`);
});

it.each(['stall', 'drop'] as const)('a server that would %s gets it again when it is well', async (kind) => {
  smtp.treat = () => ({ kind });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  await until(() => smtp.begun > 0);
  smtp.treat = () => ({ kind: 'take' });
  if (kind === 'drop') {
    await smtp.stop();
    await smtp.start();
  }
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
  expect(smtp.taken).toHaveLength(1);
});

const waitedOut = (id: number): Promise<unknown> =>
  until(async () => {
    const row = await site.deps.db.first<{ attempts: number; waits: number }>(
      `select attempts, waits from outbox where payload->>'submission' = $1`,
      [String(id)],
    );
    return row !== undefined && row.attempts >= 6 && row.attempts === row.waits;
  });

/** Why its job waits, as the log has it. */
const reasonOf = async (id: number): Promise<string | undefined> =>
  (
    await site.deps.db.first<{ reason: string }>(
      `select last_error as reason from outbox where payload->>'submission' = $1 and last_error is not null`,
      [String(id)],
    )
  )?.reason;

it('an outage of the server is waited out, and is no try', async () => {
  await smtp.stop();
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  await waitedOut(id);
  expect(await stateOf(id)).toMatchObject({ mail: 'queued' });
  expect(await reasonOf(id)).toMatch(/^What mail needs is away: .*ECONNREFUSED/);
  await smtp.start();
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
  expect(smtp.taken).toHaveLength(1);
});

it('of a server that refuses us the log says where, and nothing of what it said', async () => {
  // It says so of a mailbox, and means that it is about to go down.
  smtp.treat = () => ({ kind: 'refuse', code: 421, at: 'rcpt' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  // A connection that ends before its answer is read says less.
  const answered = /^What mail needs is away: the mail server answered 421 \([A-Z ]+\)\.$/;
  await until(async () => answered.test((await reasonOf(id)) ?? ''));
  smtp.treat = () => ({ kind: 'take' });
  expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
});

it('an attachment that cannot be read for now is waited for, and is no try', async () => {
  const file = await keepFile(site.deps, {
    field: 'cv',
    name: 'cv.txt',
    type: 'text/plain',
    source: Buffer.from('my life'),
  });
  const place = path.join(site.deps.config.FILES_DIR, 'uploads', ...file.objectKey.split('/'));
  await rename(place, `${place}.away`);
  // Whoever opens it goes round in a circle.
  await symlink(place, place);
  const form = await makeForm();
  const id = await makeSubmission(site.deps.db, { form, values, uploads: [file], mails: ['mail'] });
  await waitedOut(id);
  expect(await stateOf(id)).toMatchObject({ mail: 'queued' });
  await rename(`${place}.away`, place);
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
  expect(smtp.taken[0]?.raw).toContain(Buffer.from('my life').toString('base64'));
});

it('however long something else was waited for, a server that refuses for now is soon asked again', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 451, at: 'data' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  // Between two tries: what a try began with must not change under it.
  await until(
    async () =>
      (await site.deps.db.run(
        `update outbox set attempts = attempts + 20, waits = waits + 20, max_attempts = max_attempts + 20
         where payload->>'submission' = $1 and waits > 0`,
        [String(id)],
      )) === 1,
  );
  const before = smtp.begun;
  await until(() => smtp.begun > before + 1);
  smtp.treat = () => ({ kind: 'take' });
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
});

it('what is not to be stored is gone when its mails are, however long its receipt lasts', async () => {
  const file = await keepFile(site.deps, {
    field: 'cv',
    name: 'cv.txt',
    type: 'text/plain',
    source: Buffer.from('my life'),
  });
  let first = true;
  smtp.treat = () => {
    const how = first ? 'drop' : 'take';
    first = false;
    return { kind: how };
  };
  const [mails, form] = [['mail', 'mail_2'] as const, await makeForm()];
  const id = await makeSubmission(site.deps.db, { form, values, uploads: [file], mails, keep: false });
  await until(() => smtp.begun > 0);
  await smtp.stop();
  await smtp.start();
  await until(async () => {
    const row = await site.deps.db.first<State>('select mail, mail_2 from submissions where id = $1', [id]);
    // A sweep takes the rest of it away.
    return row === undefined || (row.mail === 'sent' && row.mail_2 === 'sent');
  });
  expect(smtp.taken).toHaveLength(2);
  for (const { raw } of smtp.taken) expect(raw).toContain('Subject: Hello');
  const row = await site.deps.db.first(
    `select values, meta, (select count(*)::int from uploads where submission_id = s.id) as files
     from submissions s where id = $1`,
    [id],
  );
  expect(row ?? { values: {}, meta: {}, files: 0 }).toEqual({ values: {}, meta: {}, files: 0 });
});

it('of what is not to be stored, what servers and the filter said is gone with it', async () => {
  const filter = await startFilter();
  try {
    filter.answer = async (request) => ({
      ...(await usual(request)),
      evidence: [{ name: 'words', weight: -2, detail: 'lighthouse' }],
    });
    const { url } = await site.another('api', { SPAMFILTER_GRPC: filter.address });
    smtp.treat = () => ({ kind: 'refuse', code: 550, at: 'rcpt', only: 'ann@example.org' });
    const recipient = '[your-email], second@site.test';
    const form = await site.makeForm({
      form: FORM,
      mail: { ...mail, recipient },
      mail_2: { ...mail, active: true, recipient },
      additional_settings: 'do_not_store: on',
    });
    const { body } = await speaker(`${url}/rest/contact-form/v1`).post(
      `/contact-forms/${form}/feedback`,
      { ...values, 'your-message': 'To the lighthouse' },
      { 'Idempotency-Key': 'once' },
    );
    expect(body.status).toBe('mail_sent');
    const { id } = (await site.deps.db.first<{ id: number }>(
      'select id from submissions where form_id = $1',
      [form],
    )) as { id: number };
    expect(await settled(id)).toMatchObject({ mail: 'sent', mail_2: 'sent' });
    expect(smtp.taken.map(({ to }) => to)).toEqual([['second@site.test'], ['second@site.test']]);
    const rows = await site.deps.db.rows<{ row: string }>(
      `select s::text as row from submissions s where id = $1
       union all select d::text from deliveries d where submission_id = $1`,
      [id],
    );
    // Its receipt keeps the row.
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toMatch(/@|lighthouse|Hello/);
  } finally {
    await filter.stop();
  }
});

it('a header line that only a language knows is none', async () => {
  const form = await makeForm({ additional_headers: 'Constructor: x\nReply-To: [your-email]' });
  const id = await makeSubmission(site.deps.db, { form, values, mails: ['mail'] });
  expect(await settled(id)).toMatchObject({ mail: 'sent' });
  expect(smtp.taken[0]?.raw).toContain('Reply-To: ann@example.org');
  expect(smtp.taken[0]?.raw).not.toMatch(/^Constructor/im);
});

it('what is refused for too long is given up', async () => {
  smtp.treat = () => ({ kind: 'refuse', code: 451, at: 'data' });
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  await until(() => smtp.begun > 1);
  await site.deps.db.run(
    `update deliveries set refused_since = now() - interval '2 days' where submission_id = $1`,
    [id],
  );
  const { mail: state, mail_error: error } = await settled(id);
  expect(state).toBe('failed');
  expect(error).toContain('451');
});

describe('a mail whose job was given up', () => {
  interface JobRow {
    id: number;
    done: boolean;
    failed: boolean;
  }
  const jobsOf = (submission: number): Promise<JobRow[]> =>
    site.deps.db.rows<JobRow>(
      `select id, done_at is not null as done, failed_at is not null as failed
       from outbox where payload->>'submission' = $1 order by id`,
      [String(submission)],
    );
  const retry = (id: number) => retryFailed(site.deps.db, [sendMail], { ids: [id] });
  const setRecipient = (form: number, recipient: unknown): Promise<number> =>
    site.deps.db.run(`update forms set mail = jsonb_set(mail, '{recipient}', $2::jsonb) where id = $1`, [
      form,
      JSON.stringify(recipient),
    ]);
  /** By a fault of ours, which is mended now. */
  const givenUp = async (): Promise<{ id: number; job: number }> => {
    const form = await makeForm();
    await setRecipient(form, 5);
    const id = await makeSubmission(site.deps.db, { form, values, mails: ['mail'] });
    // The next try is the last one.
    await site.deps.db.run(
      `update outbox set max_attempts = attempts + 1 where payload->>'submission' = $1 and failed_at is null`,
      [String(id)],
    );
    await until(async () => (await stateOf(id)).mail === 'failed');
    await setRecipient(form, mail.recipient);
    const [made] = await jobsOf(id);
    return { id, job: (made as JobRow).id };
  };

  it('goes out once when that is retried, however often at once', async () => {
    const { id, job } = await givenUp();
    const answers = await Promise.all([retry(job), retry(job), retry(job)]);
    expect(answers.map(({ retried }) => retried).sort()).toEqual([0, 0, 1]);
    expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
    await until(async () => (await jobsOf(id)).every(({ done }) => done));
    expect(smtp.taken).toHaveLength(1);
  });

  it('goes to those alone who have not had it yet', async () => {
    const { id, job } = await givenUp();
    await site.deps.db.run(`update deliveries set accepted = '{boss@site.test}' where submission_id = $1`, [
      id,
    ]);
    await retry(job);
    expect(await settled(id)).toMatchObject({ mail: 'sent' });
    expect(smtp.taken.map(({ to }) => to)).toEqual([['second@site.test']]);
  });

  it('has another job when it is sent once more, and nobody has to look at the one that failed', async () => {
    const { id, job } = await givenUp();
    await resend(site.deps, id);
    expect((await jobsOf(id)).find((one) => one.id === job)).toEqual({ id: job, done: true, failed: false });
    expect(await retry(job)).toEqual({ retried: 0, left: [] });
    expect(await settled(id)).toMatchObject({ mail: 'sent' });
    expect(smtp.taken).toHaveLength(1);
  });

  it('is left alone where it was sent meanwhile', async () => {
    const { id, job } = await givenUp();
    await site.deps.db.run(`update submissions set mail = 'sent' where id = $1`, [id]);
    expect(await retry(job)).toMatchObject({ retried: 0, left: [{ queue: 'forms.mail', count: 1 }] });
    expect(await stateOf(id)).toMatchObject({ mail: 'sent' });
    expect(await jobsOf(id)).toEqual([{ id: job, done: false, failed: true }]);
  });
});

it('a delivery that was taken but not noted is made again under the same Message-ID, when its time has passed', async () => {
  const id = await makeSubmission(site.deps.db, { form: await makeForm(), values, mails: ['mail'] });
  await settled(id);
  // As a worker leaves it that dies between the server's word and the note.
  await site.deps.db.run(`update submissions set mail = 'queued' where id = $1`, [id]);
  await site.deps.db.run(
    `update deliveries set accepted = '{}', sending_until = now() + interval '1 hour' where submission_id = $1`,
    [id],
  );
  await site.deps.db.run(
    `insert into outbox (kind, channel, name, payload) select kind, channel, name, payload from outbox
     where payload->>'submission' = $1`,
    [String(id)],
  );
  const now = `update outbox set run_at = now() where payload->>'submission' = $1 and done_at is null and waits > 0
    returning pg_notify('${OUTBOX_CHANNEL}', '')`;
  await until(async () => (await site.deps.db.run(now, [String(id)])) > 0);
  expect(smtp.taken).toHaveLength(1);
  await site.deps.db.run('update deliveries set sending_until = now() where submission_id = $1', [id]);
  await until(async () => {
    await site.deps.db.run(now, [String(id)]);
    return smtp.taken.length === 2;
  });
  await settled(id);
  expect(smtp.taken[0]?.messageId).toBe(smtp.taken[1]?.messageId);
  expect(smtp.taken[0]?.raw).toContain(smtp.taken[1]?.messageId);
});

describe('while the worker lives a mail goes out once', () => {
  const sendTo = async (of = site): Promise<number> =>
    makeSubmission(of.deps.db, {
      form: await of.makeForm({ title: 'Contact', form: FORM, mail }),
      values,
      mails: ['mail'],
    });

  it('whoever else has its job', async () => {
    const own = await startForms(configOf(smtp, { ROLE: 'api' }));
    try {
      const { db, log } = own.deps;
      const id = await sendTo(own);
      const job = (await db.first<{ id: number }>('select id from outbox where name = $1', [sendMail.name]))
        ?.id;
      const run = (): Promise<void> =>
        runJob({ db, deps: own.deps, log }, sendMail, job as number, new AbortController().signal);
      let take = (): void => undefined;
      const taken = new Promise<void>((resolve) => (take = resolve));
      smtp.taking = () => taken;
      const first = run();
      await until(() => smtp.taken.length === 1);
      const second = run();
      await Promise.race([second, until(() => smtp.taken.length === 2)]);
      take();
      await Promise.all([first, second]);
      expect(await stateOf(id, own)).toMatchObject({ mail: 'sent', mail_error: '' });
      expect(smtp.taken).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });

  it('when somebody else has sent it while what is attached was read', async () => {
    const own = await startForms(configOf(smtp, { ROLE: 'api' }));
    try {
      const { db, log, files } = own.deps;
      const cv = { field: 'cv', name: 'cv.txt', type: 'text/plain', source: Buffer.from('my life') };
      const id = await makeSubmission(db, {
        form: await own.makeForm({ title: 'Contact', form: FORM, mail }),
        values,
        uploads: [await keepFile(own.deps, cv)],
        mails: ['mail'],
      });
      const job = (await db.first<{ id: number }>('select id from outbox where name = $1', [sendMail.name]))
        ?.id;
      const run = (deps = own.deps): Promise<void> =>
        runJob({ db, deps, log }, sendMail, job as number, new AbortController().signal);
      let read = (): void => undefined;
      const canRead = new Promise<void>((resolve) => (read = resolve));
      let isReading = false;
      const slow = {
        ...files,
        find: async (key: string) => {
          isReading = true;
          await canRead;
          return files.find(key);
        },
      };
      const first = run({ ...own.deps, files: slow });
      await until(() => isReading);
      // For longer than whoever has it in hand is left alone with it.
      await db.run(`update deliveries set sending_until = now() - interval '1 second'`);
      await run();
      expect(smtp.taken).toHaveLength(1);
      read();
      await first;
      expect(await stateOf(id, own)).toMatchObject({ mail: 'sent', mail_error: '' });
      expect(smtp.taken).toHaveLength(1);
    } finally {
      await own.stop();
    }
  });

  it.each([
    // What the server took is noted before anything else; the end of the mail is written with that of its job.
    ['the note', 'deliveries', 'insert or update', `cardinality(new.accepted) > 0`],
    ['the end', 'submissions', 'update', `new.mail = 'sent'`],
  ])('when the database takes %s of it later', async (_what, table, writes, when) => {
    const { db } = site.deps;
    await db.run('create table if not exists busy (tries serial)');
    // As where two transactions wait for each other: the one that is refused may come again.
    await db.run(`create function be_busy() returns trigger language plpgsql as $$ begin
      perform nextval('busy_tries_seq');
      raise exception 'busy' using errcode = '40P01'; end $$`);
    await db.run(
      `create trigger busy before ${writes} on ${table} for each row when (${when}) execute function be_busy()`,
    );
    const tries = async (): Promise<boolean> =>
      (await db.first<{ called: boolean }>('select is_called as called from busy_tries_seq'))?.called ??
      false;
    const id = await sendTo();
    await until(tries);
    await db.run(`drop trigger busy on ${table}`);
    await db.run('drop function be_busy');
    await db.run('drop table busy');
    expect(await settled(id)).toMatchObject({ mail: 'sent', mail_error: '' });
    expect(smtp.taken).toHaveLength(1);
  });

  it('when the database goes away before it is noted', async () => {
    const name = new URL(site.deps.config.DATABASE_URL).pathname.slice(1);
    const other = openDatabase({
      url: testServers().adminUrl,
      size: 1,
      application: 'test',
      log: site.deps.log,
    });
    let isAway = false;
    try {
      smtp.taking = async () => {
        await other.run(`alter database ${name} allow_connections false`);
        const connections = `from pg_stat_activity where datname = $1 and backend_type = 'client backend'`;
        await until(async () => {
          await other.run(`select pg_terminate_backend(pid) ${connections}`, [name]);
          return (await other.first(`select 1 ${connections}`, [name])) === undefined;
        });
        isAway = true;
      };
      const id = await sendTo();
      await until(() => isAway);
      await expect(stateOf(id)).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      smtp.taking = () => Promise.resolve();
      await other.run(`alter database ${name} allow_connections true`);
      const state = (): Promise<State | undefined> => stateOf(id).catch(() => undefined);
      await until(async () => (await state())?.mail === 'sent');
      expect(smtp.taken).toHaveLength(1);
    } finally {
      await other.run(`alter database ${name} allow_connections true`);
      await other.close();
    }
  });
});

describe('TLS', () => {
  const certificate = makeCertificate();
  let safe: FakeSmtp;
  beforeAll(async () => {
    safe = startSmtp(await freePort(), certificate);
    await safe.start();
  });
  afterAll(async () => {
    await safe.stop();
    certificate.remove();
  });

  const tries = async (server: FakeSmtp, more: Partial<Config>): Promise<string> => {
    const own = await startForms(configOf(server, { SMTP_STARTTLS: 'required', ...more }));
    try {
      const form = await own.makeForm({ form: FORM, mail });
      const id = await makeSubmission(own.deps.db, { form, values, mails: ['mail'] });
      return await until(async () => {
        // What was said before what came of it: a mail that is sent between the two is sent.
        const row = await own.deps.db.first<{ said: string }>(
          'select said from deliveries where submission_id = $1 and refused_since is not null',
          [id],
        );
        const { mail: state } = await stateOf(id, own);
        return state === 'queued' ? row?.said : state;
      });
    } finally {
      await own.stop();
    }
  };

  it('is used where the server has a certificate that is trusted', async () => {
    expect(await tries(safe, { SMTP_TLS_CA: certificate.file })).toBe('sent');
    expect(safe.taken).toHaveLength(1);
    expect(safe.taken[0]?.raw).not.toBe('');
  });

  it('nothing goes out to a server with a certificate that nobody vouches for, or without TLS', async () => {
    safe.taken.length = 0;
    expect(await tries(safe, {})).toContain('certificate');
    expect(await tries(smtp, {})).toContain('not recognized');
    expect([...safe.taken, ...smtp.taken]).toEqual([]);
  });
});
