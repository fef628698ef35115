/** Rows of receipts: what was taken already. */
import type { Db } from '@sevenfold/chassis/db/sql';

/** So that one statement never holds up others for long. */
const MOST_AT_ONCE = 10_000;

export async function removeExpired(db: Db): Promise<void> {
  const remove = (): Promise<number> =>
    db.run(`delete from receipts where key in (select key from receipts where expires_at < now() limit $1)`, [
      MOST_AT_ONCE,
    ]);
  while ((await remove()) === MOST_AT_ONCE);
}
