/** At most so many at once, in the order of asking. */
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
