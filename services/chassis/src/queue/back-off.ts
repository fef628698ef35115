/** How long to wait before something that failed is tried again. */
const LONGEST_SECONDS = 300;

/** 1, 2, 4 … 300 seconds after the first, second … failure, with a quarter of jitter so that failures of one cause do not return together. */
export function backoffSeconds(failures: number): number {
  const base = Math.min(2 ** (failures - 1), LONGEST_SECONDS);
  return base * (0.75 + Math.random() * 0.5);
}
