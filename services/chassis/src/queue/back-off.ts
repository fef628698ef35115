/** How long to wait before something that failed is tried again. */
const LONGEST_SECONDS = 300;

/** 1, 2, 4 … 300 seconds after the first, second … failure, with a quarter of jitter so that failures of one cause do not return together. */
export function backoffSeconds(failures: number): number {
  const base = Math.min(2 ** (failures - 1), LONGEST_SECONDS);
  return base * (0.75 + Math.random() * 0.5);
}

/** Twice `first` after the first try, and twice as long after each one more, `longest` at most. */
export const doubledSeconds = (attempt: number, first: number, longest: number): number =>
  Math.min(first * 2 ** Math.min(attempt, 10), longest);
