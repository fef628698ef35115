/** What strangers and broken clients send: values of every wrong kind for any argument, and bodies that are no bodies. */
import fc from 'fast-check';

const deep = (levels: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values that no argument expects, beside some that one might. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    '',
    ' ',
    0,
    -1,
    1,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    -(2 ** 53),
    1e308,
    -1e308,
    0.1,
    '9223372036854775808',
    '1e999',
    'NaN',
    'Infinity',
    '-0',
    '0x1F',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u0007\u001b[31m',
    '%',
    '_',
    '\\',
    "'; drop table posts; --",
    '<script>alert(1)</script>',
    '$1 ${x} {{x}}',
    '../../../../etc/passwd',
    'http://127.0.0.1:1/',
    'javascript:alert(1)',
    '9999-12-31T23:59:59',
    '0000-00-00 00:00:00',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    '2024-02-30T25:61:61',
    'x'.repeat(5_000),
    'ß'.repeat(300),
    [],
    {},
    [[]],
    [{}],
    [null],
    [1, 'a', null, {}],
    { raw: null },
    { raw: { raw: 1 } },
    { rendered: 'x' },
    { raw: 'x'.repeat(2_000) },
    { length: 5 },
    { id: -1 },
    { __proto__: 1, constructor: 2 },
    Array.from({ length: 1_500 }, (_, index) => index),
    deep(30),
    deep(90),
  ),
  fc.integer(),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'grapheme', maxLength: 50 }),
  fc.array(fc.oneof(fc.integer(), fc.string({ maxLength: 10 }), fc.boolean()), { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

/** Whole bodies that are no JSON object. */
export const hostileBody: fc.Arbitrary<{ type: string; bytes: Uint8Array }> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
      'application/octet-stream',
      '',
    ),
    bytes: fc.uint8Array({ maxLength: 200 }),
  }),
  fc
    .constantFrom(
      '{"a":',
      '[1,2',
      '"text"',
      '5',
      'null',
      '[]',
      '{"a":"\\ud800"}',
      '['.repeat(500),
      '{"__proto__":{"x":1}}',
    )
    .map((text) => ({
      type: 'application/json',
      bytes: new TextEncoder().encode(text),
    })),
  fc.constant({
    type: 'application/json',
    bytes: Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  }),
  fc
    .constantFrom(
      'a[b][c][d][e][f][g][h]=1',
      'title[raw]=x&title=y',
      '%ff%fe=1&a=%',
      '&&&===',
      'a[]=1&a[x]=2',
    )
    .map((text) => ({
      type: 'application/x-www-form-urlencoded',
      bytes: new TextEncoder().encode(text),
    })),
);
