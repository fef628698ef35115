import type { Database } from '../db/sql';

/**
 * What a list with `search` brings to be tested by test/src/rules/searches.test.ts: `testing/searched.ts` in the folder of
 * its resource exports `searched`, by the names of its lists.
 */
export interface Searched {
  readonly table: string;
  /** Inserts rows $1 to $2 whose searched text is `needle`, and $3. */
  readonly insert: string;
  readonly query?: string;
}

export const rows = `from generate_series($1::int, $2::int) as n`;
export const moment = `timestamp '2020-01-01' + n * interval '1 minute'`;
/** Four of them: of publication and of the last change, local and in UTC. */
export const dates = `${moment}, ${moment}, ${moment}, ${moment}`;

/** What PostgreSQL believes of a table is all that makes it large; it would learn better by itself, a minute after the rows came. */
export async function believed(db: Database, table: string, count: number): Promise<void> {
  await db.run(`alter table ${table} set (autovacuum_enabled = false)`);
  await db.run('update pg_class set reltuples = $2 where oid = $1::regclass', [table, count]);
}
