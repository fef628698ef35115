interface Asked {
  /** How many it takes of what there are; default one, none more than there are. */
  readonly places?: number;
  /** Whose it is: those of different people take turns, however much one of them asks for. */
  readonly of?: string | number;
  /** Whoever waits leaves the line at once when it aborts, and fails with its reason. Work that has begun goes on. */
  readonly signal?: AbortSignal;
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
  const leave = (of: string | number, waiting: Waiting): void => {
    const line = (lines.get(of) ?? []).filter((one) => one !== waiting);
    if (line.length > 0) lines.set(of, line);
    else lines.delete(of);
    // Those behind may have waited for nothing but that it needs more places than are free.
    go();
  };
  const wait = (needed: number, of: string | number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        leave(of, waiting);
        reject(signal?.reason as Error);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { places: needed, begin };
      signal?.addEventListener('abort', giveUp, { once: true });
      lines.set(of, [...(lines.get(of) ?? []), waiting]);
    });
  return async (work, { places: needed = 1, of = '', signal } = {}) => {
    signal?.throwIfAborted();
    if (lines.size === 0 && needed <= free) free -= needed;
    else await wait(needed, of, signal);
    try {
      return await work();
    } finally {
      free += needed;
      go();
    }
  };
}
