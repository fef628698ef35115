/**
 * Work on so many rows that one transaction would keep others waiting for what it holds: of few it is done at once, of many a job
 * does it in pieces. A row of a table of its own says what is still to be done, so that a sweep takes up what a job left.
 */
import { enqueue } from '../db/outbox';
import type { Database, Db } from '../db/sql';
import { type Job, TryLater, job } from './jobs';
import type { Sweep } from './sweeps';

/** Of each part, at once and in a piece: what takes a few milliseconds each keeps nobody waiting for long. */
export const MOST_AT_ONCE = 100;

/** What is to be done, in parts that are done one after the other; what is done with a row takes it out of its part. */
export interface Work<P> {
  readonly parts: readonly P[];
  /** Ids of rows of a part; `end` is the end of the query, in SQL. */
  readonly find: (part: P, end: string) => Promise<number[]>;
  /** Of these, which are locked; at least one. */
  readonly change: (part: P, ids: readonly number[]) => Promise<void>;
  /** What has to be locked before rows of a part are. */
  readonly lock?: (part: P) => Promise<void>;
}

/** Whether it is more than is done at once. */
export async function isMuch<P>({ parts, find }: Pick<Work<P>, 'parts' | 'find'>): Promise<boolean> {
  for (const part of parts)
    if ((await find(part, `limit ${MOST_AT_ONCE + 1}`)).length > MOST_AT_ONCE) return true;
  return false;
}

/** All of it. Waits for whoever holds any of it. */
export async function doAll<P>({ parts, find, change, lock }: Work<P>): Promise<void> {
  for (const part of parts) {
    await lock?.(part);
    const ids = await find(part, 'order by id for update');
    if (ids.length > 0) await change(part, ids);
  }
}

export type Left = 'more' | 'held by others' | 'nothing';

/** A piece of what nobody else holds. Answers what is left after it. */
async function doPiece<P>({ parts, find, change, lock }: Work<P>): Promise<Left> {
  let left: Left = 'nothing';
  for (const part of parts) {
    if ((await find(part, 'limit 1')).length === 0) continue;
    await lock?.(part);
    const ids = await find(part, `limit ${MOST_AT_ONCE} for update skip locked`);
    if (ids.length > 0) {
      await change(part, ids);
      return 'more';
    }
    left = 'held by others';
  }
  return left;
}

/** What another holds is free within moments. */
const PAUSE_SECONDS = 2;

export interface PiecesOptions<D, N extends string, R, P> {
  readonly queue: string;
  /** Of the job; verb first. */
  readonly name: string;
  /** Has a row for each such work, with `taken_at`: when its last piece was taken. */
  readonly table: string;
  /** Its columns by the names that they have in the payload of the job: together its key. */
  readonly key: Readonly<Record<N, string>>;
  /** Select list of the row. */
  readonly columns: string;
  readonly workOf: (row: R, deps: D, tx: Db) => Work<P> | Promise<Work<P>>;
}

type Key<N extends string> = Readonly<Record<N, string | number>>;

export interface Pieces<D, N extends string> {
  /** To be called in the transaction that has put the row there. */
  readonly begin: (tx: Db, key: Key<N>) => Promise<unknown>;
  readonly job: Job<D>;
  /** Takes up what was left where a job failed for the last time. */
  readonly sweep: Sweep<D>;
}

export function inPieces<D extends { readonly db: Database }, N extends string, R extends object, P>({
  queue,
  name,
  table,
  key,
  columns,
  workOf,
}: PiecesOptions<D, N, R, P>): Pieces<D, N> {
  const names = Object.keys(key) as N[];
  const its = names.map((one, index) => `${key[one]} = $${index + 1}`).join(' and ');
  const payload = names.map((one) => `${key[one]} as "${one}"`).join(', ');
  const begin = (tx: Db, of: Key<N>): Promise<number> => enqueue(tx, queue, name, of);
  return {
    begin,
    job: job<D, Key<N>>({
      queue,
      name,
      handle: async ({ deps, tx, payload: of }) => {
        const values = names.map((one) => of[one]);
        const row = await tx.first<R>(
          `update ${table} set taken_at = now() where ${its} returning ${columns}`,
          values,
        );
        if (!row) return;
        const left = await doPiece(await workOf(row, deps, tx));
        if (left === 'held by others') throw new TryLater('Others hold what is left.', PAUSE_SECONDS);
        if (left === 'more') await begin(tx, of);
        else await tx.run(`delete from ${table} where ${its}`, values);
      },
    }),
    sweep: {
      name: table.replaceAll('_', '-'),
      everySeconds: 600,
      run: ({ db }) =>
        db.transaction(async (tx) => {
          const forgotten = await tx.rows<Key<N>>(
            `update ${table} set taken_at = now() where taken_at < now() - interval '1 hour' returning ${payload}`,
          );
          for (const one of forgotten) await begin(tx, one);
        }),
    },
  };
}
