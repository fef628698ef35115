/** Chance that can be repeated: the same seed gives the same numbers on every machine. For what is made up, never for secrets. */
export type Next = () => number;

/** Numbers from 0 up to 1, without it (mulberry32). */
export function numbers(seed: number): Next {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(next: Next, list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
