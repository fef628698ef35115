/**
 * Waiting for a state instead of a time. The limit is that of the test which waits; it ends with that test, since a loop
 * that went on after a failure would keep the whole run from ending.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 10;

let over = 0;
const end = (): void => void (over += 1);
afterEach(end);
afterAll(end);

/** Asks until there is an answer that is neither undefined nor false, and gives it back. */
export async function until<T>(ask: () => T | Promise<T>): Promise<Exclude<T, false | undefined>> {
  const begun = over;
  while (begun === over) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, false | undefined>;
    await sleep(PAUSE_MS);
  }
  throw new Error('the test was over before what it waited for');
}
