import fc from 'fast-check';
import { openFinder } from './finder';

const found = (words: readonly string[], text: string): string[] => {
  const all: string[] = [];
  openFinder(words)(text, (word, end) => {
    all.push(`${word} ${end}`);
    return false;
  });
  return all.sort();
};

/** By looking at each place for each word. */
const looked = (words: readonly string[], text: string): string[] =>
  words
    .flatMap((word, place) =>
      Array.from(text, (_, at) => at)
        .filter((at) => word !== '' && text.startsWith(word, at))
        .map((at) => `${place} ${at + word.length}`),
    )
    .sort();

test('finds each word wherever it stands, also within others', () => {
  const words = ['he', 'she', 'his', 'hers', 'he', ''];
  expect(found(words, 'ushers')).toEqual(['0 4', '1 4', '3 6', '4 4']);
});

test('finds what looking everywhere finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 40 }),
      (words, within) => {
        expect(found(words, within)).toEqual(looked(words, within));
      },
    ),
  );
});

test('stops at what is enough', () => {
  let calls = 0;
  expect(openFinder(['a'])('aaa', () => ++calls === 2)).toBe(true);
  expect(calls).toBe(2);
  expect(openFinder(['b'])('aaa', () => true)).toBe(false);
  expect(openFinder([''])('aaa', () => true)).toBe(false);
});

test('looks at each letter twice at most, however many words begin as the text goes on', () => {
  const words = Array.from({ length: 2_000 }, (_, i) => `${'e'.repeat(50)}${i}`);
  const find = openFinder(words);
  const text = `${'e'.repeat(49)}x`.repeat(400);
  const looks = jest.spyOn(Map.prototype, 'get');
  try {
    expect(find(text, () => true)).toBe(false);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * text.length);
  } finally {
    looks.mockRestore();
  }
});
