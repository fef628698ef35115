/** Requests that meet: each waits for what the one before it, or the test, has locked. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { lockWaits } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import type { ContentSite } from './service';

/**
 * Starts the requests one after the other while `hold` is held; each waits, or has ended, before the next one begins. `before`
 * runs when all of them wait, before what is held is given back.
 */
export async function whileHeld(
  { deps: { db } }: ContentSite,
  hold: (tx: Db) => Promise<unknown>,
  starts: readonly (() => Promise<Answer>)[],
  before: (tx: Db) => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  let ended = 0;
  await db.transaction(async (tx) => {
    await hold(tx);
    for (const start of starts) {
      answers.push(start().finally(() => ended++));
      await until(async () => (await lockWaits(db)) >= answers.length - ended);
    }
    await before(tx);
  });
  return Promise.all(answers);
}
