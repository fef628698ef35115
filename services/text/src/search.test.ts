/* Search boxes: words, phrases, exclusions, bounds, and patterns that match literally. */

import fc from 'fast-check';
import { likePattern, parseSearch } from './search';

const none = { include: [], phrases: [], exclude: [] };

describe('parseSearch', () => {
  it.each([
    ['', none],
    ['  \n ', none],
    ['blue moon', { ...none, include: ['blue', 'moon'] }],
    ['"blue moon" rises', { ...none, include: ['rises'], phrases: ['blue moon'] }],
    ['moon -blue -"old man"', { ...none, include: ['moon'], exclude: ['blue', 'old man'] }],
    ['"open end', { ...none, phrases: ['open end'] }],
    ['- "" -"" --', none],
    ['well-known', { ...none, include: ['well-known'] }],
    ['one, two,one', { ...none, include: ['one', 'two,one'] }],
    ['Moon moon', { ...none, include: ['Moon'] }],
    ['a\0b\u0007', { ...none, include: ['ab'] }],
    ['100%', { ...none, include: ['100%'] }],
  ])('%j', (text, expected) => {
    expect(parseSearch(text)).toEqual(expected);
  });

  it('keeps ten terms', () => {
    const search = parseSearch('a b c d "e e" -f g h i j k l');
    expect(search).toEqual({
      include: ['a', 'b', 'c', 'd', 'g', 'h', 'i', 'j'],
      phrases: ['e e'],
      exclude: ['f'],
    });
  });

  it('never throws, never gives an empty or unstorable term', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '-', ' ', ',', 'a', '\0', '\ud800', 'é') }),
        (text) => {
          const { include, phrases, exclude } = parseSearch(text);
          const terms = [...include, ...phrases, ...exclude];
          expect(terms.length).toBeLessThanOrEqual(10);
          for (const term of terms) expect(term).toMatch(/^[^\0\ud800]+$/);
        },
      ),
    );
  });
});

it('likePattern matches its term literally', () => {
  expect(likePattern('50%_a\\b')).toBe('%50\\%\\_a\\\\b%');
  expect(likePattern('moon')).toBe('%moon%');
});
