import { openSizes } from './sizes';

const MEBIBYTE = 1024 * 1024;

describe('sizes of what is kept', () => {
  it('are a mebibyte at any time, and four while few of those are coming', () => {
    const { take } = openSizes(64 * MEBIBYTE);
    const given = [1, 2, 3, 4].map(() => take(4 * MEBIBYTE));
    expect(given).toEqual(given.map(() => expect.any(Function)));
    expect(take(2 * MEBIBYTE)).toBeUndefined();
    expect(take(MEBIBYTE)).toBeDefined();
    // Who gives back twice gives back once.
    given[0]?.();
    given[0]?.();
    expect(take(4 * MEBIBYTE)).toBeDefined();
    expect(take(2 * MEBIBYTE)).toBeUndefined();
  });

  it.each([
    [64, 4],
    [1024, 4],
    [32, 2],
    [4, 1],
  ])('of %d MiB are %d at most', (all, largest) => {
    const { take, isKept } = openSizes(all * MEBIBYTE);
    expect(take(largest * MEBIBYTE)).toBeDefined();
    expect(take(largest * MEBIBYTE + 1)).toBeUndefined();
    expect([isKept(largest * MEBIBYTE), isKept(largest * MEBIBYTE + 1)]).toEqual([true, false]);
  });

  it('that nobody tells are too large', () => {
    expect(openSizes(64 * MEBIBYTE).take(Number(undefined))).toBeUndefined();
  });
});
