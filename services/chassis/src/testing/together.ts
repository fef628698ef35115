/**
 * Tests that mostly wait, waiting side by side: all of them are begun before the first is told of. Each brings and clears
 * away what it needs; a fault of one is told as that one's.
 */

export type Scenario = (name: string, run: () => Promise<void>) => void;

/** To be called below what all of them stand on (`beforeAll`). */
export function together(): Scenario {
  const all: { readonly run: () => Promise<void>; ended: PromiseSettledResult<void> | undefined }[] = [];
  beforeAll(async () => {
    const ended = await Promise.allSettled(all.map(({ run }) => run()));
    ended.forEach((one, at) => (all[at]!.ended = one));
  });
  return (name, run) => {
    const own: (typeof all)[0] = { run, ended: undefined };
    all.push(own);
    test(name, () => {
      if (own.ended?.status === 'rejected') throw own.ended.reason;
      expect(own.ended?.status).toBe('fulfilled');
    });
  };
}
