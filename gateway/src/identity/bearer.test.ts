import { bearerOf } from './bearer';

test.each([
  ['Bearer a.b-c', 'a.b-c'],
  [' bearer  a b ', 'a b'],
  ['BEARER', ''],
  ['Bearer:a', ':a'],
  ['Bearers a', undefined],
  ['Basic a', undefined],
  [undefined, undefined],
])('%s is the token %s', (header, token) => expect(bearerOf(header)).toBe(token));

// It took the square of the length: for a header of this one many minutes.
test('a long run of spaces costs no more than its length', () => {
  const token = `a${' '.repeat(1_000_000)}b`;
  expect(bearerOf(`Bearer ${token}`)).toBe(token);
});
