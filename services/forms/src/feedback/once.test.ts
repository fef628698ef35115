/** The same submission twice, however it comes twice, is kept once and mailed once and answered alike. */
import { type FormsSite, startForms } from '../testing/service';
import { type FakeFilter, startFilter, usual } from '../testing/filter';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { TEST_ACTOR_SECRET, speaker } from '@sevenfold/chassis/testing/service';
import { ADDRESS_HEADER, addressSigner } from '@sevenfold/chassis/http/client-address';
import { until } from '@sevenfold/chassis/testing/until';
import { toApiError } from '@sevenfold/chassis/errors';
import type { Job } from '@sevenfold/chassis/queue/jobs';
import { runJob } from '@sevenfold/chassis/queue/workers';
import type { Deps } from '../deps';
import { feedbackJobs, feedbackSweeps } from './jobs';

let site: FormsSite;
let filter: FakeFilter;
let other: string;
beforeAll(async () => {
  filter = await startFilter();
  site = await startForms({ SPAMFILTER_GRPC: filter.address, FORM_REPEAT_SECONDS: 600 });
  other = (await site.another('api')).url;
});
afterAll(async () => {
  await site.stop();
  await filter.stop();
});
beforeEach(() => {
  filter.answer = usual;
  filter.checks.length = 0;
});

const FORM = '[text* your-name][email your-email][textarea your-message][file your-file]';
const right = { 'your-name': 'Ann', 'your-message': 'Hello' };
const at = (url: string) => speaker(`${url}/rest/contact-form/v1`);
const send = (id: number, body: unknown, headers: Record<string, string> = {}, url = site.url) =>
  at(url).post(`/contact-forms/${id}/feedback`, body, headers);
const from = (address: string) => ({ [ADDRESS_HEADER]: addressSigner(TEST_ACTOR_SECRET)(address) });

/** Rows, mails and keys that the filter was asked about. */
async function counts(id: number): Promise<[number, number, number]> {
  const row = await site.deps.db.first<{ rows: number; mails: number }>(
    `select count(distinct s.id) as rows, count(o.id) as mails from submissions s
       left join outbox o on o.channel = 'forms.mail' and (o.payload ->> 'submission')::bigint = s.id
      where s.form_id = $1`,
    [id],
  );
  return [row?.rows ?? 0, row?.mails ?? 0, new Set(filter.checks.map(({ key }) => key)).size];
}

describe('the same body from the same address', () => {
  test('once and again', async () => {
    const id = await site.makeForm({ form: FORM });
    const first = await send(id, right);
    const second = await send(id, { ...right, _contact_form_unit_tag: '' });
    expect(first.body.status).toBe('mail_sent');
    expect(second.body).toEqual(first.body);
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('at one moment, on two processes', async () => {
    const id = await site.makeForm({ form: FORM });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => send(id, right, {}, n % 2 === 0 ? site.url : other)),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(Array(20).fill('mail_sent'));
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('spam is spam each time, and kept once', async () => {
    const id = await site.makeForm({ form: FORM });
    const spam = { ...right, 'your-message': 'buy' };
    const answers = await Promise.all([send(id, spam), send(id, spam, {}, other)]);
    answers.push(await send(id, spam));
    expect(answers.map(({ body }) => body.status)).toEqual(['spam', 'spam', 'spam']);
    expect(await counts(id)).toEqual([1, 0, 1]);
  });

  test('is another submission from another address, with another text, for another form, and later', async () => {
    const id = await site.makeForm({ form: FORM });
    await send(id, right, from('203.0.113.1'));
    await send(id, right, from('203.0.113.1'));
    await send(id, right, from('203.0.113.2'));
    await send(id, { ...right, 'your-message': 'Hello!' }, from('203.0.113.1'));
    expect(await counts(id)).toEqual([3, 3, 3]);
    const second = await site.makeForm({ form: FORM });
    await send(second, right, from('203.0.113.1'));
    expect((await counts(second)).slice(0, 2)).toEqual([1, 1]);
    await site.deps.db.run(`update receipts set expires_at = now() - interval '1 second'`);
    await send(id, right, from('203.0.113.1'));
    await send(id, right, from('203.0.113.1'));
    expect((await counts(id)).slice(0, 2)).toEqual([4, 4]);
  });

  test('while its sender waits for the mail, and for a while after that', async () => {
    const id = await site.makeForm({ form: FORM, additional_settings: 'wait_for_mail: on' });
    const { url } = await site.another('api', { FORM_REPEAT_SECONDS: 1, FORM_WAIT_SECONDS: 60 });
    const first = send(id, right, {}, url);
    await until(async () => (await counts(id))[1] === 1);
    // Longer than it would be a repeat, had it been answered at once.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const second = send(id, right, {}, url);
    const answers = Promise.all([first, second]);
    let done = false;
    void answers.then(() => (done = true));
    await until(async () => {
      await site.deps.db.run(
        `with done as (update submissions set mail = 'sent' where form_id = $1 and mail = 'queued' returning id)
         select pg_notify('forms_mail', id::text) from done`,
        [id],
      );
      return done;
    });
    expect((await answers).map(({ body }) => body.status)).toEqual(['mail_sent', 'mail_sent']);
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('files belong to the body', async () => {
    const id = await site.makeForm({ form: FORM });
    const withFile = (text: string): FormData => {
      const data = new FormData();
      data.append('your-name', 'Ann');
      data.append('your-file', new Blob([text]), 'a.txt');
      return data;
    };
    const bodies = ['one', 'one', 'two'].map(withFile);
    for (const body of bodies) expect((await send(id, body)).body.status).toBe('mail_sent');
    expect(await counts(id)).toEqual([2, 2, 2]);
  });
});

describe('Idempotency-Key', () => {
  const key = (text: string) => ({ 'Idempotency-Key': text });

  test('the same key and body: once, also from another address', async () => {
    const id = await site.makeForm({ form: FORM });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send(id, right, { ...key('k1'), ...from(`203.0.113.${n}`) }, n % 2 === 0 ? site.url : other),
      ),
    );
    expect(answers.map(({ body }) => body)).toEqual(Array(10).fill(answers[0]?.body));
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('the same key and another body is refused', async () => {
    const id = await site.makeForm({ form: FORM });
    await send(id, right, key('k2'));
    const { status, body } = await send(id, { ...right, 'your-message': 'Other' }, key('k2'));
    expect([status, body.code]).toEqual([422, 'contact_form_key_reused']);
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('the same key and body with the answer to a fresh question: once', async () => {
    const id = await site.makeForm({
      form: '[text a][quiz q "1+1=?|2" "2+2=?|4"][captchac c][captchar c]',
    });
    const asked = new Map<string, object>();
    // Until both questions were asked.
    while (asked.size < 2) {
      const { quiz, captcha } = (await at(site.url).get(`/contact-forms/${id}/refill`)).body;
      const [question, token] = quiz.q as [string, string];
      const [sum, challenge] = captcha.c as [string, string];
      const [one, two] = sum.match(/\d+/g) as string[];
      asked.set(question, {
        q: question === '1+1=?' ? '2' : '4',
        c: String(Number(one) + Number(two)),
        _contact_form_quiz_answer_q: token,
        _contact_form_captcha_challenge_c: challenge,
      });
    }
    for (const headers of [key('asked'), {}])
      for (const answers of asked.values())
        expect((await send(id, { a: 'Hello', ...answers }, headers)).body.status).toBe('mail_sent');
    expect((await counts(id)).slice(0, 2)).toEqual([2, 2]);
    const other = await send(id, { a: 'Other', ...[...asked.values()][0] }, key('asked'));
    expect([other.status, other.body.code]).toEqual([422, 'contact_form_key_reused']);
  });

  test('two keys are two submissions, and a key counts for one form', async () => {
    const [one, two] = [await site.makeForm({ form: FORM }), await site.makeForm({ form: FORM })];
    await send(one, right, key('k3'));
    await send(one, right, key('k4'));
    await send(two, { ...right, 'your-message': 'Other' }, key('k3'));
    expect((await counts(one)).slice(0, 2)).toEqual([2, 2]);
    expect((await counts(two)).slice(0, 2)).toEqual([1, 1]);
  });

  test('what was refused is no submission: the key is still free', async () => {
    const id = await site.makeForm({ form: FORM });
    expect((await send(id, {}, key('k5'))).body.status).toBe('validation_failed');
    expect((await send(id, right, key('k5'))).body.status).toBe('mail_sent');
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test.each(['', ' ', 'x'.repeat(256)])('must say something, and not too much', async (text) => {
    const id = await site.makeForm({ form: FORM });
    const { status, body } = await send(id, right, key(text));
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['Idempotency-Key']]);
  });
});

/** The processes of two steps run side by side: `old`, then `old,new`, then `new,old`, then `new`. */
describe('while the secret that keys are made with is replaced', () => {
  const under = async (...secrets: string[]): Promise<string[]> => {
    const processes = secrets.map((secret) => site.another('api', { ACTOR_SECRET: secret }));
    return (await Promise.all(processes)).map(({ url }) => url);
  };

  test.each([
    ['old', 'old,new'],
    ['old,new', 'new,old'],
    ['new,old', 'new'],
  ])('the same at processes of %s and %s is one', async (before, after) => {
    const [one, two] = (await under(before, after)) as [string, string];
    const kinds: Record<string, string>[] = [{}, { 'Idempotency-Key': 'kept' }];
    for (const headers of kinds) {
      const id = await site.makeForm({ form: FORM });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => send(id, right, headers, n % 2 === 0 ? one : two)),
      );
      answers.push(await send(id, right, headers, one), await send(id, right, headers, two));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await counts(id)).slice(0, 2)).toEqual([1, 1]);
    }
  });

  test('what came before it still counts after it', async () => {
    const id = await site.makeForm({ form: FORM });
    const [old, both, next] = (await under('old', 'old,new', 'new,old')) as [string, string, string];
    for (const url of [old, both, next]) await send(id, right, { 'Idempotency-Key': 'long' }, url);
    expect((await counts(id)).slice(0, 2)).toEqual([1, 1]);
  });
});

describe('a crash', () => {
  /** Takes a submission and leaves it there: the process is gone before the filter has answered. */
  async function abandoned(id: number): Promise<void> {
    const hanging = new Promise<never>(() => undefined);
    let asked = 0;
    filter.answer = () => {
      asked++;
      return hanging;
    };
    const dying = await site.another('api');
    const request = at(dying.url)
      .post(`/contact-forms/${id}/feedback`, right)
      .catch(() => undefined);
    await until(() => asked > 0);
    // Its connections are gone, as those of a killed process are.
    await dying.db.close();
    await request;
    filter.answer = usual;
    expect(await counts(id)).toEqual([1, 0, 1]);
  }

  test('before the submission was settled: the same again settles it', async () => {
    const id = await site.makeForm({ form: FORM });
    await abandoned(id);
    const answers = await Promise.all([send(id, right), send(id, right, {}, other)]);
    expect(answers.map(({ body }) => body.status)).toEqual(['mail_sent', 'mail_sent']);
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('before the submission was settled, and nobody comes again: the sweep settles it, once', async () => {
    const id = await site.makeForm({ form: FORM });
    await abandoned(id);
    const sweep = () => runSweep(feedbackSweeps, 'forms:abandoned', site.deps);
    await sweep();
    expect(await counts(id)).toEqual([1, 0, 1]);
    await site.deps.db.run(
      `update submissions set created_at = now() - interval '2 minutes' where form_id = $1`,
      [id],
    );
    await Promise.all([sweep(), sweep()]);
    await sweep();
    expect(await counts(id)).toEqual([1, 1, 1]);
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect(await counts(id)).toEqual([1, 1, 1]);
  });

  test('between commit and answer: the same again is answered alike', async () => {
    const id = await site.makeForm({ form: FORM });
    const cut = new AbortController();
    filter.answer = async (request) => {
      // The answer has nowhere to go any more when the row is settled.
      cut.abort();
      return usual(request);
    };
    await fetch(`${site.url}/rest/contact-form/v1/contact-forms/${id}/feedback`, {
      method: 'POST',
      body: new URLSearchParams(right),
      signal: cut.signal,
    }).catch(() => undefined);
    await until(async () => (await counts(id))[1] === 1);
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect(await counts(id)).toEqual([1, 1, 1]);
  });
});

describe('what was taken is forgotten', () => {
  test('receipts with their time, and what was not to be stored when its mail has gone', async () => {
    const id = await site.makeForm({ form: FORM, additional_settings: 'do_not_store: on' });
    const sweep = () => runSweep(feedbackSweeps, 'forms:forget', site.deps);
    await send(id, right);
    await sweep();
    expect((await counts(id))[0]).toBe(1);
    await site.deps.db.run(`update receipts set expires_at = now() - interval '1 second'`);
    await sweep();
    // Its mail has not gone yet.
    expect((await counts(id))[0]).toBe(1);
    expect(await site.deps.db.rows('select from receipts')).toEqual([]);
    await site.deps.db.run(`update submissions set mail = 'sent' where form_id = $1`, [id]);
    await sweep();
    expect((await counts(id))[0]).toBe(0);
  });
});

describe('the spam filter is away', () => {
  test('what is sent is accepted, mailed, marked, and checked when it is back; each once', async () => {
    const id = await site.makeForm({ form: FORM });
    await filter.stop();
    for (const text of ['Hello', 'Hello', 'please buy'])
      expect((await send(id, { ...right, 'your-message': text })).body.status).toBe('mail_sent');
    expect(await counts(id)).toEqual([2, 2, 0]);
    const rows = () =>
      site.deps.db.rows<{ status: string; spam_verdict: string | null; spam_unchecked: boolean }>(
        'select status, spam_verdict, spam_unchecked from submissions where form_id = $1 order by id',
        [id],
      );
    expect(await rows()).toMatchObject(
      Array(2).fill({ status: 'received', spam_verdict: null, spam_unchecked: true }),
    );
    await filter.start();
    await site.another('worker');
    await until(async () => (await rows()).every(({ spam_unchecked }) => !spam_unchecked));
    expect(await rows()).toMatchObject([
      { status: 'received', spam_verdict: 'ham' },
      { status: 'spam', spam_verdict: 'spam' },
    ]);
    expect((await counts(id)).slice(0, 2)).toEqual([2, 2]);
  });

  test('what it cannot do just now is no try of the check that waits for it', async () => {
    const id = await site.makeForm({ form: FORM });
    // As it answers where two processes wanted the same rows, or where a process of it dies.
    filter.answer = () => Promise.reject(toApiError(Object.assign(new Error('deadlock'), { code: '40P01' })));
    expect((await send(id, right)).body.status).toBe('mail_sent');
    const { db, log } = site.deps;
    const [check] = feedbackJobs;
    const open = () =>
      db.first<{ id: number; attempts: number; waits: number }>(
        `select o.id, attempts, waits from outbox o join submissions s on s.id = (o.payload ->> 'submission')::bigint
          where s.form_id = $1 and channel = $2`,
        [id, check?.queue],
      );
    const job = (await open())?.id as number;
    await runJob({ db, deps: site.deps, log }, check as Job<Deps>, job, new AbortController().signal);
    const after = await open();
    expect(after?.attempts).toBeGreaterThan(0);
    expect(after?.waits).toBe(after?.attempts);
  });

  test('one that does not answer holds nobody up for long', async () => {
    const id = await site.makeForm({ form: FORM });
    filter.answer = () => new Promise(() => undefined);
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect((await counts(id)).slice(0, 2)).toEqual([1, 1]);
  });
});

test('a message of nothing but addresses costs an index little', async () => {
  const id = await site.makeForm({ form: '[textarea a]' });
  // Each of them can be read in a dozen ways.
  const addresses = Array.from({ length: 50_000 }, (_, at) => `=x|n${at}@c.d.e.f.g`).join(' ');
  const { body } = await site
    .by('anonymous')
    .post(`/contact-forms/${id}/feedback`, { a: `ann@example.org ${addresses}` });
  expect(body).toMatchObject({ status: 'mail_sent' });
  const [row] = await site.deps.db.rows<{ count: number; first: boolean }>(
    `select cardinality(emails) as count, emails @> array['ann@example.org'] as first from submissions where form_id = $1`,
    [id],
  );
  expect(row?.first).toBe(true);
  expect(row?.count).toBeLessThanOrEqual(6_000);
});

test('one that cannot be settled keeps none behind it from being settled', async () => {
  const id = await site.makeForm({ form: '[text a]' });
  const { db } = site.deps;
  await db.run(
    `insert into submissions (form_id, values, meta, created_at)
     select $1, jsonb_build_object('a', n::text), '{"agent": "Mozilla"}', now() - make_interval(mins => 10 - n)
     from generate_series(1, 3) as n`,
    [id],
  );
  await db.run(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'too much'; end $$`,
  );
  await db.run(
    `create trigger refuse before update on submissions for each row when (old.values ->> 'a' = '1') execute function refuse()`,
  );
  await expect(runSweep(feedbackSweeps, 'forms:abandoned', site.deps)).rejects.toThrow('too much');
  const rows = await db.rows<{ status: string }>(
    'select status from submissions where form_id = $1 order by id',
    [id],
  );
  expect(rows.map(({ status }) => status)).toEqual(['pending', 'received', 'received']);
});
