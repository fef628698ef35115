/** So many places, in the order of asking. Most work takes one; none asks for more than there are. */
export type Turn = <T>(work: () => Promise<T>, places?: number) => Promise<T>;

export function openTurn(places: number): Turn {
  const waiting: { readonly needs: number; readonly begin: () => void }[] = [];
  let free = places;
  /** Nobody passes by the first who waits: whoever needs several would never get them. */
  const go = (): void => {
    for (let next = waiting[0]; next && next.needs <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.needs;
      next.begin();
    }
  };
  return async (work, needs = 1) => {
    if (waiting.length === 0 && needs <= free) free -= needs;
    else await new Promise<void>((begin) => waiting.push({ needs, begin }));
    try {
      return await work();
    } finally {
      free += needs;
      go();
    }
  };
}
