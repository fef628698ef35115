/**
 * Work that ends with its time, or before it when nobody wants it any more. Not by a time limit among joined signals: of those that
 * `AbortSignal.any` joins Node 20 keeps none alive, so a limit that nobody else holds is gone with the next collection of garbage, and
 * what it should have ended goes on.
 */
import { joined } from './joined-signals';

/** Aborts with a `TimeoutError` when the time is over, with the reason of `given` when that aborts. */
export async function limited<T>(
  ms: number,
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = joined([given]);
  const timer = setTimeout(
    () => ending.abort(new DOMException('The time is over', 'TimeoutError')),
    ms,
  ).unref();
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    ending.leave();
  }
}
