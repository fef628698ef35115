/** How much of each there is. What there is nothing of takes no room. */
export interface Tally<K> {
  readonly of: (name: K) => number;
  /** Answers how much there is now. */
  readonly add: (name: K, more?: number) => number;
  readonly all: () => IterableIterator<[name: K, many: number]>;
}

export function openTally<K>(): Tally<K> {
  const counts = new Map<K, number>();
  const of = (name: K): number => counts.get(name) ?? 0;
  return {
    of,
    add: (name, more = 1) => {
      const now = of(name) + more;
      if (now > 0) counts.set(name, now);
      else counts.delete(name);
      return now;
    },
    all: () => counts.entries(),
  };
}
