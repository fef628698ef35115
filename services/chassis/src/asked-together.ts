/**
 * One question for all who come before it is asked; who comes later waits for the next one, as the answer may be about
 * what was before he came. At most one is under way, so that many who ask cost hardly more than one.
 */

/** Who waits longer does without the answer. */
const PATIENCE_MS = 1_000;

export function askedTogether(ask: (answered: (yes: boolean) => void) => void): () => Promise<boolean> {
  let next: { readonly promise: Promise<boolean>; readonly answer: (yes: boolean) => void } | undefined;
  let isAsking = false;
  const begin = (): void => {
    const { answer } = next as NonNullable<typeof next>;
    next = undefined;
    isAsking = true;
    let isOver = false;
    const end = (yes: boolean): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      answer(yes);
      isAsking = next !== undefined;
      // Behind whatever answers: a line of the database is still busy with it.
      if (isAsking) setImmediate(begin);
    };
    const timer = setTimeout(end, PATIENCE_MS, false);
    ask(end);
  };
  return () => {
    if (next) return next.promise;
    let answer!: (yes: boolean) => void;
    const promise = new Promise<boolean>((resolve) => (answer = resolve));
    next = { promise, answer };
    // Whatever has come together with this call asks with it.
    if (!isAsking) setImmediate(begin);
    return promise;
  };
}
