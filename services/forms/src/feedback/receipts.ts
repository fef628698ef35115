/** Rows of receipts: what was taken already. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';

export const removeExpired = (db: Db): Promise<number> =>
  deleteOld(db, { table: 'receipts', old: 'expires_at < now()', by: 'expires_at' });
