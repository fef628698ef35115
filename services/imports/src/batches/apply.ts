/**
 * Brings the batches of an import into the calendar, in order. One job is open for an import as long as batches wait;
 * it takes several at once, since the calendar writes them set-based. Running it twice at the same time, or again after
 * a crash at any point, does no harm: the calendar knows every batch by its key and answers as it did the first time,
 * and a batch is marked applied only when it is the next one.
 */
import { ApiError, toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import type { Deps } from '../deps';
import { noteEffects } from '../imports/metrics';
import { announceEnd } from '../imports/announce';
import * as imports from '../imports/store';
import { activityOf } from './activity';
import { APPLY, QUEUE, queueWork } from './queue';
import * as store from './store';

type Call = Omit<JobCall<Deps, { import: number }>, 'tx'>;

// Enough to make statements worth their while, small enough for one message and a short transaction.
export const GROUP: store.GroupLimits = { batches: 40, events: 1000, bytes: 8 * 1024 * 1024 };
// After this long the job makes way for other imports; it is promised again if batches still wait.
const SLICE_MS = 10_000;
const DEADLINE_MS = 90_000;
const LONGEST_PAUSE_SECONDS = 10;

export const applyBatches: Job<Deps> = job<Deps, { import: number }>({
  queue: QUEUE,
  name: APPLY,
  prepare: drain,
  handle: async ({ tx, payload }) => {
    const row = await imports.lockById(tx, payload.import);
    if (!row) return;
    if (row.accepted > row.applied && row.work !== 'blocked') await queueWork(tx, row.id);
    else if (row.work === 'queued') await imports.setWork(tx, row.id, 'idle');
  },
  failed: async ({ tx, payload }, error) => {
    await store.markFailed(tx, payload.import, error.message);
    await imports.notify(tx, payload.import);
  },
});

async function drain(call: Call): Promise<undefined> {
  const until = Date.now() + SLICE_MS;
  // A group that failed goes again one by one, so that the reason stays with the batch that has it. Waiting is no failure.
  const most = call.failures > 0 ? { ...GROUP, batches: 1 } : GROUP;
  try {
    while (!call.signal.aborted && Date.now() < until) if (!(await applyNext(call, most))) break;
  } catch (error) {
    throw later(error, call.attempt);
  }
  return undefined;
}

/** False when none waits. */
async function applyNext(call: Call, most: store.GroupLimits): Promise<boolean> {
  const { db, calendar, turn } = call.deps;
  const row = await imports.findById(db, call.payload.import);
  if (!row) return false;
  const group = await store.nextInLine(db, row.id, most);
  if (group.length === 0) return false;
  const request = {
    importId: row.importId,
    origin: row.origin,
    defaultStatus: row.defaultStatus,
    owner: row.owner,
    authority: row.authority,
    batches: group.map((batch) => ({ key: `${row.importId}/${batch.number}`, eventsJson: batch.payload })),
  };
  const answer = await turn(() =>
    calendar.applyBatches(request, { deadlineMs: DEADLINE_MS, signal: call.signal, repeatable: true }),
  );
  if (answer.batches.length !== group.length)
    throw new Error(`the calendar answered ${answer.batches.length} of ${group.length} batches`);
  await note(
    call.deps,
    row.id,
    group.map((batch, index) => ({ number: batch.number, result: answer.batches[index] as AppliedBatch })),
  );
  return true;
}

async function note(
  deps: Deps,
  importRow: number,
  results: readonly { number: number; result: AppliedBatch }[],
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
    await announceEnd(tx, row);
    await imports.notify(tx, importRow);
    return waited;
  });
  noteEffects(ages);
}

/** Another service or the database being away is no fault of a batch: the job waits, however long it takes. */
function later(error: unknown, attempt: number): Error {
  const known = toApiError(error);
  if (!isOutage(known)) return error instanceof ApiError || !(error instanceof Error) ? known : error;
  return new TryLater(
    known.message,
    Math.min(0.25 * 2 ** Math.min(attempt, 10), LONGEST_PAUSE_SECONDS),
    error,
  );
}
