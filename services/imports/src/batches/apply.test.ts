/** From the acknowledgement to the calendar: order, outages, failures, the end of an import, and what people see of it. */
import { OUTBOX_CHANNEL } from '@sevenfold/chassis/db/outbox';
import { ApiError } from '@sevenfold/chassis/errors';
import { startFreezable } from '@sevenfold/chassis/testing/freezable';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import {
  type Import,
  ImportsServiceService,
  type ImportsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { registerImport } from '../commands';
import { importSweeps } from '../imports/jobs';
import { type ImportsSite, author, manager, report, sendBatches, startImports } from '../testing/service';
import { GROUP } from './apply';
import { nextInLine } from './store';

const connect = (to: ImportsSite) => to.dial<ImportsServiceServer>(ImportsServiceService, 'gateway');

let site: ImportsSite;
let remote: ReturnType<typeof connect>;
let answer: ImportsSite['calendar']['answer'];
beforeAll(async () => {
  site = await startImports({ ROLE: 'all' });
  answer = site.calendar.answer;
  remote = connect(site);
});
afterAll(async () => {
  remote.close();
  await site.stop();
});
beforeEach(() => {
  site.calendar.answer = answer;
});

const register = () => registerImport({ db: site.deps.db }, {});
const sweep = () => runSweep(importSweeps, 'stalled-imports', site.deps);
const send = async (total: number) => {
  const registered = await register();
  await sendBatches(site, registered, total);
  return registered.importId;
};
const finished = (importId: string, state = 'success') =>
  until(async () => {
    const row = await site.row(importId);
    return row.state === state && row;
  });
const get = async (importId: string): Promise<Import> =>
  (await remote.getImport({ importId }, { actor: manager })).import as Import;
const callsOf = (importId: string): number[][] =>
  site.calendar.calls
    .filter((call) => call.importId === importId)
    .map((call) => call.batches.map(({ key }) => Number(key.split('/')[1])));
/** Batches of the import in the order in which the calendar got them, each as often as it did. */
const applied = (importId: string): number[] => callsOf(importId).flat();

/** Its job gave up several times, and no time counted as a failure. */
const putOff = (of: ImportsSite, importId: string) =>
  until(async () => {
    const job = await of.deps.db.first<{ attempts: number; max_attempts: number }>(
      `select attempts, max_attempts from outbox where payload->>'import' = $1 and done_at is null`,
      [String((await of.row(importId)).id)],
    );
    return job !== undefined && job.attempts >= 2 && job.max_attempts === job.attempts + 5;
  });

test('every batch goes to the calendar once and in order; then the import is done', async () => {
  const importId = await send(30);
  expect(await finished(importId)).toMatchObject({
    accepted: 30,
    applied: 30,
    events_accepted: 60,
    events_created: 60,
    events_updated: 0,
    events_skipped: 0,
  });
  expect(applied(importId)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  const left = await site.deps.db.rows(
    `select 1 from batches b join imports i on i.id = b.import where i.import_id = $1 and payload is not null`,
    [importId],
  );
  expect(left).toEqual([]);
});

test('answers show what has been applied so far, each id once', async () => {
  const { importId, batchHash } = await register();
  const first = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
  await until(async () => (await site.row(importId)).applied === 1);
  const body = report(first.body.next_batch_hash, 1, 3);
  const second = await site.as().post(`/import/${importId}/batch`, body);
  const { created } = second.body.activity.calendar_events;
  expect(created).toHaveLength(2);
  expect(second.body.activity.calendar_venue).toEqual({ created: [], updated: [7], skipped: [] });
  await until(async () => (await site.row(importId)).applied === 2);
  // The repeat tells what it told then, not what is known by now; the next one tells it all.
  expect((await site.as().post(`/import/${importId}/batch`, body)).text).toBe(second.text);
  const third = await site.as().post(`/import/${importId}/batch`, report(second.body.next_batch_hash, 2, 3));
  expect(third.body.activity.calendar_events.created.slice(0, 2)).toEqual(created);
  expect(third.body.activity.calendar_events.created).toHaveLength(4);
  expect(third.body.activity.calendar_venue.updated).toEqual([7]);
  expect((await site.as().post(`/import/${importId}/batch`, body)).status).toBe(400);
});

test('imports run beside each other', async () => {
  const running = new Set<string>();
  let meet: () => void;
  const met = new Promise<void>((resolve) => (meet = resolve));
  // Whoever comes first waits for another import: alone, none would ever end.
  site.calendar.answer = async (request) => {
    running.add(request.importId);
    if (running.size > 1) meet();
    await met;
    return answer(request);
  };
  const ids = await Promise.all([1, 2, 3].map(() => send(5)));
  await Promise.all(ids.map((id) => finished(id)));
  for (const id of ids) expect(applied(id)).toEqual([1, 2, 3, 4, 5]);
});

test('of imports that are all there two go at once, of those that are still sent one', async () => {
  const own = await startImports({ ROLE: 'all', IMPORT_AT_ONCE: 1 }, site.calendar);
  const begin = async (batches: number, total: number): Promise<string> => {
    const made = await registerImport({ db: own.deps.db }, {});
    await sendBatches(own, made, batches, total);
    return made.importId;
  };
  try {
    const there = new Set<string>();
    let meet: () => void;
    const met = new Promise<void>((resolve) => (meet = resolve));
    site.calendar.answer = async (request) => {
      there.add(request.importId);
      if (there.size > 1) meet();
      await met;
      return answer(request);
    };
    for (const importId of [await begin(2, 2), await begin(2, 2)])
      await until(async () => (await own.row(importId)).state === 'success');

    let running = 0;
    let most = 0;
    let go: () => void;
    const gone = new Promise<void>((resolve) => (go = resolve));
    site.calendar.answer = async (request) => {
      most = Math.max(most, (running += 1));
      await gone;
      running -= 1;
      return answer(request);
    };
    const sent: string[] = [];
    for (let n = 0; n < 4; n++) sent.push(await begin(1, 2));
    // All of them are with the worker while the first one is at work.
    await until(
      async () =>
        (
          await own.deps.db.rows(
            `select from outbox where kind = 'job' and done_at is null and sent_at is null`,
          )
        ).length === 0,
    );
    go!();
    for (const importId of sent) await until(async () => (await own.row(importId)).applied === 1);
    expect(most).toBe(1);
  } finally {
    await own.stop();
  }
});

test('while the calendar is away batches wait, without counting as failed', async () => {
  await site.calendar.stop();
  const importId = await send(3);
  await putOff(site, importId);
  expect(await site.row(importId)).toMatchObject({ applied: 0, state: 'pending', work: 'queued' });
  await site.calendar.start();
  await finished(importId);
  // All that had waited goes at once: a wait is no failure, after which they would go one by one.
  expect(callsOf(importId)).toEqual([[1, 2, 3]]);
});

test('a calendar that is frozen, at work or before, is not waited for; after the thaw nothing is lost or doubled', async () => {
  const behind = await startFreezable(Number(site.calendar.address.split(':')[1]));
  // One call at a time: as long as one waits in vain, nobody else gets his turn.
  const own = await startImports(
    { ROLE: 'all', IMPORT_AT_ONCE: 1, CALENDAR_GRPC: `127.0.0.1:${behind.port}` },
    site.calendar,
  );
  const delivered = (importId: string): number =>
    site.calendar.calls.filter((call) => call.importId === importId).length;
  const sendOwn = async (total: number): Promise<string> => {
    const made = await registerImport({ db: own.deps.db }, {});
    await sendBatches(own, made, total);
    return made.importId;
  };
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  try {
    site.calendar.answer = async (request) => {
      await gate;
      return answer(request);
    };
    const atWork = await sendOwn(3);
    await until(() => delivered(atWork) === 1);
    const accepted = behind.accepted();
    behind.freeze();
    const before = await sendOwn(2);
    await putOff(own, atWork);
    await putOff(own, before);
    expect(delivered(before)).toBe(0);
    // Given up for its silence, long before the connection was given up.
    expect(behind.accepted()).toBe(accepted);
    release();
    behind.thaw();
    for (const [importId, total] of [
      [atWork, 3],
      [before, 2],
    ] as const) {
      await until(async () => (await own.row(importId)).state === 'success');
      expect(await own.row(importId)).toMatchObject({ applied: total, events_created: 2 * total });
    }
  } finally {
    release();
    behind.thaw();
    await own.stop();
    await behind.stop();
  }
});

test('a calendar that did the work but lost its answer is asked again, and nothing is done twice', async () => {
  let lost = 0;
  site.calendar.answer = async (request) => {
    const result = await answer(request);
    if ((lost += 1) <= 2) throw new ApiError('service_unavailable', 503, 'gone');
    return result;
  };
  const importId = await send(4);
  expect(await finished(importId)).toMatchObject({ events_created: 8, applied: 4 });
  const times = new Map<number, number>();
  for (const number of applied(importId)) times.set(number, (times.get(number) ?? 0) + 1);
  // The two lost answers are asked for again, in the groups of then; whatever was noted is not sent again.
  expect(times.get(1)).toBe(3);
  for (const count of times.values()) expect(count).toBeLessThanOrEqual(3);
});

test('a batch that fails keeps its reason and holds up those behind it, until it is retried', async () => {
  let broken = true;
  site.calendar.answer = async (request) => {
    if (broken && request.batches.some(({ key }) => key.endsWith('/2')))
      throw new ApiError('odd_batch', 400, 'The second batch is odd.');
    return answer(request);
  };
  const importId = await send(3);
  const row = (await site.row(importId)).id as number;
  // Its tries come faster than the pauses between them would let them.
  await until(async () => {
    await site.deps.db.run(
      `update outbox set run_at = now()
        where payload->>'import' = $1 and done_at is null and failed_at is null and sent_at is null and run_at > now()
       returning pg_notify('${OUTBOX_CHANNEL}', '')`,
      [String(row)],
    );
    return (await site.row(importId)).work === 'blocked';
  });
  expect(await get(importId)).toMatchObject({
    state: 'pending',
    batchesAccepted: 3,
    batchesApplied: 1,
    failedBatch: 2,
    failedReason: 'The second batch is odd.',
  });
  const { batches } = await remote.getImport({ importId }, { actor: manager });
  expect(batches.map(({ number, state }) => [number, state])).toEqual([
    [3, 'accepted'],
    [2, 'failed'],
    [1, 'applied'],
  ]);
  await expect(remote.retryBatch({ importId, number: 3 }, { actor: manager })).rejects.toMatchObject({
    status: 409,
    code: 'import_batch_not_failed',
  });
  broken = false;
  await remote.retryBatch({ importId, number: 2 }, { actor: manager });
  expect(await finished(importId)).toMatchObject({ applied: 3 });
  const calls = callsOf(importId);
  const failed = calls.findIndex((numbers) => numbers.includes(2));
  // The group that failed goes again one by one: the good one once, the bad one as often as there are tries.
  expect(calls.filter((numbers) => numbers.join() === '1')).toHaveLength(1);
  expect(calls.slice(failed + 1, -1).every((numbers) => ['1', '2'].includes(numbers.join()))).toBe(true);
  expect(calls.at(-1)).toEqual([2, 3]);
  await until(async () => (await site.row(importId)).work === 'idle');
});

test('a report of success waits for the batches, one of failure does not', async () => {
  const open: (() => void)[] = [];
  const gate = new Promise<void>((resolve) => open.push(resolve));
  site.calendar.answer = async (request) => {
    await gate;
    return answer(request);
  };
  const ids: string[] = [];
  for (const status of ['success', 'failed']) {
    const { importId, batchHash } = await register();
    const { body } = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 9));
    await site.as().post(`/import/${importId}/state`, {
      batch_hash: body.next_batch_hash,
      status,
      message: 'Over.',
      message_slug: 'over',
      percentage_complete: 60,
    });
    ids.push(importId);
  }
  expect((await site.row(ids[0]!)).state).toBe('pending');
  expect((await site.row(ids[1]!)).state).toBe('failed');
  open[0]?.();
  expect(await finished(ids[0]!)).toMatchObject({ applied: 1, message: 'Over.' });
  // Accepted means kept, however the import ended.
  await until(async () => (await site.row(ids[1]!)).applied === 1);
  expect((await site.row(ids[1]!)).state).toBe('failed');
  const told = await site.deps.db.rows<{ payload: object }>(
    `select payload from outbox where kind = 'event' and payload->>'id' = any($1) order by payload->>'state'`,
    [ids],
  );
  expect(told.map(({ payload }) => payload)).toEqual([
    { id: ids[1], state: 'failed' },
    { id: ids[0], state: 'success' },
  ]);
});

test('skipped events are counted and told with their reasons', async () => {
  const { importId, batchHash } = await register();
  await site
    .as()
    .post(
      `/import/${importId}/batch`,
      report(batchHash, 0, 1, { events: [{ uid: 'x' }, { title: 'Fine' }] }),
    );
  await finished(importId);
  const { import: shown, faults } = await remote.getImport({ importId }, { actor: manager });
  expect(shown).toMatchObject({ eventsCreated: 1, eventsSkipped: 1 });
  expect(faults).toEqual([
    { batch: 1, position: 0, uid: 'x', title: '', reason: 'It has no title.', leftAlone: false },
  ]);
});

test('an import that went silent is stalled, takes its next batch all the same, and can be resumed', async () => {
  const { importId, batchHash } = await register();
  const silence = () =>
    site.deps.db.run(`update imports set heard_at = now() - interval '1 hour' where import_id = $1`, [
      importId,
    ]);
  await silence();
  await sweep();
  expect((await site.row(importId)).state).toBe('stalled');
  const resumed = await remote.resumeImport({ importId }, { actor: manager });
  expect(resumed).toEqual({ importId, batchHash });
  expect((await site.row(importId)).state).toBe('pending');
  await expect(remote.resumeImport({ importId }, { actor: manager })).rejects.toMatchObject({ status: 409 });
  await silence();
  await sweep();
  expect((await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 1))).status).toBe(200);
  await finished(importId);
  await silence();
  await sweep();
  expect((await site.row(importId)).state).toBe('success');
});

test('a failed import can be resumed under a new hash', async () => {
  const { importId, batchHash } = await register();
  await site.as().post(`/import/${importId}/state`, {
    batch_hash: batchHash,
    status: 'failed',
    message: '',
    message_slug: '',
    percentage_complete: 0,
  });
  const resumed = await remote.resumeImport({ importId }, { actor: manager });
  expect(resumed.batchHash).not.toBe(batchHash);
  expect((await site.as().post(`/import/${importId}/batch`, report(resumed.batchHash, 0, 1))).status).toBe(
    200,
  );
  await finished(importId);
});

describe('for people', () => {
  test('registering, listing and reading take the right to manage imports', async () => {
    const call = { importId: '', origin: 'url', defaultStatus: 'draft', owner: 0, authority: 'fill' };
    const made = await remote.registerImport(call, { actor: manager });
    expect(await get(made.importId)).toMatchObject({
      origin: 'url',
      defaultStatus: 'draft',
      authority: 'fill',
      owner: 1,
      state: 'pending',
    });
    const { imports, total } = await remote.listImports(
      { page: 1, perPage: 2, state: '' },
      { actor: manager },
    );
    expect(imports[0]?.importId).toBe(made.importId);
    expect(imports).toHaveLength(2);
    expect(total).toBeGreaterThan(5);
    for (const [actor, status] of [
      [author, 403],
      [undefined, 401],
    ] as const) {
      await expect(remote.registerImport(call, { actor })).rejects.toMatchObject({ status });
      await expect(remote.listImports({ page: 1, perPage: 2, state: '' }, { actor })).rejects.toMatchObject({
        status,
      });
      await expect(remote.getImport({ importId: made.importId }, { actor })).rejects.toMatchObject({
        status,
      });
      await expect(remote.resumeImport({ importId: made.importId }, { actor })).rejects.toMatchObject({
        status,
      });
      await expect(
        remote.retryBatch({ importId: made.importId, number: 1 }, { actor }),
      ).rejects.toMatchObject({ status });
      const stream = remote.streamProgress({ importId: made.importId }, { actor });
      await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ status });
    }
    await expect(remote.getImport({ importId: 'nobody' }, { actor: manager })).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      remote.registerImport({ ...call, importId: made.importId }, { actor: manager }),
    ).rejects.toMatchObject({ status: 409 });
    await expect(
      remote.registerImport({ ...call, importId: 'a b' }, { actor: manager }),
    ).rejects.toMatchObject({
      status: 400,
    });
    await expect(
      remote.registerImport({ ...call, authority: 'all' }, { actor: manager }),
    ).rejects.toMatchObject({ status: 400 });
  });

  test('progress streams until the end', async () => {
    const registered = await register();
    const { importId } = registered;
    const seen: Import[] = [];
    const watching = (async () => {
      for await (const shown of remote.streamProgress({ importId }, { actor: manager })) seen.push(shown);
    })();
    await until(async () => seen.length > 0);
    await sendBatches(site, registered, 4);
    await watching;
    expect(seen[0]).toMatchObject({ state: 'pending', batchesAccepted: 0 });
    expect(seen.at(-1)).toMatchObject({ state: 'success', batchesApplied: 4, eventsCreated: 8 });
    const done = seen.map((shown) => shown.batchesApplied);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  });

  test('progress that somebody watches ends when the service stops, and does not hold it up', async () => {
    const own = await startImports({ SHUTDOWN_SECONDS: 60 });
    const { importId } = await registerImport({ db: own.deps.db }, {});
    const watcher = connect(own);
    const seen = watcher.streamProgress({ importId }, { actor: manager })[Symbol.asyncIterator]();
    expect((await seen.next()).done).toBe(false);
    const stopped = own.stop();
    expect((await seen.next()).done).toBe(true);
    await stopped;
    watcher.close();
  });

  test('pictures are counted when they come, and are attachments of the answer', async () => {
    const { importId, batchHash } = await register();
    const first = await site.as().post(`/import/${importId}/batch`, report(batchHash, 0, 3));
    const tell = async (attachment: number, reason: string, found?: boolean) =>
      site.deps.db.run(
        `insert into outbox (kind, channel, name, payload) values ('event', 'calendar.import.image', 'x', $1)`,
        [{ import_id: importId, attachment, found, uid: 'u', title: 'T', reason }],
      );
    // What an earlier version noted stands in the row of the import, and comes first.
    await site.deps.db.run(`update imports set attachments = '{5,76}' where import_id = $1`, [importId]);
    for (const attachment of [77, 76, 77, 78]) await tell(attachment, '');
    // One was there before, and what this import made is its own when it comes once more.
    await tell(90, '', true);
    await tell(78, '', true);
    await tell(0, 'No picture.');
    await until(async () => {
      const row = await site.row(importId);
      return row.images_fetched === 6 && row.images_failed === 1;
    });
    const second = await site
      .as()
      .post(`/import/${importId}/batch`, report(first.body.next_batch_hash, 1, 3));
    expect(second.body.activity.attachment).toEqual({
      created: [5, 76, 77, 78],
      updated: [90],
      skipped: [],
    });
    const progress = await remote.getProgress(
      { importId, batchHash: '', page: 1, perPage: 20, batch: 0 },
      { actor: manager },
    );
    expect(progress.attachments).toEqual({ created: 4, updated: 1, skipped: 0, failed: 1 });
    await tell(79, '');
    await until(async () => (await site.row(importId)).images_fetched === 7);
    // The repeat tells of those that were there then.
    const again = await site.as().post(`/import/${importId}/batch`, report(first.body.next_batch_hash, 1, 3));
    expect(again.text).toBe(second.text);
    const { faults } = await remote.getImport({ importId }, { actor: manager });
    expect(faults).toMatchObject([{ uid: 'u', title: 'T', reason: 'No picture.' }]);
  });
});

test('of the waiting batches only those that fit together are read, and always at least one', async () => {
  const { db } = site.deps;
  // Rows without a job: nobody takes them away while they are looked at.
  const numbers = async (sizes: [number, number][], change = 'applied = applied') => {
    const { importId } = await register();
    const row = (await site.row(importId)).id as number;
    await db.run(
      `insert into batches (import, number, hash, digest, payload, events, shown_applied, shown_attachments)
       select $1, number, number::text, '', repeat('x', (size->>1)::int), (size->>0)::int, 0, 0
       from jsonb_array_elements($2::jsonb) with ordinality as given (size, number)`,
      [row, JSON.stringify(sizes)],
    );
    await db.run(`update imports set ${change} where id = $1`, [row]);
    const group = await nextInLine(db, row, GROUP);
    for (const { number, payload } of group) expect(payload).toHaveLength(sizes[number - 1]![1]);
    return group.map(({ number }) => number);
  };
  const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
  const half = GROUP.bytes / 2;
  expect(await numbers([])).toEqual([]);
  expect(
    await numbers([
      [50, 1],
      [50, 1],
    ]),
  ).toEqual([1, 2]);
  expect(
    await numbers([
      [5_000, 1],
      [1, 1],
    ]),
  ).toEqual([1]);
  expect(
    await numbers([
      [950, 1],
      [50, 1],
      [1, 1],
      [0, 1],
    ]),
  ).toEqual([1, 2]);
  expect(
    await numbers([
      [1, half],
      [1, half],
      [1, 1],
    ]),
  ).toEqual([1, 2]);
  expect(
    await numbers([
      [1, half],
      [1, half + 1],
      [1, 1],
    ]),
  ).toEqual([1]);
  expect(
    await numbers([
      [1, GROUP.bytes + 1],
      [1, 1],
    ]),
  ).toEqual([1]);
  expect(await numbers(upTo(60).map(() => [1, 1]))).toEqual(upTo(40));
  expect(
    await numbers(
      upTo(60).map(() => [1, 1]),
      'accepted = 60, applied = 58',
    ),
  ).toEqual([59, 60]);
  expect(await numbers([[1, 1]], `work = 'blocked'`)).toEqual([]);
});
