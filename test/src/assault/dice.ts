/** Chance that can be repeated: the same seed throws the same numbers, so that a run that found a fault can be run again. */
import { numbers } from '@sevenfold/chassis/chance';

export interface Dice {
  /** At least `low`, at most `high`. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** True once in `n` throws, on average. */
  oneIn(n: number): boolean;
  bytes(length: number): Buffer;
}

export function diceOf(seed: number): Dice {
  const next = numbers(seed);
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    oneIn: (n) => between(1, n) === 1,
    bytes: (length) => Buffer.from(Array.from({ length }, () => between(0, 255))),
  };
}
