/** Which object here stands for which object of the other site. */
import type { Db } from '@sevenfold/chassis/db/sql';

export type Kind = 'post' | 'comment';

export async function findImported(
  db: Db,
  site: string,
  kind: Kind,
  foreignId: string,
): Promise<number | undefined> {
  const row = await db.first<{ id: number }>(
    'select id from imported_objects where site = $1 and kind = $2 and foreign_id = $3',
    [site, kind, foreignId],
  );
  return row?.id;
}

export async function noteImported(
  tx: Db,
  site: string,
  kind: Kind,
  foreignId: string,
  id: number,
): Promise<void> {
  await tx.run(
    `insert into imported_objects (site, kind, foreign_id, id) values ($1, $2, $3, $4)
     on conflict (site, kind, foreign_id) do update set id = excluded.id`,
    [site, kind, foreignId, id],
  );
}
