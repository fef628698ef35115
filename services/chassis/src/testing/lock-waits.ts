/** Whether somebody has come to a lock: two writes meet where a test wants them to, however slow the machine is. */
import type { Db } from '../db/sql';
import { until } from './until';

/** How many statements in the database wait for what others have locked; `like` names some of them, as LIKE does. */
export async function lockWaits(db: Pick<Db, 'first'>, like = '%'): Promise<number> {
  const row = await db.first<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [like],
  );
  return row?.count ?? 0;
}

/** Resolves when one waits. */
export const untilLocked = async (db: Pick<Db, 'first'>, like?: string): Promise<void> => {
  await until(async () => (await lockWaits(db, like)) > 0);
};
