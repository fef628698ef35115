/** Answers that are sent piece by piece. */

/**
 * With their first piece at hand, so that a refusal is an answer of its own instead of half of one. Whoever wants no piece at all,
 * as HEAD does, ends them all the same: a generator that has not begun would not hear of it.
 */
export async function begun<T>(pieces: AsyncGenerator<T>): Promise<AsyncIterableIterator<T>> {
  const first = await pieces.next();
  let isFirst = true;
  const all: AsyncIterableIterator<T> = {
    next: () => {
      if (!isFirst) return pieces.next();
      isFirst = false;
      return Promise.resolve(first);
    },
    return: () => pieces.return(undefined),
    [Symbol.asyncIterator]: () => all,
  };
  return all;
}
