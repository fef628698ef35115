/** POST /import/{import_id}/batch: the handshake of hashes, repeats, conflicts, registration, and bad input of every kind. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { registerImport } from '../commands';
import { type ImportsSite, author, manager, report, startImports } from '../testing/service';

let site: ImportsSite;
beforeAll(async () => {
  site = await startImports({ ROLE: 'api' });
});
afterAll(() => site.stop());

const HASH = /^[0-9a-f]{32}$/;
const none = { created: [], updated: [], skipped: [] };
const nothingYet = {
  calendar_events: none,
  calendar_organizer: none,
  calendar_venue: none,
  calendar_events_cat: none,
  post_tag: none,
  attachment: none,
};
const register = () => registerImport({ db: site.deps.db }, { origin: 'ics' });
const batches = (importId: string) =>
  site.deps.db.rows<{ number: number; state: string; events: number }>(
    `select b.number, b.state, b.events from batches b join imports i on i.id = b.import
     where i.import_id = $1 order by number`,
    [importId],
  );
const jobs = async () =>
  (await site.deps.db.first<{ n: number }>(`select count(*) as n from outbox where kind = 'job'`))
    ?.n as number;

describe('the handshake', () => {
  test('each batch is kept and answered with the hash of the next, the last one without', async () => {
    const { importId, batchHash } = await register();
    const before = await jobs();
    const first = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 2));
    expect(first.status).toBe(200);
    expect(first.headers.get('allow')).toBe('POST');
    expect(first.body).toEqual({
      status: 'success',
      activity: nothingYet,
      interval: 10,
      next_batch_hash: expect.stringMatching(HASH),
    });
    expect(Object.keys(first.body)).toEqual(['status', 'activity', 'interval', 'next_batch_hash']);
    const last = await site.as().post(`/import/${importId}/batch`, report(first.body.next_batch_hash, 1, 2));
    expect(last.status).toBe(200);
    expect(last.body).toEqual({ status: 'success', activity: nothingYet, interval: 10 });
    expect(await batches(importId)).toEqual([
      { number: 1, state: 'accepted', events: 2 },
      { number: 2, state: 'accepted', events: 2 },
    ]);
    expect(await site.row(importId)).toMatchObject({
      state: 'pending',
      expected_hash: null,
      accepted: 2,
      last_number: 2,
      work: 'queued',
      percentage: 100,
      data_total: 4,
      data_done: 2,
      events_accepted: 4,
    });
    // One open job works through all batches of an import.
    expect(await jobs()).toBe(before + 1);
  });

  test('a batch without events counts and can be the last', async () => {
    const { importId, batchHash } = await register();
    const answer = await site.as().post(`/import/${importId}/batch`, {
      batch_hash: batchHash,
      status: { data: { total: '0', done: 0 }, batch: { total: 0, done: '0' } },
      percentage_complete: '100',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.next_batch_hash).toBeUndefined();
    expect(await batches(importId)).toEqual([{ number: 1, state: 'accepted', events: 0 }]);
  });

  test('a form body works as well', async () => {
    const { importId, batchHash } = await register();
    const form = new URLSearchParams({
      batch_hash: batchHash,
      'status[data][total]': '1',
      'status[data][done]': '0',
      'status[batch][total]': '1',
      'status[batch][done]': '0',
      percentage_complete: '100',
      'events[0][title]': 'By form',
    });
    const answer = await site.as().post(`/import/${importId}/batch`, form, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(answer.status).toBe(200);
    expect(await batches(importId)).toEqual([{ number: 1, state: 'accepted', events: 1 }]);
  });
});

describe('repeats', () => {
  test('the last batch again gets the same answer and has no second effect', async () => {
    const { importId, batchHash } = await register();
    const body = report(batchHash, 0, 2);
    const first = await site.as().post(`/import/${importId}/batch`, body);
    const row = await site.row(importId);
    const before = await jobs();
    const again = await site.as().post(`/import/${importId}/batch`, body);
    expect(again.text).toBe(first.text);
    // The order of keys is no difference in meaning.
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await site.as().post(`/import/${importId}/batch`, turned)).text).toBe(first.text);
    expect(await site.row(importId)).toEqual(row);
    expect(await jobs()).toBe(before);
    expect(await batches(importId)).toHaveLength(1);
  });

  test('also when it was the very last', async () => {
    const { importId, batchHash } = await register();
    const body = report(batchHash, 0, 1);
    const first = await site.as().post(`/import/${importId}/batch`, body);
    const again = await site.as().post(`/import/${importId}/batch`, body);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await batches(importId)).toHaveLength(1);
  });

  test('sent twenty times at once, it is kept once and answered the same', async () => {
    const { importId, batchHash } = await register();
    const body = report(batchHash, 0, 3);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => site.as().post(`/import/${importId}/batch`, body)),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await batches(importId)).toHaveLength(1);
  });

  test('the same hash with another body is a conflict', async () => {
    const { importId, batchHash } = await register();
    await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 2));
    const row = await site.row(importId);
    const other = await site
      .as()
      .post(`/import/${importId}/batch`, report(batchHash, 0, 2, { events: [{ title: 'Another' }] }));
    expect([other.status, other.body.code]).toEqual([409, 'import_batch_conflict']);
    expect(await site.row(importId)).toEqual(row);
  });
});

describe('the next batch of an import that is worked on', () => {
  const begun = async () => {
    const { importId, batchHash } = await register();
    const first = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
    const hash = first.body.next_batch_hash as string;
    return { importId, next: (title: string) => report(hash, 1, 3, { events: [{ title }] }) };
  };
  /** Sent while somebody has the import in hand and does this to it. */
  const sentMeanwhile = async (importId: string, body: Record<string, unknown>, sql: string) => {
    const { db } = site.deps;
    let answer: Promise<{ status: number; body: Record<string, unknown> }> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(`update imports set ${sql} where import_id = $1`, [importId]);
      answer = site.as().post(`/import/${importId}/batch`, body);
      // It is kept by one statement, which waits here.
      await untilLocked(db, '%insert into batches%');
    });
    return answer as NonNullable<typeof answer>;
  };

  test('is kept by one statement, and no more work is promised', async () => {
    const { importId, next } = await begun();
    const before = await jobs();
    const { status } = await sentMeanwhile(importId, next('Second'), 'percentage = percentage');
    expect(status).toBe(200);
    expect(await site.row(importId)).toMatchObject({ accepted: 2, events_accepted: 3, work: 'queued' });
    expect(await batches(importId)).toHaveLength(2);
    expect(await jobs()).toBe(before);
  });

  test('is sent to the database once, also where no work is promised yet', async () => {
    const { db } = site.deps;
    const { importId, batchHash } = await register();
    await db.run('create sequence tries');
    await db.run(`create function note_try() returns trigger language plpgsql as $$
      begin perform nextval('tries'); return null; end $$`);
    await db.run(
      'create trigger note_try before insert on batches for each statement execute function note_try()',
    );
    try {
      const { body } = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
      await site.as().post(`/import/${importId}/batch`, report(body.next_batch_hash as string, 1, 3));
    } finally {
      await db.run('drop trigger note_try on batches');
    }
    expect(await db.first('select last_value::int as n from tries')).toEqual({ n: 2 });
  });

  test('has work promised where that ends at this very moment', async () => {
    const { importId, next } = await begun();
    const before = await jobs();
    const { status } = await sentMeanwhile(importId, next('Second'), `applied = accepted, work = 'idle'`);
    expect(status).toBe(200);
    expect(await site.row(importId)).toMatchObject({ accepted: 2, work: 'queued' });
    expect(await jobs()).toBe(before + 1);
  });

  test('is refused where nothing more is taken at this very moment', async () => {
    const { importId, next } = await begun();
    const { status } = await sentMeanwhile(importId, next('Second'), 'expected_hash = null');
    expect(status).toBe(400);
    expect(await batches(importId)).toHaveLength(1);
  });

  test('is one of them where two come at once, and the other is a conflict', async () => {
    const { importId, next } = await begun();
    const answers = await Promise.all(
      ['One', 'Another'].map((title) => site.as().post(`/import/${importId}/batch`, next(title))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await batches(importId)).toHaveLength(2);
    expect(await site.row(importId)).toMatchObject({ accepted: 2, events_accepted: 3 });
  });
});

describe('registering by the first batch', () => {
  test('a credential that may manage imports makes the import', async () => {
    const answer = await site
      .as(manager)
      .post(
        '/import/by_first_batch/batch',
        report('first-hash', 0, 2, { origin: 'url', default_status: 'draft' }),
      );
    expect(answer.status).toBe(200);
    expect(await site.row('by_first_batch')).toMatchObject({
      origin: 'url',
      default_status: 'draft',
      owner: 1,
      accepted: 1,
      expected_hash: answer.body.next_batch_hash,
    });
    // From then on the hash speaks for the sender.
    const next = await site
      .as()
      .post('/import/by_first_batch/batch', report(answer.body.next_batch_hash, 1, 2));
    expect(next.status).toBe(200);
  });

  test('two of them at once make one', async () => {
    const body = report('once', 0, 2);
    const answers = await Promise.all(
      [1, 2, 3].map(() => site.as(manager).post('/import/at_once/batch', body)),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await batches('at_once')).toHaveLength(1);
  });

  test.each([
    ['strangers', undefined],
    ['those without the right', author],
  ])('%s are told as little as by any unknown name', async (_who, actor) => {
    const answer = await site.as(actor).post('/import/nobody_knows/batch', report('x', 0, 1));
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toEqual(['import_id', 'batch_hash']);
    expect(await site.row('nobody_knows')).toEqual({});
  });

  test('a wrong status or origin registers nothing', async () => {
    for (const more of [{ default_status: 'trash' }, { origin: 'no good!' }]) {
      const answer = await site.as(manager).post('/import/odd_first/batch', report('x', 0, 1, more));
      expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, [Object.keys(more)[0]]]);
    }
    expect(await site.row('odd_first')).toEqual({});
  });
});

test('what is no event among the others is skipped with its reason, and the import goes on', async () => {
  const { importId, batchHash } = await register();
  const events = [{ title: 'x' }, 'text', [], null, 7];
  const taken = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 1, { events }));
  expect(taken.status).toBe(200);
  expect(await batches(importId)).toMatchObject([{ events: 5 }]);
});

describe('bad input changes nothing', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `T ${n}` }));
  const status = (data: unknown, batch: unknown) => ({ status: { data, batch } });
  const good = { total: 2, done: 0 };
  let importId: string;
  let batchHash: string;
  let other: string;
  beforeAll(async () => {
    ({ importId, batchHash } = await register());
    other = (await register()).batchHash;
  });

  const refused: [string, (hash: string) => unknown, number, string, string[]][] = [
    [
      'no hash',
      (hash) => ({ ...report(hash, 0, 2), batch_hash: undefined }),
      400,
      'rest_missing_callback_param',
      ['batch_hash'],
    ],
    [
      'no status',
      (hash) => ({ ...report(hash, 0, 2), status: undefined }),
      400,
      'rest_missing_callback_param',
      ['status'],
    ],
    [
      'null for status',
      (hash) => ({ ...report(hash, 0, 2), status: null }),
      400,
      'rest_missing_callback_param',
      ['status'],
    ],
    [
      'no percentage',
      (hash) => ({ ...report(hash, 0, 2), percentage_complete: undefined }),
      400,
      'rest_missing_callback_param',
      ['percentage_complete'],
    ],
    [
      'no body',
      () => undefined,
      400,
      'rest_missing_callback_param',
      ['batch_hash', 'status', 'percentage_complete'],
    ],
    [
      'a list as body',
      () => [],
      400,
      'rest_missing_callback_param',
      ['batch_hash', 'status', 'percentage_complete'],
    ],
    ['a wrong hash', () => report('0'.repeat(32), 0, 2), 400, 'rest_invalid_param', ['batch_hash']],
    ['an empty hash', () => report('', 0, 2), 400, 'rest_invalid_param', ['batch_hash']],
    ['a hash that is a number', () => report(5 as never, 0, 2), 400, 'rest_invalid_param', ['batch_hash']],
    ['a hash that is a list', () => report(['x'] as never, 0, 2), 400, 'rest_invalid_param', ['batch_hash']],
    [
      'a hash of megabytes',
      () => report('a'.repeat(2_000_000), 0, 2),
      400,
      'rest_invalid_param',
      ['batch_hash'],
    ],
    [
      'percentage 101',
      (hash) => report(hash, 0, 2, { percentage_complete: 101 }),
      400,
      'rest_invalid_param',
      ['percentage_complete'],
    ],
    [
      'percentage -1',
      (hash) => report(hash, 0, 2, { percentage_complete: -1 }),
      400,
      'rest_invalid_param',
      ['percentage_complete'],
    ],
    [
      'percentage 5.5',
      (hash) => report(hash, 0, 2, { percentage_complete: 5.5 }),
      400,
      'rest_invalid_param',
      ['percentage_complete'],
    ],
    [
      'percentage as a word',
      (hash) => report(hash, 0, 2, { percentage_complete: 'half' }),
      400,
      'rest_invalid_param',
      ['percentage_complete'],
    ],
    ['interval 9', (hash) => report(hash, 0, 2, { interval: 9 }), 400, 'rest_invalid_param', ['interval']],
    [
      'interval 601',
      (hash) => report(hash, 0, 2, { interval: 601 }),
      400,
      'rest_invalid_param',
      ['interval'],
    ],
    [
      'status as text',
      (hash) => report(hash, 0, 2, { status: 'fine' }),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'status as a list',
      (hash) => report(hash, 0, 2, { status: [1] }),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    ['an empty status', (hash) => report(hash, 0, 2, { status: {} }), 400, 'rest_invalid_param', ['status']],
    [
      'status without batch',
      (hash) => report(hash, 0, 2, { status: { data: good } }),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'status.data as a list',
      (hash) => report(hash, 0, 2, status([1], good)),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'more done than there is',
      (hash) => report(hash, 0, 2, status(good, { total: 1, done: 2 })),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'counts that are words',
      (hash) => report(hash, 0, 2, status({ total: 'a', done: 0 }, good)),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'counts below zero',
      (hash) => report(hash, 0, 2, status({ total: 1, done: -1 }, good)),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'counts beyond reason',
      (hash) => report(hash, 0, 2, status({ total: 1e300, done: 0 }, good)),
      400,
      'rest_invalid_param',
      ['status'],
    ],
    [
      'events as text',
      (hash) => report(hash, 0, 2, { events: 'one, two' }),
      400,
      'rest_invalid_param',
      ['events'],
    ],
    [
      'events as an object',
      (hash) => report(hash, 0, 2, { events: { title: 'x' } }),
      400,
      'rest_invalid_param',
      ['events'],
    ],
    [
      'ten thousand events',
      (hash) => report(hash, 0, 2, { events: many(10_000) }),
      400,
      'rest_invalid_param',
      ['events'],
    ],
    [
      'two faults at once',
      (hash) => report(hash, 0, 2, { percentage_complete: 101, interval: 1 }),
      400,
      'rest_invalid_param',
      ['percentage_complete', 'interval'],
    ],
    ['broken JSON', () => '{"batch_hash":', 400, 'rest_invalid_json', []],
    [
      'a body of 20 MiB',
      (hash) => report(hash, 0, 2, { pad: 'x'.repeat(20 * 1024 * 1024) }),
      413,
      'payload_too_large',
      [],
    ],
  ];
  test.each(refused)('%s', async (_what, body, status, code, params) => {
    const before = await site.row(importId);
    const made = body(batchHash);
    const answer = await site
      .as()
      .post(
        `/import/${importId}/batch`,
        made,
        typeof made === 'string' ? { 'Content-Type': 'application/json' } : {},
      );
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    const named = answer.body.data.params ?? [];
    expect(Array.isArray(named) ? named : Object.keys(named)).toEqual(params);
    expect(await site.row(importId)).toEqual(before);
    expect(await batches(importId)).toEqual([]);
  });

  test('nesting without end', async () => {
    const deep = `{"batch_hash":"${batchHash}","events":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    const answer = await site
      .as()
      .post(`/import/${importId}/batch`, deep, { 'Content-Type': 'application/json' });
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_json']);
  });

  test("another import's hash", async () => {
    const answer = await site.as().post(`/import/${importId}/batch`, report(other, 0, 2));
    expect([answer.status, Object.keys(answer.body.data.params)]).toEqual([400, ['batch_hash']]);
    expect(await batches(importId)).toEqual([]);
  });

  test('a used hash, while the import goes on and when it has ended', async () => {
    const { importId, batchHash } = await register();
    const one = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
    const two = await site.as().post(`/import/${importId}/batch`, report(one.body.next_batch_hash, 1, 3));
    const used = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
    expect([used.status, Object.keys(used.body.data.params)]).toEqual([400, ['batch_hash']]);
    await site.as().post(`/import/${importId}/batch`, report(two.body.next_batch_hash, 2, 3));
    const late = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
    expect([late.status, Object.keys(late.body.data.params)]).toEqual([400, ['import_id', 'batch_hash']]);
    expect(await batches(importId)).toHaveLength(3);
  });

  test('other methods and names that are none', async () => {
    expect((await site.as().get(`/import/${importId}/batch`)).status).toBe(404);
    expect((await site.as().post('/import/a-b/batch', report('x', 0, 1))).status).toBe(404);
    const long = await site.as(manager).post(`/import/${'a'.repeat(200)}/batch`, report('x', 0, 1));
    expect([long.status, Object.keys(long.body.data.params)]).toEqual([400, ['import_id']]);
  });

  test('after all of it the hash still works', async () => {
    expect((await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 2))).status).toBe(200);
  });
});

test('a batch that grows beyond a message when it is written down is refused, and the hash stays good; under another hash it is not written down', async () => {
  const { importId, batchHash } = await registerImport({ db: site.deps.db }, {});
  const post = (events: string, pad = '', hash = batchHash) =>
    fetch(`${site.url}/rest/calendar/event-aggregator/v1/import/${importId}/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"batch_hash":"${hash}","status":{"data":{"total":1,"done":0},"batch":{"total":1,"done":0}},"percentage_complete":100,"pad":"${pad}","events":${events}}`,
    });
  const codeOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { code: string }).code,
  ];
  const grows = `[{"title":"A","x":[${'1e20,'.repeat(800_000)}1]}]`;
  const pad = 'x'.repeat(5_000_000);
  expect(await codeOf(await post(grows, pad))).toEqual([413, 'payload_too_large']);
  expect(await codeOf(await post(grows, pad, 'none'))).toEqual([400, 'rest_invalid_param']);
  expect((await post('[{"title":"A"}]')).status).toBe(200);
});
