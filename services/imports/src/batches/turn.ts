/**
 * At most so many at once, in the order of asking. A worker hands the calendar few groups of batches at a time: more
 * would hardly be faster (the calendar and its database are busy with one), but would take the machine from those who
 * wait for an acknowledgement. Imports take turns, so they go on side by side; more workers do more at once.
 */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export function openTurn(atOnce: number): Turn {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
