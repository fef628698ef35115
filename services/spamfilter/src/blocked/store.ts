/** The list of what the site blocks. A write tells every process (cache.ts listens). */
import type { Db } from '@sevenfold/chassis/db/sql';

export const fields = ['any', 'content', 'name', 'mail', 'url', 'address', 'agent'] as const;
export type Field = (typeof fields)[number];

export interface Blocked {
  readonly id: number;
  readonly field: Field;
  /** Folded text; of addresses the canonical network. */
  readonly pattern: string;
  readonly note: string;
}

/** Entries that a check goes through; more would be felt. */
export const MOST_BLOCKED = 2_000;

export const list = (db: Db): Promise<Blocked[]> =>
  db.rows<Blocked>(
    `select id, field, pattern, note from blocked order by field, pattern limit ${MOST_BLOCKED}`,
  );

/** Undefined where the list is full; the known entry where it is there already. */
export async function insert(
  tx: Db,
  { field, pattern, note }: Omit<Blocked, 'id'>,
): Promise<Blocked | undefined> {
  // One after the other: two at once could both be the last that there is room for.
  await tx.run('lock table blocked in share row exclusive mode');
  const row = await tx.first<Blocked>(
    `insert into blocked (field, pattern, note)
     select $1, $2, $3 where (select count(*) from blocked) < ${MOST_BLOCKED}
       or exists (select from blocked where field = $1 and pattern = $2)
     on conflict on constraint blocked_once do update set note = excluded.note
     returning id, field, pattern, note`,
    [field, pattern, note],
  );
  await tx.first(`select pg_notify('blocked', '')`);
  return row;
}

export async function remove(tx: Db, id: number): Promise<boolean> {
  const removed = await tx.run('delete from blocked where id = $1', [id]);
  await tx.first(`select pg_notify('blocked', '')`);
  return removed > 0;
}
