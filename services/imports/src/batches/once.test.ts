/** A job that two workers have at the same time: every batch is noted once, whoever of them comes first. */
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/jobs';
import { registerImport } from '../commands';
import { type ImportsSite, sendBatches, startImports } from '../testing/service';
import { applyBatches } from './apply';

let site: ImportsSite;
beforeAll(async () => {
  // No worker of the service itself: the test delivers.
  site = await startImports({ ROLE: 'api' });
});
afterAll(() => site.stop());

const log = createLog('once', 'test', 'silent');
const { signal } = new AbortController();

const BATCHES = 6;

async function accepted(): Promise<{ importId: string; row: number; job: number }> {
  const { db } = site.deps;
  const registered = await registerImport({ db }, {});
  const { importId } = registered;
  await sendBatches(site, registered, BATCHES);
  const row = Number((await site.row(importId)).id);
  const promised = await db.rows<{ id: number }>(
    `select id from outbox where name = $1 and payload->>'import' = $2 and done_at is null`,
    [applyBatches.name, String(row)],
  );
  expect(promised).toHaveLength(1);
  return { importId, row, job: (promised[0] as { id: number }).id };
}

/** Keys of the import's batches as the calendar got them, each time that it got them. */
const delivered = (importId: string): string[] =>
  site.calendar.calls
    .flatMap(({ batches }) => batches.map(({ key }) => key))
    .filter((key) => key.startsWith(`${importId}/`));
const keysOf = (importId: string): string[] =>
  Array.from({ length: BATCHES }, (_, index) => `${importId}/${index + 1}`);

const deliver = (job: number): Promise<void> =>
  runJob({ db: site.deps.db, deps: site.deps, log }, applyBatches, job, signal);

const NOTED_ONCE = {
  accepted: BATCHES,
  applied: BATCHES,
  state: 'success',
  events_accepted: 2 * BATCHES,
  events_created: 2 * BATCHES,
  events_updated: 0,
  events_skipped: 0,
};

test('one delivery brings each batch to the calendar once', async () => {
  const { importId, job } = await accepted();
  await deliver(job);
  expect(delivered(importId)).toEqual(keysOf(importId));
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  await deliver(job);
  expect(delivered(importId)).toEqual(keysOf(importId));
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
});

test('of two deliveries at once, both of which the calendar answered, one is noted', async () => {
  const { importId, job, row } = await accepted();
  const { answer } = site.calendar;
  let waiting = 0;
  let open!: () => void;
  const both = new Promise<void>((resolve) => (open = resolve));
  site.calendar.answer = async (request) => {
    waiting += 1;
    if (waiting === 2) open();
    await both;
    return answer(request);
  };
  // The turn of a process lets one through at a time; these two are of two processes.
  const turn: typeof site.deps.turn = (work) => work();
  const call = {
    deps: { ...site.deps, turn },
    payload: { import: row },
    log,
    id: job,
    attempt: 1,
    failures: 0,
    signal,
  };
  try {
    await Promise.all([applyBatches.prepare?.(call), applyBatches.prepare?.(call)]);
  } finally {
    site.calendar.answer = answer;
  }
  // The calendar was asked twice: it knows a batch by its key.
  expect(delivered(importId).sort()).toEqual([...keysOf(importId), ...keysOf(importId)].sort());
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
  const batches = await site.deps.db.rows<{ state: string; created: number; payload: string | null }>(
    'select state, created, payload from batches where import = $1 order by number',
    [row],
  );
  expect(batches).toEqual(
    Array.from({ length: BATCHES }, () => ({ state: 'applied', created: 2, payload: null })),
  );
});

test('a late answer for batches that were noted meanwhile notes only what is new', async () => {
  const { importId, job, row } = await accepted();
  const { answer } = site.calendar;
  let first = true;
  site.calendar.answer = async (request) => {
    if (first) {
      first = false;
      // While this one waits, another process does all of the work.
      await deliver(job);
    }
    return answer(request);
  };
  const turn: typeof site.deps.turn = (work) => work();
  try {
    await applyBatches.prepare?.({
      deps: { ...site.deps, turn },
      payload: { import: row },
      log,
      id: job,
      attempt: 2,
      failures: 0,
      signal,
    });
  } finally {
    site.calendar.answer = answer;
  }
  expect(await site.row(importId)).toMatchObject(NOTED_ONCE);
});
