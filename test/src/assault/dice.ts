/** Chance that can be repeated: the same seed throws the same numbers, so that a run that found a fault can be run again. */

export interface Dice {
  /** At least `low`, at most `high`. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True once in `n` throws, on average. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

/** mulberry32: small, fast, and good enough to vary requests. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    oneIn: (n) => between(1, n) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => between(0, 255))),
  };
}
