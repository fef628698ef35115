/**
 * One after the other, in the order of asking. A worker hands the calendar one group of batches at a time: several at
 * once would not be faster (the calendar and its database are busy with one), but would take the machine from those who
 * wait for an acknowledgement. Imports take turns, so they still go on side by side; more workers do more at once.
 */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

export function openTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
