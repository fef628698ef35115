/**
 * Takes a batch: kept in one transaction with the promise of its work and the hash that follows, and only then
 * answered. A repeat of the last one (the sender missed the answer) gets the same answer and has no second effect.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { payloadTooLarge } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import type { ShownActivity } from '../batches/kinds';
import { queueWork } from '../batches/queue';
import * as batches from '../batches/store';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { checked, newHash } from '../imports/actions';
import { mayManage } from '../imports/policy';
import * as imports from '../imports/store';
import { canonical, digestOf, sameSecret } from './digest';
import type { batchArgs } from './schema';
import { isLast, readProgress, toEvents } from './shapes';

export type BatchArgs = ArgsOf<typeof batchArgs>;

/** Below what goes into one message (chassis/grpc/serve.ts). */
const MOST_PAYLOAD = 15 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

export interface BatchAnswer {
  readonly status: 'success';
  readonly activity: ShownActivity;
  readonly interval: number;
  /** Absent after the last batch. */
  readonly next_batch_hash?: string;
}

interface Taken {
  readonly row: imports.ImportRow;
  readonly batch: batches.AcceptedBatch;
}

export async function acceptBatch(deps: Deps, actor: Actor, args: BatchArgs): Promise<BatchAnswer> {
  const seen = await expecting(deps, actor, args);
  const events = toEvents(args.events) as unknown[];
  // A batch is written down once, for its digest and to be kept.
  const payload = canonical(events);
  // `1e20` is written down as twenty-one digits: what fits into no message to the calendar would hold up its import for good.
  if (Buffer.byteLength(payload) > MOST_PAYLOAD) throw payloadTooLarge(MOST_PAYLOAD);
  const digest = digestOf(
    canonical(args.status),
    canonical(args.percentage_complete),
    canonical(args.interval ?? null),
    payload,
  );
  const next = (row: imports.ImportRow): batches.NewBatch =>
    batchAfter(row, args, payload, events.length, digest);
  const { row, batch } =
    (seen && (await keepAsSeen(deps.db, seen, next(seen)))) ??
    (await deps.db.transaction(async (tx) => {
      const row = await findOrRegister(tx, deps, actor, args);
      const last = await lastUnder(tx, row, args.batch_hash);
      if (!last) return keep(tx, row, next(row));
      if (!last.digest.equals(digest)) throw errors.batchConflict();
      return { row, batch: last };
    }));
  const activity = await deps.activities.upTo(deps.db, row.id, batch.shownApplied, batch.shownAttachments);
  const answer = { status: 'success', activity, interval: row.interval } as const;
  return batch.nextHash === null ? answer : { ...answer, next_batch_hash: batch.nextHash };
}

/**
 * Before megabytes are written down for a stranger who has no hash, or of what has no room. Answers the import where this is its
 * next batch, as far as is known: it is looked at again when nobody else can change it. How much waits is not, since each batch
 * has to wait for the answer to the one before.
 */
async function expecting(
  { db, config }: Deps,
  actor: Actor,
  args: BatchArgs,
): Promise<imports.ImportRow | undefined> {
  const found = await imports.find(db, args.import_id);
  if (!found && !mayManage(actor)) throw errors.notWaiting();
  if (!found || (await lastUnder(db, found, args.batch_hash))) return undefined;
  const { IMPORT_WAITING_MEGABYTES: most } = config;
  // Version 0.1.0 lowers no sum: where nothing waits it says nothing.
  const isBehind = found.accepted > found.applied;
  if (most > 0 && isBehind && found.waitingBytes >= most * MEGABYTE) throw errors.backlogFull();
  return found;
}

/** The last batch, where the hash is that of it; undefined for the hash that is expected. Others are refused. */
async function lastUnder(
  db: Db,
  row: imports.ImportRow,
  hash: string,
): Promise<batches.AcceptedBatch | undefined> {
  if (row.expectedHash !== null && sameSecret(hash, row.expectedHash)) return undefined;
  const last = row.accepted > 0 ? await batches.find(db, row.id, row.accepted) : undefined;
  if (last && sameSecret(hash, last.hash)) return last;
  throw row.expectedHash === null ? errors.notWaiting() : errors.wrongHash();
}

/** The first batch under an unknown name registers the import, if its sender may manage imports. */
async function findOrRegister(tx: Db, deps: Deps, actor: Actor, args: BatchArgs): Promise<imports.ImportRow> {
  const found = await imports.lock(tx, args.import_id);
  if (found) return found;
  if (!mayManage(actor)) throw errors.notWaiting();
  const wanted = checked({
    importId: args.import_id,
    origin: args.origin,
    defaultStatus: args.default_status,
    owner: actor.id,
    authority: args.authority,
  });
  await imports.insert(tx, {
    ...wanted,
    interval: deps.config.IMPORT_INTERVAL,
    expectedHash: args.batch_hash,
  });
  // Two first batches at once: the second one waits here and then finds the first.
  return (await imports.lock(tx, args.import_id)) as imports.ImportRow;
}

/** What most batches need: the import is as it was seen, and worked on already. */
async function keepAsSeen(
  db: Db,
  row: imports.ImportRow,
  batch: batches.NewBatch,
): Promise<Taken | undefined> {
  // Nothing would come of sending megabytes there and back.
  if (row.work === 'idle') return undefined;
  return (await batches.accept(db, row.id, batch)) ? { row, batch } : undefined;
}

async function keep(tx: Db, row: imports.ImportRow, batch: batches.NewBatch): Promise<Taken> {
  if (row.work === 'idle') await queueWork(tx, row.id);
  if (!(await batches.accept(tx, row.id, batch))) throw new Error(`batch ${batch.number} was not kept`);
  return { row, batch };
}

function batchAfter(
  row: imports.ImportRow,
  args: BatchArgs,
  payload: string,
  events: number,
  digest: Buffer,
): batches.NewBatch {
  const { batchesDone, ...progress } = readProgress(args.status);
  return {
    number: row.accepted + 1,
    hash: args.batch_hash,
    digest,
    payload,
    events,
    shownApplied: row.applied,
    shownAttachments: row.attachments,
    nextHash: isLast({ ...progress, batchesDone }) ? null : newHash(),
    percentage: args.percentage_complete,
    ...progress,
  };
}
