/**
 * Rows whose time is over, taken away in pieces: one statement for all of them would be cut off where they have become many, and
 * from then on each time. What somebody is at is left for the next time.
 */
import type { Db } from './sql';

/** Some tens of milliseconds. */
export const PIECE = 5_000;

export interface OldRows {
  readonly table: string;
  /** SQL of what is old. */
  readonly old: string;
  /** SQL of an order that an index has, the oldest first. */
  readonly by: string;
  /** How many at once, where others go with each: PIECE otherwise. */
  readonly piece?: number;
}

/** Answers how many are gone; as many as a piece has: there may be more. */
export const deletePiece = (
  db: Db,
  { table, old, by, piece = PIECE }: OldRows,
  values: readonly unknown[] = [],
): Promise<number> =>
  db.run(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${old} order by ${by} limit ${piece} for update skip locked))`,
    values,
  );

export async function deleteOld(db: Db, rows: OldRows, values: readonly unknown[] = []): Promise<number> {
  const whole = rows.piece ?? PIECE;
  let gone = 0;
  for (let taken = whole; taken === whole; gone += taken) taken = await deletePiece(db, rows, values);
  return gone;
}
