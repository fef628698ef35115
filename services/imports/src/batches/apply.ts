/**
 * Brings the batches of an import into the calendar, in order. One job is open for an import as long as batches wait;
 * it takes several at once, since the calendar writes them set-based. Running it twice at the same time, or again after
 * a crash at any point, does no harm: the calendar knows every batch by its key and answers as it did the first time,
 * and a batch is marked applied only when it is the next one.
 */
import { ApiError, toApiError } from '@sevenfold/chassis/errors';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import { laterAfter } from '@sevenfold/chassis/queue/or-later';
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Deps } from '../deps';
import { noteEffects } from '../imports/metrics';
import { announceEnd } from '../imports/announce';
import * as imports from '../imports/store';
import { activityOf } from './activity';
import * as faults from './faults';
import { APPLY, QUEUE, type Work, queueWork } from './queue';
import * as store from './store';

type Call = Omit<JobCall<Deps, Work>, 'tx'>;

// Enough to make statements worth their while, small enough for one message and a short transaction.
export const GROUP: store.GroupLimits = { batches: 40, events: 1000, bytes: 8 * 1024 * 1024 };
// Whoever still sends waits for acknowledgements, which a second group would take the machine from. What is all there may be two.
export const PLACES_OF_A_GROUP = 2;
const PLACES_OF_WHAT_IS_THERE = 1;
// After this long the job makes way for other imports; it is promised again if batches still wait.
const SLICE_MS = 10_000;
const DEADLINE_MS = 90_000;
const LONGEST_PAUSE_SECONDS = 10;
// What takes too long is tried again with this part of it; a single batch so often, after such pauses, before that is its fault.
const SMALLER = 4;
const SLOW_TRIES = 20;
const SLOW_PAUSE_SECONDS = 30;

export const applyBatches: Job<Deps> = job<Deps, Work, number>({
  queue: QUEUE,
  name: APPLY,
  prepare: drain,
  handle: async ({ tx, payload }, most) => {
    const row = await imports.lockById(tx, payload.import);
    if (!row) return;
    // What the calendar managed this time it may manage twice of.
    const next = most < GROUP.batches ? 2 * most : undefined;
    if (row.accepted > row.applied && row.work !== 'blocked') await queueWork(tx, row.id, next);
    else if (row.work === 'queued') await imports.setWork(tx, row.id, 'idle');
  },
  failed: async ({ tx, payload }, error) => {
    // A batch that is being kept is there once the row is ours: marked as failed, or nobody could put it back to work.
    if (!(await imports.lockById(tx, payload.import))) return;
    await store.markFailed(tx, payload.import, error.message);
    await imports.notify(tx, payload.import);
  },
  // Where nothing holds the import up any more there is nothing to take back: the job finds what waits, or nothing.
  reopen: async ({ tx, payload }) => {
    const row = await imports.lockById(tx, payload.import);
    if (row?.work !== 'blocked') return undefined;
    await store.unfail(tx, row.id, row.applied + 1);
    await imports.setWork(tx, row.id, 'queued');
    await imports.notify(tx, row.id);
    return undefined;
  },
});

/** Answers how many batches at once the calendar managed. */
async function drain(call: Call): Promise<number> {
  // A group that failed goes again one by one, so that the reason stays with the batch that has it. Waiting is no failure.
  let most = call.failures > 0 ? 1 : Math.min(call.payload.batches ?? GROUP.batches, GROUP.batches);
  let until = Date.now() + SLICE_MS;
  while (!call.signal.aborted && Date.now() < until) {
    const group = await nextGroup(call, most);
    if (group.length === 0) break;
    try {
      await apply(call, group);
    } catch (error) {
      if (!tookTooLong(error)) throw later(error, call.attempt);
      if (group.length === 1) throw await slow(call, error);
      most = Math.ceil(group.length / SMALLER);
      until = Date.now() + SLICE_MS;
    }
  }
  return most;
}

/** The calendar is there, and stopped a statement of its own: the same group would take as long again. */
const tookTooLong = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'upstream_timeout';

const nextGroup = async (
  { deps: { db }, payload, attempt }: Call,
  batches: number,
): Promise<store.WaitingBatch[]> => {
  try {
    return await store.nextInLine(db, payload.import, { ...GROUP, batches });
  } catch (error) {
    throw later(error, attempt);
  }
};

async function apply(call: Call, group: readonly store.WaitingBatch[]): Promise<void> {
  const { db, calendar, turn } = call.deps;
  const row = await imports.findById(db, call.payload.import);
  if (!row) return;
  const request = {
    importId: row.importId,
    origin: row.origin,
    defaultStatus: row.defaultStatus,
    owner: row.owner,
    authority: row.authority,
    batches: group.map((batch) => ({ key: `${row.importId}/${batch.number}`, eventsJson: batch.payload })),
  };
  const answer = await turn(
    () => calendar.applyBatches(request, { deadlineMs: DEADLINE_MS, signal: call.signal, repeatable: true }),
    { places: row.lastNumber === null ? PLACES_OF_A_GROUP : PLACES_OF_WHAT_IS_THERE },
  );
  if (answer.batches.length !== group.length)
    throw new Error(`the calendar answered ${answer.batches.length} of ${group.length} batches`);
  await note(
    call.deps,
    row.id,
    group.map(({ number, payload }, index) => ({
      number,
      bytes: Buffer.byteLength(payload),
      result: answer.batches[index] as AppliedBatch,
    })),
  );
}

async function note(
  deps: Deps,
  importRow: number,
  results: readonly { number: number; bytes: number; result: AppliedBatch }[],
): Promise<void> {
  const ages = await deps.db.transaction(async (tx) => {
    const row = await imports.lockById(tx, importRow);
    // A second delivery of the job may have noted some of them already.
    const news = results.filter(({ number }) => row && number > row.applied);
    if (!row || news.length === 0) return [];
    const waited = await store.markApplied(
      tx,
      importRow,
      news.map((one) => ({ ...one, activity: activityOf(one.result) })),
    );
    await faults.keep(tx, importRow, news);
    // Another delivery has failed for good with what this one has brought through: nothing holds up those behind it.
    if (row.work === 'blocked') await queueWork(tx, importRow);
    await announceEnd(tx, row);
    await imports.notify(tx, importRow);
    return waited;
  });
  noteEffects(ages);
}

/** Another service or the database being away is no fault of a batch: the job waits, however long it takes. */
function later(error: unknown, attempt: number): Error {
  return (
    laterAfter(error, doubledSeconds(attempt, 0.25, LONGEST_PAUSE_SECONDS)) ??
    (error instanceof Error ? error : toApiError(error))
  );
}

/** That a batch by itself takes the calendar too long may be a busy disk; in the end it is the batch. */
async function slow({ deps, payload, attempt }: Call, error: ApiError): Promise<Error> {
  try {
    const tries = await store.noteSlow(deps.db, payload.import);
    return tries > SLOW_TRIES ? error : new TryLater(error.message, SLOW_PAUSE_SECONDS, error);
  } catch (fault) {
    return later(fault, attempt);
  }
}
