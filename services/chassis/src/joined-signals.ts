/**
 * Work that ends with any of several signals. Not by `AbortSignal.any`: on Node 20 each call leaves an entry with the signals that it joins,
 * for as long as they live, and that of a process's stop lives as long as the process.
 */
import { setMaxListeners } from 'node:events';

interface Joined {
  /** Aborts with the first of them, for its reason. */
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Must be called when the work is over: nothing of it stays with the signals. */
  leave(): void;
}

export function joined(signals: readonly (AbortSignal | undefined)[]): Joined {
  const own = new AbortController();
  const leaves = signals.map((signal) => signal && follow(signal, own));
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    leave: () => leaves.forEach((leave) => leave?.()),
  };
}

function follow(signal: AbortSignal, own: AbortController): () => void {
  const end = (): void => own.abort(signal.reason);
  // However many follow it at once, each leaves: there is nothing to warn of.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  return () => signal.removeEventListener('abort', end);
}

/** What `open` gives for as long as none of them has aborted. */
export async function* untilAny<T>(
  signals: readonly (AbortSignal | undefined)[],
  open: (over: AbortSignal) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const over = joined(signals);
  try {
    yield* open(over.signal);
  } finally {
    over.leave();
  }
}
