/**
 * Work of requests that may hold a connection for long, such as a transaction: so much of it at once that some connections are left to
 * all else, and that of different people takes turns. One account that saves a long text again and again, or has many writes wait for a
 * row of its own, would keep everybody else waiting for a connection.
 */
import { waitedFor } from '../request-id';
import { openTurn } from '../turn';
import { leftOf, pastItsTurn } from './connect';

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Who has waited for `mostMs` in all is told to come again. What no request waits for, such as a job, has turns of its own. */
export function openInTurn(atOnce: number, mostMs: number): InTurn {
  const turn = openTurn(atOnce);
  return <T>(work: () => Promise<T>): Promise<T> => {
    const waiting = waitedFor();
    if (!waiting) return work();
    const { asker, forMs } = waiting;
    return new Promise((resolve, reject) => {
      let hasWaited = false;
      let isLate = false;
      const giveUp = (): void => {
        isLate = true;
        reject(pastItsTurn());
      };
      const timer = setTimeout(giveUp, leftOf(mostMs, forMs));
      const begin = (): Promise<T> => {
        clearTimeout(timer);
        // For whoever has left meanwhile nothing is begun; what has to be cleared away after him need not wait.
        return isLate || (hasWaited && asker.isGone()) ? Promise.reject(pastItsTurn()) : work();
      };
      turn(begin, { of: asker.who }).then(resolve, reject);
      hasWaited = true;
    });
  };
}
