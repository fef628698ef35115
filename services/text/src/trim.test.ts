import { trim, trimEnd } from './trim';

test.each([
  ['', '/', '', ''],
  ['///', '/', '', ''],
  ['/a/b//', '/', 'a/b', '/a/b'],
  ['a', '/', 'a', 'a'],
  ['-._a.b-c_.-', '.-_', 'a.b-c', '-._a.b-c'],
])('%s without %s', (text, off, both, end) => {
  expect(trim(text, off)).toBe(both);
  expect(trimEnd(text, off)).toBe(end);
});

// By a pattern each would take a quarter of an hour.
test('a long run in the middle costs no more than its length', () => {
  const text = `a${'/'.repeat(1_000_000)}b`;
  expect(trim(text, '/')).toBe(text);
  expect(trimEnd(text, '/')).toBe(text);
});
