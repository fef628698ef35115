/** What is kept of the single batches of imports of which nothing was heard for long. Their totals stay. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Database, Db } from '@sevenfold/chassis/db/sql';

/** The rest is for the next time. */
const MOST_IMPORTS = 500;

const OLD = `state <> 'pending' and (cleared_at is null or cleared_at < heard_at) and heard_at < now() - make_interval(days => $1)`;

/** A batch that could not be applied was accepted all the same: it stays for whoever puts it back to work. */
async function clear(tx: Db, id: number, days: number): Promise<void> {
  const found = await tx.first(`select id from imports where ${OLD} and id = $2 for update`, [days, id]);
  if (!found) return;
  await deleteOld(tx, { table: 'batches', old: `import = $1 and state = 'applied'`, by: 'number' }, [id]);
  await deleteOld(tx, { table: 'faults', old: 'import = $1', by: 'id' }, [id]);
  await tx.run('update imports set cleared_at = now() where id = $1', [id]);
}

export async function clearOld(db: Database, days: number): Promise<void> {
  const found = await db.rows<{ id: number }>(
    `select id from imports where ${OLD} order by heard_at limit ${MOST_IMPORTS}`,
    [days],
  );
  for (const { id } of found) await db.transaction((tx) => clear(tx, id, days));
}
