/* Search boxes: words, phrases, exclusions, bounds, and patterns that match literally. */

import fc from 'fast-check';
import { beginningsOf, isIndexed, likePattern, parseSearch, spellingsOf } from './search';

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
    ['one, two,one', { ...none, include: ['one', 'two'] }],
    ['red+green,"a+b, c"', { ...none, include: ['red', 'green'], phrases: ['a+b, c'] }],
    ['the harbour of a town', { ...none, include: ['harbour', 'town'] }],
    ['The who', { ...none, include: ['The', 'who'] }],
    ['the "old man" and', { ...none, phrases: ['old man'] }],
    ['the -harbour', { ...none, exclude: ['harbour'] }],
    [', + ,', none],
    ['Moon moon', { ...none, include: ['Moon'] }],
    ['a\0b\u0007', { ...none, include: ['ab'] }],
    ['100%', { ...none, include: ['100%'] }],
    ['Salt & Pepper', { ...none, include: ['Salt', 'Pepper'] }],
    ['Ping – Pong / @ ♥ ❤️ → 1', { ...none, include: ['Ping', 'Pong', '1'] }],
    ['the & of', { ...none, include: ['the', 'of'] }],
    ['& -salt', { ...none, exclude: ['salt'] }],
    ['salt -&', { ...none, include: ['salt'] }],
    ['-&', none],
    ['& / & -@', { ...none, include: ['&'] }],
    ['salt "&" -"@"', { ...none, include: ['salt'], phrases: ['&'], exclude: ['@'] }],
    ['a1 & b / c @ d e f g h i1 ♥ j', { ...none, include: 'a1 b c d e f g h i1 j'.split(' ') }],
  ])('%j', (text, expected) => {
    expect(parseSearch(text)).toEqual(expected);
  });

  it('keeps ten terms', () => {
    const search = parseSearch('a1 b c d "e e" -f g h i1 j k l');
    expect(search).toEqual({
      include: ['a1', 'b', 'c', 'd', 'g', 'h', 'i1', 'j'],
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

it.each([
  ['harbour', undefined],
  ['100%', undefined],
  ['Ab', ['Ab']],
  ['É', ['É']],
  ['e\u0301', ['e\u0301']],
  ['किताब', undefined],
  ['क्या', undefined],
  ['में', undefined],
  ['की-क्ष', ['की', 'क्ष']],
  ['श्\u200dक', ['श्']],
  ['\u200d\u0301', []],
  ["r&d's", ['r', 'd', 's']],
  ['%_', []],
  ['a-b a', ['a', 'b']],
  [
    Array.from({ length: 500 }, (_, at) => at.toString(8))
      .join('-')
      .replace(/\d{3}/g, '7'),
    ['0', '1', '2', '3', '4', '5', '6', '7', '10', '11'],
  ],
])('beginningsOf %j is %j', (term, expected) => {
  expect(beginningsOf(term)).toEqual(expected);
});

it.each([
  ['harbour', true],
  ['ab-c', false],
  ['किताब', true],
  ['में', true],
  ['क्या', false],
])('isIndexed %j is %j', (term, expected) => {
  expect(isIndexed(term)).toBe(expected);
});

it.each([
  ['harbour', ['harbour']],
  ['Σωμα', ['σωμα']],
  ['ΟΔΟΣ', ['ΟΔΟσ', 'ΟΔΟς']],
  ['οδος', ['οδος', 'οδοσ']],
  ['ΟΔΟΣ οδος, σ', ['ΟΔΟσ οδος, σ', 'ΟΔΟσ οδοσ, σ', 'ΟΔΟς οδος, σ']],
  ['Caf\u00e9', ['Caf\u00e9', 'Cafe\u0301']],
  ['Cafe\u0301', ['Cafe\u0301', 'Caf\u00e9']],
  ['\u00e9te\u0301', ['\u00e9te\u0301', '\u00e9t\u00e9', 'e\u0301te\u0301']],
])('spellingsOf %j is %j', (term, expected) => {
  expect(spellingsOf(term)).toEqual(expected);
});
