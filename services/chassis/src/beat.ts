/**
 * The one clock for what a process says and looks at several times a second, while nothing happens, too. It strikes at moments that
 * all processes of a machine share: whoever wakes up for a sign of life finds those of the others there, and sleeps on. Waking up
 * is what costs.
 */
export const BEAT_MS = 300;

const calls = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

const strike = (): void => {
  timer = setTimeout(strike, untilNext(Date.now()));
  for (const call of [...calls]) call();
};

/** Milliseconds; after one that came a little early not a second one at once. */
export function untilNext(now: number): number {
  const rest = BEAT_MS - (now % BEAT_MS);
  return rest < BEAT_MS / 2 ? rest + BEAT_MS : rest;
}

/** Calls at each beat, until the function that is given back is called. */
export function onBeat(call: () => void): () => void {
  // Each registration is one of its own, also of the same function.
  const own = (): void => call();
  calls.add(own);
  timer ??= setTimeout(strike, untilNext(Date.now()));
  return () => {
    if (!calls.delete(own) || calls.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Resolves at the next beat, or when it is over. */
export const nextBeat = (over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      stop();
      over.removeEventListener('abort', end);
      resolve();
    };
    const stop = onBeat(end);
    over.addEventListener('abort', end);
    if (over.aborted) end();
  });
