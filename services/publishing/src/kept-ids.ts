/**
 * Numbers that things keep when they move in from another site. Two services share one space of numbers: each draws new
 * ones of its own parity from its sequence, and each alone gives away those of its parity, to its own things and to
 * those of the other. A number is given away once, to one holder, and only below what the sequence will ever draw: so
 * nobody who makes something new can meet it.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';

/** Beyond this a foreign number is not kept: one odd number must not use up the sequence. */
const MOST_KEPT = 1_000_000_000;

export interface Claim {
  readonly id: number;
  /** Which thing of which site it is for, as text. */
  readonly holder: string;
}

export const isKeepable = (id: number): boolean => Number.isInteger(id) && id > 0 && id <= MOST_KEPT;

/**
 * From now on the sequence draws numbers above this one. The lock waits for transactions that drew numbers before, so that
 * afterwards their rows are there to be seen, and for nobody else.
 */
export async function raiseSequence(db: Database, sequence: string, above: number): Promise<void> {
  if (above <= 0) return;
  await db.transaction(async (tx) => {
    const step = await tx.first<{ step: number }>(
      'select seqincrement as step from pg_sequence where seqrelid = $1::regclass',
      [sequence],
    );
    await tx.run(`alter sequence ${sequence} increment by ${Number(step?.step)}`);
    await tx.run(
      `select setval($1::regclass, next + step * greatest(0, ceil(($2::numeric + 1 - next) / step))::bigint, false)
       from (select last_value + case when is_called then $3::bigint else 0 end as next, $3::bigint as step from ${sequence}) as now`,
      [sequence, Math.min(above, MOST_KEPT), Number(step?.step)],
    );
  });
}

/** Which of the tables has a row of this number. */
export async function isTaken(tx: Db, tables: readonly string[], id: number): Promise<boolean> {
  const some = tables.map((table) => `exists (select from ${table} where id = $1)`).join(' or ');
  return (await tx.first<{ taken: boolean }>(`select ${some} as taken`, [id]))?.taken === true;
}

/**
 * Gives away numbers of this service's parity; answers those that are the asker's now. Asking again with the same holder
 * answers the same.
 */
export async function claim(
  tx: Db,
  { sequence, tables }: { readonly sequence: string; readonly tables: readonly string[] },
  claims: readonly Claim[],
): Promise<number[]> {
  if (claims.length === 0) return [];
  const wanted = [claims.map(({ id }) => id), claims.map(({ holder }) => holder)];
  await tx.run(
    `insert into kept_ids (id, holder)
     select w.id, w.holder from unnest($1::bigint[], $2::text[]) as w (id, holder)
     where w.id < (select last_value + is_called::integer from ${sequence})
       and not (${tables.map((table) => `exists (select from ${table} t where t.id = w.id)`).join(' or ')})
     order by w.id
     on conflict (id) do nothing`,
    wanted,
  );
  const rows = await tx.rows<{ id: number }>(
    `select k.id from unnest($1::bigint[], $2::text[]) as w (id, holder) join kept_ids k on k.id = w.id and k.holder = w.holder`,
    wanted,
  );
  return rows.map(({ id }) => id);
}
