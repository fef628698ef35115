/** What is noted of a site that moved in, for whoever looks whether all of it did. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Kind } from './identities';

/** Of a type, as notes call it: post, page, event, category … */
export const countNoted = async (db: Db, site: string, type: string): Promise<number> =>
  (
    await db.first<{ n: number }>(
      'select count(*) as n from imported_objects where site = $1 and type = $2',
      [site, type],
    )
  )?.n ?? 0;

export interface Noted {
  readonly foreignId: string;
  readonly id: number;
}

/** Some of them, each time others. */
export const sampleNoted = (db: Db, site: string, type: string, most: number): Promise<Noted[]> =>
  db.rows<Noted>(
    `select foreign_id as "foreignId", id from imported_objects where site = $1 and type = $2 order by random() limit $3`,
    [site, type, most],
  );

/** Numbers here by those there, as far as they are noted. */
export async function numbersOf(
  db: Db,
  site: string,
  kind: Kind,
  foreignIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows<Noted>(
    `select foreign_id as "foreignId", id from imported_objects where site = $1 and kind = $2 and foreign_id = any($3::text[])`,
    [site, kind, foreignIds],
  );
  return new Map(rows.map(({ foreignId, id }) => [foreignId, id]));
}
