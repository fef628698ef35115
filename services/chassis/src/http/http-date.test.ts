import { parseHttpDate } from './http-date';

const THEN = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', THEN],
  ['Sunday, 06-Nov-94 08:49:37 GMT', THEN],
  ['Sun Nov  6 08:49:37 1994', THEN],
  ['Wed Nov 16 08:49:37 1994', THEN + 10 * 86_400_000],
  // Two digits are the next fifty years, or those before.
  ['Friday, 31-Dec-49 23:59:59 GMT', Date.UTC(2049, 11, 31, 23, 59, 59)],
  ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59)],
])('%s is a date', (text, expected) => {
  expect(parseHttpDate(text)).toBe(expected);
});

test.each([
  undefined,
  '',
  '2050',
  '9999-01-01',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'sun, 06 nov 1994 08:49:37 gmt',
  'Sun, 30 Feb 1994 08:49:37 GMT',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 25:49:37 GMT',
  'Sun, 06 Nov 0050 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
  'Sun Nov 6 08:49:37 1994',
  'yesterday',
])('%s is none', (text) => {
  expect(parseHttpDate(text)).toBeNaN();
});
