/** Submissions as the console asks for them: found, moved, exported, erased. */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import { OUTBOX_CHANNEL } from '@sevenfold/chassis/db/outbox';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import {
  type SubmissionFilter,
  type SubmissionServiceServer,
  SubmissionServiceService,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { openMailbox } from '../mail/mailbox';
import { mailboxFolder } from '../mail/open';
import { makeSubmission } from '../testing/factories';
import { startFilter } from '../testing/filter';
import { type FormsSite, startForms } from '../testing/service';
import { keepFile, removeLoose } from '../uploads/keep';
import { mark } from './actions';
import { exportSubmissions } from './export';
import { erase } from './personal-data';
import { submissionSweeps } from './jobs';

let site: FormsSite;
let remote: Remote<SubmissionServiceServer>;
let form: number;
beforeAll(async () => {
  site = await startForms({ SITE_TIMEZONE: 'Europe/Brussels' });
  remote = site.dial<SubmissionServiceServer>(SubmissionServiceService, 'gateway');
});
afterAll(async () => {
  remote.close();
  await site.stop();
});
beforeEach(async () => {
  await site.deps.db.run('delete from submissions');
  form = await site.makeForm({ title: 'Contact' });
});

const somebody = (id: number, ...capabilities: string[]): Actor => ({
  ...stranger,
  id,
  username: `user${id}`,
  capabilities: new Set(capabilities),
});
const editor = { actor: somebody(2, 'edit_posts', 'publish_pages') };
const administrator = { actor: somebody(1, 'edit_posts', 'publish_pages', 'manage_options') };

const make = (values: Record<string, string | string[]> = {}, more: object = {}): Promise<number> =>
  makeSubmission(site.deps.db, { form, values, ...more });
const makeMany = (count: number, characters: number): Promise<number> =>
  site.deps.db.run(
    `insert into submissions (form_id, status, values)
     select $1, 'received', jsonb_build_object('n', n::text, 'text', repeat('x', $3)) from generate_series(1, $2) as n`,
    [form, count, characters],
  );
const noFilter: SubmissionFilter = { search: '', formId: 0, status: '', after: '', before: '', email: '' };
const idsOf = async (filter: Partial<SubmissionFilter>): Promise<number[]> =>
  (
    await remote.listSubmissions({ filter: { ...noFilter, ...filter }, before: 0, perPage: 0 }, editor)
  ).submissions.map(({ id }) => id);
const exported = async (format: string, more: object = {}): Promise<string> => {
  let text = '';
  const request = { filter: noFilter, format, byteOrderMark: false, cursor: '', ...more };
  for await (const piece of remote.streamExport(request, editor)) text += piece.text;
  return text;
};
const lessons = () =>
  site.deps.db.rows<{ payload: object }>(
    `select payload from outbox where name = 'teach-filter' order by id`,
  );

describe('listSubmissions', () => {
  it('has the newest first, page by page, without what is not settled or not to be kept', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 5; n++) ids.unshift(await make({ n: String(n) }));
    await make({}, { status: 'pending' });
    await make({}, { keep: false });
    const page = async (before: number) => {
      const { submissions, next } = await remote.listSubmissions(
        { filter: undefined, before, perPage: 2 },
        editor,
      );
      return { ids: submissions.map(({ id }) => id), next };
    };
    const first = await page(0);
    expect(first).toEqual({ ids: ids.slice(0, 2), next: ids[1] });
    const second = await page(first.next);
    expect(second).toEqual({ ids: ids.slice(2, 4), next: ids[3] });
    expect(await page(second.next)).toEqual({ ids: ids.slice(4), next: 0 });
  });

  it('has pages of large ones that fit into a message, and all of them in the end', async () => {
    await makeMany(18, 1_000_000);
    const ids: number[] = [];
    for (let before = 0; ;) {
      const request = { filter: undefined, before, perPage: 100 };
      const { submissions, next } = await remote.listSubmissions(request, editor);
      ids.push(...submissions.map(({ id }) => id));
      if (next === 0) break;
      expect(next).toBe(ids.at(-1));
      before = next;
    }
    const all = await site.deps.db.rows<{ id: number }>('select id from submissions order by id desc');
    expect(ids).toHaveLength(18);
    expect(ids).toEqual(all.map(({ id }) => id));
  });

  it('narrows by words, form, folder, dates and address', async () => {
    const one = await make({ name: 'Ann', text: 'Where is the CAKE?', mail: 'Ann@Example.org' });
    const two = await make(
      { name: ['Ben', 'Bob'], text: '100% cake_shop, ask ann@example.org.' },
      { createdAt: '2030-01-05T10:00:00Z', status: 'spam' },
    );
    const other = await site.makeForm();
    const three = await makeSubmission(site.deps.db, {
      form: other,
      values: { mail: 'ann@example.organic' },
    });
    expect(await idsOf({})).toEqual([three, two, one]);
    expect(await idsOf({ search: 'cake' })).toEqual([two, one]);
    expect(await idsOf({ search: 'CAKE where' })).toEqual([one]);
    expect(await idsOf({ search: 'bob' })).toEqual([two]);
    expect(await idsOf({ search: '100%' })).toEqual([two]);
    expect(await idsOf({ search: 'cake_' })).toEqual([two]);
    const four = await make({ name: 'İlknur ΛΟΓΟΣ', text: 'किताब' });
    for (const search of ['İlknur', 'ilknur', 'λογος', 'किताब'])
      expect([search, await idsOf({ search })]).toEqual([search, [four]]);
    await site.deps.db.run('delete from submissions where id = $1', [four]);
    expect(await idsOf({ formId: other })).toEqual([three]);
    expect(await idsOf({ status: 'spam' })).toEqual([two]);
    expect(await idsOf({ status: 'inbox' })).toEqual([three, one]);
    expect(await idsOf({ after: '2030-01-05', before: '2030-01-06' })).toEqual([two]);
    expect(await idsOf({ after: '2030-01-05T10:00:01Z' })).toEqual([]);
    expect(await idsOf({ email: 'ann@EXAMPLE.org' })).toEqual([two, one]);
  });

  it('days, and moments without an offset, are those of the site', async () => {
    // In Brussels it is a quarter past midnight of the fifth.
    const night = await make({}, { createdAt: '2030-01-04T23:15:00Z' });
    for (const after of ['2030-01-05', '2030-01-05T00:15', '2030-01-04T23:15Z', '2030-01-05T00:15:00+01:00'])
      expect([after, await idsOf({ after })]).toEqual([after, [night]]);
    expect(await idsOf({ before: '2030-01-05' })).toEqual([]);
    expect(await idsOf({ after: '2030-01-05T00:15:00.001' })).toEqual([]);
    for (const after of ['2030-02-31', '2030-02-30T10:00:00Z'])
      await expect(idsOf({ after })).rejects.toMatchObject({
        data: { params: { after: expect.any(String) } },
      });
  });

  it('refuses a filter that means nothing, and names everything that is wrong', async () => {
    await expect(
      idsOf({ status: 'pending', after: 'yesterday', before: '2030-02-30x' }),
    ).rejects.toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { status: expect.any(String), after: expect.any(String), before: expect.any(String) } },
    });
  });
});

it('getSubmission answers everything of one, and 404 for none', async () => {
  const file = await keepFile(site.deps, {
    field: 'cv',
    name: 'cv.txt',
    type: 'text/plain',
    source: Buffer.from('abc'),
  });
  const id = await make(
    { name: 'Ann', topics: ['a', 'b'] },
    { uploads: [file], meta: { address: '192.0.2.1', agent: 'Browser', url: 'http://site.test/c' } },
  );
  expect(await remote.getSubmission({ id }, editor)).toMatchObject({
    id,
    formTitle: 'Contact',
    status: 'inbox',
    fields: [
      { name: 'name', values: ['Ann'] },
      { name: 'topics', values: ['a', 'b'] },
    ],
    files: [{ field: 'cv', name: 'cv.txt', type: 'text/plain', bytes: 3 }],
    address: '192.0.2.1',
    userAgent: 'Browser',
    url: 'http://site.test/c',
  });
  await expect(remote.getSubmission({ id: 999_999 }, editor)).rejects.toMatchObject({
    status: 404,
    code: 'submission_not_found',
  });
});

it('markSubmissions moves, and tells the filter what is news to it, each decision with a number of its own', async () => {
  const id = await make({ text: 'buy' });
  await site.deps.db.run(`update submissions set spam_verdict = 'ham'`);
  const to = async (status: string) => (await remote.markSubmissions({ ids: [id], status }, editor)).ids;
  expect(await to('trash')).toEqual([id]);
  expect(await to('trash')).toEqual([]);
  expect(await to('inbox')).toEqual([id]);
  expect(await lessons()).toEqual([]);
  await to('spam');
  await to('trash');
  await to('inbox');
  expect((await lessons()).map(({ payload }) => payload)).toEqual([
    { submission: id, decision: 'spam', revision: 1 },
    { submission: id, decision: 'ham', revision: 2 },
  ]);
  await expect(to('pending')).rejects.toMatchObject({ status: 400 });
});

describe('what was taken for spam and is none', () => {
  /** As a program sends it that does not say what it is. */
  const takenForSpam = async (fields: object = {}): Promise<number> => {
    form = await site.makeForm({ form: '[text a]', mail_2: { active: true }, ...fields });
    const sent = await site
      .by('anonymous')
      .post(`/contact-forms/${form}/feedback`, { a: 'Hello' }, { 'User-Agent': '' });
    expect(sent.body.status).toBe('spam');
    const row = await site.deps.db.first<{ id: number }>('select id from submissions where form_id = $1', [
      form,
    ]);
    return row?.id as number;
  };
  const to = async (id: number, status: string): Promise<number[]> =>
    (await remote.markSubmissions({ ids: [id], status }, editor)).ids;
  const told = async (id: number): Promise<{ mails: string[]; events: object[] }> => {
    const rows = await site.deps.db.rows<{ kind: string; payload: { mail: string } }>(
      `select kind, payload from outbox where name in ('send-mail', 'forms.submission.created')
         and coalesce(payload->>'submission', payload->>'id') = $1 order by id`,
      [String(id)],
    );
    const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ payload }) => payload);
    return { mails: of('job').map(({ mail }) => mail), events: of('event') };
  };

  it('is mailed and announced when it is first moved to the inbox, once, however often that is', async () => {
    const id = await takenForSpam();
    expect(await told(id)).toEqual({ mails: [], events: [] });
    const moved = await Promise.all(Array.from({ length: 5 }, () => to(id, 'inbox')));
    expect(moved.flat()).toEqual([id]);
    const once = { mails: ['mail', 'mail_2'], events: [{ id, form }] };
    expect(await told(id)).toEqual(once);
    expect(await remote.getSubmission({ id }, editor)).toMatchObject({ mail: 'queued', mail2: 'queued' });
    for (const status of ['spam', 'inbox', 'trash', 'inbox']) await to(id, status);
    expect(await told(id)).toEqual(once);
  });

  it('by way of the trash as well, each of several as its form says', async () => {
    const [one, two] = [await takenForSpam(), await takenForSpam({ mail_2: { active: false } })];
    for (const status of ['trash', 'inbox'])
      await remote.markSubmissions({ ids: [one, two], status }, editor);
    expect([(await told(one)).mails, (await told(two)).mails]).toEqual([['mail', 'mail_2'], ['mail']]);
  });

  it('is only announced where its form sends no mail, or is no more', async () => {
    const silent = await takenForSpam({ additional_settings: 'skip_mail: on' });
    await to(silent, 'inbox');
    expect(await told(silent)).toEqual({ mails: [], events: [{ id: silent, form }] });
    const left = await takenForSpam();
    await site.by('editor').delete(`/contact-forms/${form}`);
    await to(left, 'inbox');
    expect(await told(left)).toEqual({ mails: [], events: [{ id: left, form }] });
    expect(await remote.getSubmission({ id: left }, editor)).toMatchObject({ status: 'inbox', mail: 'none' });
  });

  it('is nowhere to be moved where it was not to be stored', async () => {
    const id = await takenForSpam({ additional_settings: 'do_not_store: on' });
    expect(await to(id, 'inbox')).toEqual([]);
    expect(await told(id)).toEqual({ mails: [], events: [] });
  });

  it('is mailed no more where that was done before the filter had judged it', async () => {
    const id = await make({ a: 'Hello' }, { status: 'spam' });
    await site.deps.db.run(
      `update submissions set result = 'mail_sent', mail = 'sent', spam_verdict = 'spam' where id = $1`,
      [id],
    );
    expect(await to(id, 'inbox')).toEqual([id]);
    expect(await told(id)).toEqual({ mails: [], events: [] });
  });
});

it('the spam filter hears of each decision in the end, also when it was away', async () => {
  const filter = await startFilter();
  await filter.stop();
  const taught = await startForms({ ROLE: 'all', SPAMFILTER_GRPC: filter.address });
  try {
    const id = await makeSubmission(taught.deps.db, {
      form: await taught.makeForm({ form: '[email* mail] [textarea text]' }),
      values: { mail: 'ann@example.org', text: 'good cake' },
      meta: { address: '192.0.2.1', agent: 'Browser', referrer: '', url: '', locale: 'en_US' },
    });
    await mark(taught.deps, [id], 'spam');
    await until(() => taught.deps.db.first(`select 1 from outbox where name = 'teach-filter' and waits > 0`));
    await filter.start();
    await until(() => filter.lessons.length === 1);
    await mark(taught.deps, [id], 'inbox');
    await until(() => filter.lessons.length === 2);
    expect(filter.lessons).toMatchObject([
      { key: `submission/${id}`, decision: Verdict.VERDICT_SPAM, revision: 1 },
      {
        key: `submission/${id}`,
        decision: Verdict.VERDICT_HAM,
        revision: 2,
        message: { kind: 'contact-form', authorEmail: 'ann@example.org', address: '192.0.2.1' },
      },
    ]);
    expect(filter.lessons[0]?.message?.content).toContain('good cake');
    // Also when the form has other fields by now.
    await taught.deps.db.run(
      `update forms set form = '[email* your-mail] [textarea words]', version = version + 1`,
    );
    await mark(taught.deps, [id], 'spam');
    await until(() => filter.lessons.length === 3);
    expect(filter.lessons[2]?.message?.content).toContain('good cake');
    // And of what is erased, in the same way.
    await filter.stop();
    await erase(taught.deps, 'ann@example.org', { id: 0, username: '' });
    await until(() =>
      taught.deps.db.first(`select 1 from outbox where name = 'forget-verdicts' and waits > 0`),
    );
    await filter.start();
    await until(() => filter.forgotten.length > 0);
    expect(filter.forgotten).toEqual([`submission/${id}`]);
    // What was being judged at that moment is noted there after all: a while later it is told again.
    await taught.deps.db.run(
      `update outbox set run_at = now() where name = 'forget-verdicts' and done_at is null and run_at > now()
       returning pg_notify('${OUTBOX_CHANNEL}', '')`,
    );
    await until(() => filter.forgotten.length > 1);
    expect(filter.forgotten).toEqual([`submission/${id}`, `submission/${id}`]);
  } finally {
    await taught.stop();
    await filter.stop();
  }
});

it('deleteSubmissions removes for good, with the files', async () => {
  const file = await keepFile(site.deps, {
    field: 'f',
    name: 'a.txt',
    type: 'text/plain',
    source: Buffer.from('x'),
  });
  const id = await make({}, { uploads: [file] });
  expect(await remote.deleteSubmissions({ ids: [id, 999_999] }, editor)).toEqual({ ids: [id] });
  expect(await idsOf({})).toEqual([]);
  await removeLoose(site.deps);
  expect(await site.deps.files.find(file.objectKey)).toBeUndefined();
});

describe('resendMail', () => {
  const having = async (mail: string, mail2: string): Promise<number> => {
    const id = await make();
    await site.deps.db.run(
      `update submissions set mail = $2, mail_2 = $3, mail_error = case when $2 = 'failed' then '550 no' else '' end
       where id = $1`,
      [id, mail, mail2],
    );
    return id;
  };
  const promised = async (id: number): Promise<string[]> =>
    (
      await site.deps.db.rows<{ mail: string }>(
        `select payload->>'mail' as mail from outbox where name = 'send-mail' and payload->>'submission' = $1 order by id`,
        [String(id)],
      )
    ).map(({ mail }) => mail);

  it.each([
    ['failed', 'queued', ['mail']],
    ['failed', 'sent', ['mail']],
    ['sent', 'failed', ['mail_2']],
    ['failed', 'failed', ['mail', 'mail_2']],
    ['sent', 'sent', ['mail', 'mail_2']],
    ['sent', 'none', ['mail']],
  ])('of mails that are %s and %s promises %j again, once', async (mail, mail2, again) => {
    const id = await having(mail, mail2);
    const asked = await Promise.allSettled([
      remote.resendMail({ id }, editor),
      remote.resendMail({ id }, editor),
    ]);
    expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const stateOf = (name: string, before: string): string => (again.includes(name) ? 'queued' : before);
    expect(await remote.getSubmission({ id }, editor)).toMatchObject({
      mail: stateOf('mail', mail),
      mail2: stateOf('mail_2', mail2),
      mailError: '',
    });
    expect(await promised(id)).toEqual(again);
  });

  it.each([
    ['none', 'none'],
    ['queued', 'queued'],
    ['sent', 'queued'],
  ])('of mails that are %s and %s promises none', async (mail, mail2) => {
    const id = await having(mail, mail2);
    await expect(remote.resendMail({ id }, editor)).rejects.toMatchObject({
      status: 409,
      code: 'submission_no_mail',
    });
    expect(await promised(id)).toEqual([]);
  });
});

describe('streamExport', () => {
  it('is CSV that no spreadsheet takes for formulas, with a column for each field', async () => {
    await make({ name: '=cmd()', topics: ['a', 'b'] }, { createdAt: '2030-01-05T10:00:00Z' });
    await make({ name: 'Ann, "A"', '-x': 'one\ntwo' }, { createdAt: '2030-01-06T10:00:00Z' });
    const [head, first, ...rest] = (await exported('csv')).split('\r\n');
    const names = (head as string).split(',');
    expect(names.slice(0, 10).join()).toBe(
      'id,form,status,submitted_at,mail,mail_2,spam_verdict,address,url,files',
    );
    expect(names.slice(10).sort()).toEqual(["'-x", 'name', 'topics']);
    expect(first).toContain(',Contact,inbox,2030-01-05T10:00:00Z,none,none,,,,,');
    expect(first).toContain("'=cmd()");
    expect(first).toContain('a; b');
    expect(rest.join('\r\n')).toContain('"Ann, ""A"""');
    expect(rest.join('\r\n')).toContain('"one\ntwo"');
    expect((await exported('csv', { byteOrderMark: true })).startsWith('\ufeffid,')).toBe(true);
  });

  it('is JSON lines with lists as lists', async () => {
    const ids = [await make({ topics: ['a', 'b'] }), await make({ name: 'Ann' }, { status: 'spam' })];
    const lines = (await exported('jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { id: ids[0], status: 'inbox', fields: { topics: ['a', 'b'] } },
      { id: ids[1], status: 'spam', fields: { name: 'Ann' } },
    ]);
    expect(await exported('jsonl', { filter: { ...noFilter, status: 'spam' } })).toContain('Ann');
    expect(await exported('jsonl', { filter: { ...noFilter, status: 'trash' } })).toBe('');
    await expect(exported('xml')).rejects.toMatchObject({ status: 400 });
  });

  it('has each submission once over many pages, also large ones, and none that came after its beginning', async () => {
    await site.deps.db.run(
      `insert into submissions (form_id, status, values)
       select $1, 'received', jsonb_build_object('n', n::text, 'text', repeat('😀 ', 1000)) from generate_series(1, 950) as n`,
      [form],
    );
    const numbers: number[] = [];
    const pieces = exportSubmissions(site.deps.db, {}, { format: 'jsonl' });
    for await (const { text } of pieces) {
      if (numbers.length === 0) await make({ late: 'yes' });
      numbers.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as { id: number }).id),
      );
    }
    expect(numbers).toHaveLength(950);
    expect(new Set(numbers).size).toBe(950);
    // Whoever is cut off after any whole piece goes on behind it.
    let resumed = '';
    for (let cursor = ''; ;) {
      const request = { filter: { ...noFilter, search: '😀' }, format: 'csv', byteOrderMark: false, cursor };
      const before = cursor;
      for await (const piece of remote.streamExport(request, editor)) {
        resumed += piece.text;
        cursor = piece.cursor;
        if (cursor !== '') break;
      }
      if (cursor === before) break;
    }
    expect(resumed).toBe(await exported('csv', { filter: { ...noFilter, search: '😀' } }));
    const text = await exported('jsonl', { filter: { ...noFilter, search: '😀' } });
    expect(text.trimEnd().split('\n')).toHaveLength(950);
    expect(text).not.toContain('\ufffd');
  });
});

it('an export has no piece that is longer than a large submission, wherever large ones begin', async () => {
  await makeMany(510, 10);
  await makeMany(40, 1_000_000);
  const ids = new Set<number>();
  for await (const { text } of exportSubmissions(site.deps.db, {}, { format: 'jsonl' })) {
    expect(text.length).toBeLessThan(2_000_000);
    for (const line of text.trimEnd().split('\n')) ids.add((JSON.parse(line) as { id: number }).id);
  }
  expect(ids.size).toBe(550);
});

describe('personal data', () => {
  const email = 'ann@example.org';
  const person = (address = email) => remote.findPersonalData({ email: address }, administrator);

  it('is found and erased wherever it lies, and the erasure is kept without it', async () => {
    const file = await keepFile(site.deps, {
      field: 'f',
      name: 'a.txt',
      type: 'text/plain',
      source: Buffer.from('x'),
    });
    const one = await make({ mail: 'Ann@Example.org' }, { uploads: [file] });
    await make({ text: `write to <${email}>, please` }, { status: 'trash' });
    await make({ mail: email }, { status: 'pending' });
    await make({ mail: email }, { keep: false });
    const other = await make({ mail: 'joann@example.org', also: 'ann@example.organic' });
    const folder = mailboxFolder(site.deps.config);
    await mkdir(folder, { recursive: true });
    const mailOf = (id: number) => `20300105T100000Z-form-${form}.${id}.mail.abc.eml`;
    for (const id of [one, other]) await writeFile(path.join(folder, mailOf(id)), 'mail');

    const all = { submissions: 4, files: 1, mails: 1 };
    expect(await person()).toEqual(all);
    expect(await remote.erasePersonalData({ email: ' ANN@example.org' }, administrator)).toEqual(all);
    expect(await person()).toEqual({ submissions: 0, files: 0, mails: 0 });
    expect(await idsOf({})).toEqual([other]);
    expect(await readdir(folder)).toEqual([mailOf(other)]);
    await removeLoose(site.deps);
    expect(await site.deps.files.find(file.objectKey)).toBeUndefined();

    const rows = await site.deps.db.rows('select * from erasures');
    expect(rows).toMatchObject([{ submissions: 4, uploads: 1, mails: 1, user_id: 1, user_name: 'user1' }]);
    expect(JSON.stringify(rows)).not.toContain('example.org');
    // Nothing of it is left anywhere in the database.
    for (const table of ['submissions', 'uploads', 'deliveries', 'receipts', 'outbox', 'erasures'])
      expect(
        await site.deps.db.rows(
          `select 1 from ${table} t where t::text ilike '%ann@example.org%' and t::text not ilike '%joann@%'`,
        ),
      ).toEqual([]);
  });

  it('an erasure that is cut short after a part is kept with what went, and so is the rest when it is taken up again', async () => {
    const { db, config } = site.deps;
    await db.run('delete from erasures');
    const folder = mailboxFolder(config);
    await rm(folder, { recursive: true, force: true });
    await make({ mail: 'cut@example.org' });
    // No mailbox can be looked through here.
    await writeFile(folder, '');
    await expect(erase(site.deps, 'cut@example.org', { id: 0, username: '' })).rejects.toThrow();
    await rm(folder);
    await make({ mail: 'cut@example.org' });
    await erase(site.deps, 'cut@example.org', { id: 0, username: '' });
    expect(await db.rows('select submissions from erasures order by id')).toEqual([
      { submissions: 1 },
      { submissions: 1 },
    ]);
  });

  it('is found and erased in mail whose submission is there no more', async () => {
    const folder = mailboxFolder(site.deps.config);
    await rm(folder, { recursive: true, force: true });
    const mailbox = openMailbox(folder, { files: 100, bytes: 1_000_000 });
    const someone = { name: '', address: 'office@example.com' };
    const send = (id: number, text: string, more: object = {}) =>
      mailbox.send(
        {
          ...{ from: someone, to: [someone], cc: [], bcc: [], replyTo: [], subject: 'News', html: undefined },
          ...{ text, headers: [], files: [], messageId: `<form-${form}.${id}.mail.abc@site.test>` },
          ...{ date: new Date('2030-01-05T10:00:00Z'), ...more },
        },
        [],
        [someone.address],
      );
    const [plain, quoted, encoded, header, emptied, joann, stored] = [
      await make({ mail: email }),
      await make({ mail: email }),
      await make({ mail: email }),
      await make({ mail: email }),
      await make({}, { keep: false }),
      await make({ mail: 'joann@example.org' }),
      await make({ mail: 'ben@example.org' }),
    ] as const;
    await send(plain, `From Ann@Example.org`);
    await send(quoted, `${'Grüße '.repeat(11)}aus Wien, ${email}, und ${'viele andere '.repeat(30)}`);
    await send(encoded, `${'こんにちは'.repeat(20)} ${email} ${'さようなら'.repeat(20)}`);
    await send(header, 'Hello', { replyTo: [{ name: 'Änn', address: email }] });
    await send(emptied, email);
    await send(joann, 'From joann@example.org');
    await send(stored, `Ask ${email}`);
    await remote.deleteSubmissions({ ids: [plain, quoted, encoded, header, joann] }, administrator);
    const all = { submissions: 0, files: 0, mails: 5 };
    expect(await person()).toEqual(all);
    expect(await remote.erasePersonalData({ email }, administrator)).toEqual(all);
    expect(await person()).toMatchObject({ mails: 0 });
    const left = (await readdir(folder)).map((name) => Number(/\.(\d+)\.mail/.exec(name)?.[1]));
    expect(left.sort()).toEqual([joann, stored].sort());
    expect(await site.deps.db.rows('select mails from erasures order by id desc limit 1')).toEqual([
      { mails: 5 },
    ]);
  });

  it('two erasures at once tell together of what there was', async () => {
    const ids = [await make({ mail: 'twice@example.org' }), await make({ mail: 'twice@example.org' })];
    const { db } = site.deps;
    const asked: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      await tx.run('select from submissions where id = $1 for update', [ids[0]]);
      for (let n = 0; n < 2; n++)
        asked.push(remote.erasePersonalData({ email: 'twice@example.org' }, administrator));
      await until(async () => (await lockWaits(db)) >= 2);
    });
    const answers = (await Promise.all(asked)) as { submissions: number }[];
    expect(answers.map(({ submissions }) => submissions).sort()).toEqual([0, 2]);
  });

  const SPELLINGS = [
    `'${email}'`,
    `*${email}*`,
    `{${email}}`,
    `_${email}_`,
    `email=${email}&go=1`,
    `?to='${email}'`,
    `{{mail|${email}}}`,
    `https://site.test/${email}`,
    `mailto:${email}`,
    `邮箱${email}谢谢`,
    `${email}.Thanks for all`,
    `${email}...`,
    `${email}-`,
    `Ann <${email.toUpperCase()}>,ben@example.org`,
  ];
  const OTHERS = ['joann@example.org', 'ann@example.organic', 'an@example.org', 'ann@example.orgs.test'];

  it('is found however it is written, and nobody else is', async () => {
    const ids: number[] = [];
    for (const text of [...SPELLINGS, ...OTHERS]) ids.push(await make({ text }));
    expect(await idsOf({ email })).toEqual(ids.slice(0, SPELLINGS.length).reverse());
    expect(await remote.erasePersonalData({ email }, administrator)).toMatchObject({
      submissions: SPELLINGS.length,
    });
    expect(await idsOf({})).toEqual(ids.slice(SPELLINGS.length).reverse());
  });

  it('is found in what came before its spelling was known', async () => {
    const ids = [
      await make({ text: `*${email}*` }),
      await make({ text: email }),
      await make({ text: 'none' }),
    ];
    await site.deps.db.run(
      `update submissions set emails = case when id = $1 then array['*ann@example.org*'] else '{}' end`,
      [ids[0]],
    );
    expect(await person()).toMatchObject({ submissions: 0 });
    const migration = path.resolve(__dirname, '../../migrations/0005_addresses_found.sql');
    await site.deps.db.run(await readFile(migration, 'utf8'));
    expect(await person()).toMatchObject({ submissions: 2 });
  });

  it('is asked for with an address', async () => {
    await expect(person('ann')).rejects.toMatchObject({ status: 400 });
  });
});

it.each([
  ['a stranger', stranger, 401, 401],
  ['an author', somebody(5, 'edit_posts'), 403, 403],
  ['an editor', editor.actor, 200, 403],
  ['an administrator', administrator.actor, 200, 200],
])('%s', async (_who, actor, read, erase) => {
  const status = async (asked: Promise<unknown>): Promise<number> =>
    asked.then(
      () => 200,
      (error: { status: number }) => error.status,
    );
  const id = await make({});
  const email = 'nobody@example.org';
  const options = { actor };
  const drain = async (): Promise<void> => {
    const request = { filter: undefined, format: 'csv', byteOrderMark: false, cursor: '' };
    for await (const _ of remote.streamExport(request, options));
  };
  expect(await status(remote.listSubmissions({ filter: undefined, before: 0, perPage: 0 }, options))).toBe(
    read,
  );
  expect(await status(remote.getSubmission({ id }, options))).toBe(read);
  expect(await status(drain())).toBe(read);
  expect(await status(remote.markSubmissions({ ids: [id], status: 'trash' }, options))).toBe(read);
  expect(await status(remote.deleteSubmissions({ ids: [id] }, options))).toBe(read);
  expect(await status(remote.findPersonalData({ email }, options))).toBe(erase);
  expect(await status(remote.erasePersonalData({ email }, options))).toBe(erase);
});

it('what was kept long enough goes, by folder, but not before its mail', async () => {
  const config = { ...site.deps.config, SPAM_DAYS: 2, TRASH_DAYS: 3, INBOX_DAYS: 0, UPLOAD_DAYS: 4 };
  const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const file = await keepFile(site.deps, {
    field: 'f',
    name: 'a.txt',
    type: 'text/plain',
    source: Buffer.from('x'),
  });
  await make({ a: 'old spam' }, { status: 'spam', createdAt: ago(2.5) });
  await make({ a: 'old trash' }, { status: 'trash', createdAt: ago(3.5) });
  const kept = [
    await make({ a: 'new spam' }, { status: 'spam', createdAt: ago(1.5) }),
    await make({ a: 'new trash' }, { status: 'trash', createdAt: ago(2.5) }),
    await make({ a: 'old' }, { createdAt: ago(400), uploads: [file] }),
    await make({ a: 'mail waits' }, { status: 'trash', createdAt: ago(400), mails: ['mail'] }),
    await make({ a: 'old, new in the trash' }, { createdAt: ago(400) }),
  ];
  const trashed = kept[4] as number;
  await remote.markSubmissions({ ids: [trashed], status: 'trash' }, editor);
  const sweep = (changes: object) =>
    runSweep(submissionSweeps, 'forms:retention', { ...site.deps, config: { ...config, ...changes } });
  await sweep({});
  expect(await idsOf({})).toEqual([...kept].reverse());
  expect((await remote.getSubmission({ id: kept[2] as number }, editor)).files).toEqual([]);
  await removeLoose(site.deps);
  expect(await site.deps.files.find(file.objectKey)).toBeUndefined();
  await sweep({ INBOX_DAYS: 300 });
  expect(await idsOf({})).toEqual([trashed, kept[3], kept[1], kept[0]]);
  // Whatever is taken out of the trash begins anew when it comes back.
  const since = (days: number) =>
    site.deps.db.run('update submissions set trashed_at = $2 where id = $1', [trashed, ago(days)]);
  await since(3.5);
  for (const status of ['inbox', 'trash']) await remote.markSubmissions({ ids: [trashed], status }, editor);
  await sweep({});
  expect(await idsOf({ status: 'trash' })).toContain(trashed);
  await since(3.5);
  await sweep({});
  expect(await idsOf({ status: 'trash' })).not.toContain(trashed);
});
