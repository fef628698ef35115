interface Asked {
  /** How many it takes of what there are; default one, none more than there are. */
  readonly places?: number;
  /** Whose it is: those of different people take turns, however much one of them asks for. */
  readonly of?: string | number;
}

/** Runs the work when there is room for it. */
export type Turn = <T>(work: () => Promise<T>, asked?: Asked) => Promise<T>;

interface Waiting {
  readonly places: number;
  readonly begin: () => void;
}

/** So many places, in the order of asking among those of one. */
export function openTurn(places: number): Turn {
  // In the order in which their turns come.
  const lines = new Map<string | number, Waiting[]>();
  let free = places;
  /** Nobody passes by the one whose turn it is: whoever needs several would never get them. */
  const go = (): void => {
    for (const [of, line] of lines) {
      const next = line[0] as Waiting;
      if (next.places > free) return;
      line.shift();
      lines.delete(of);
      if (line.length > 0) lines.set(of, line);
      free -= next.places;
      next.begin();
    }
  };
  return async (work, { places: needed = 1, of = '' } = {}) => {
    if (lines.size === 0 && needed <= free) free -= needed;
    else
      await new Promise<void>((begin) => {
        lines.set(of, [...(lines.get(of) ?? []), { places: needed, begin }]);
      });
    try {
      return await work();
    } finally {
      free += needed;
      go();
    }
  };
}
