/** What opens transactions of its own takes part in one that is open. */
import type { Database, Db } from '@sevenfold/chassis/db/sql';

export const within = (tx: Db): Db & Pick<Database, 'transaction'> => ({
  ...tx,
  transaction: (work) => work(tx),
});
