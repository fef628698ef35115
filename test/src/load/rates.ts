/** How often something is done in a while, by several at a time. */
import { median } from './measure';

export interface Rates {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

/** `work` is told how many were begun before it; one that rejects is a failure, and does not count. */
export async function rateOf(
  atOnce: number,
  seconds: number,
  work: (at: number) => Promise<unknown>,
): Promise<Rates> {
  const times: number[] = [];
  let [begun, failures] = [0, 0];
  const started = performance.now();
  const end = started + seconds * 1000;
  const go = async (): Promise<void> => {
    while (performance.now() < end) {
      const before = performance.now();
      await work(begun++)
        .then(() => times.push(performance.now() - before))
        .catch(() => failures++);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, go));
  const sorted = times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / (performance.now() - started),
    p50: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    failures,
  };
}
