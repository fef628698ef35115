/** Two reports are the same when they mean the same, and a hash is right when it is the same text. */
import { createHash } from 'node:crypto';
import { canonical, digestOf, sameSecret } from './digest';

const same = (one: unknown, other: unknown): boolean =>
  digestOf(canonical(one)).equals(digestOf(canonical(other)));

test.each<[unknown, unknown]>([
  [
    { a: 1, b: [{ c: 2, d: 'x' }] },
    { b: [{ d: 'x', c: 2 }], a: 1 },
  ],
  [{ a: 1, b: undefined }, { a: 1 }],
  [
    [1, undefined],
    [1, null],
  ],
  [1.0, 1],
  ['ä', 'ä'],
  [
    { a: 1, b: 2, c: 3 },
    { c: 3, a: 1, b: 2 },
  ],
])('%j and %j are the same', (one, other) => expect(same(one, other)).toBe(true));

test.each<[unknown, unknown]>([
  [
    [1, 2],
    [2, 1],
  ],
  [[1, 2], [12]],
  [['a', 'b'], ['a,b']],
  [['a'], { 0: 'a' }],
  [[], {}],
  [['1'], [1]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: { b: 1 } }, { a: { b: 2 } }],
  [{ a: 1, b: 2 }, { 'a:1,b': 2 }],
  [{ ab: 1 }, { a: 'b1' }],
  [null, 'null'],
  [JSON.parse('1e400'), null],
  [JSON.parse('1e400'), JSON.parse('-1e400')],
  [null, {}],
  ['', null],
  [true, 'true'],
  [
    ['a', ['b']],
    [['a'], 'b'],
  ],
  ['x', 'y'],
])('%j and %j are two', (one, other) => expect(same(one, other)).toBe(false));

test('the digest is that of JSON with sorted keys: those that are kept must stay good', () => {
  const text = '[{"a\\"b":"\\u0001ä\\\\","z":[1,null,"/"]},"x"]';
  const value = { z: [1, undefined, '/'], 'a"b': '\u0001ä\\' };
  expect(digestOf(canonical(value), canonical('x'))).toEqual(createHash('sha256').update(text).digest());
});

test('a hash is compared as a whole, whatever its length', () => {
  expect(sameSecret('abc', 'abc')).toBe(true);
  for (const other of ['abd', 'ab', 'abcd', 'ABC', '']) {
    expect(sameSecret(other, 'abc')).toBe(false);
    expect(sameSecret('abc', other)).toBe(false);
  }
});
