import type { Exchange } from './exchange';
import { answerOf } from './whole';

const exchange = { request: { headers: {} } } as Exchange;
const shown = (control: string, until?: number): string | undefined =>
  answerOf(
    {
      status: 200,
      headers: { 'Cache-Control': control },
      body: Buffer.from('one'),
      tag: 'one',
      isCompressible: false,
      until,
    },
    exchange,
    undefined,
  ).headers?.['Cache-Control'];

const WEEK = 'max-age=0, must-revalidate, s-maxage=604800';

test.each([
  [WEEK, undefined, WEEK],
  [WEEK, Infinity, WEEK],
  [WEEK, 10_999, 'max-age=0, must-revalidate, s-maxage=9'],
  [WEEK, 1_500, 'max-age=0, must-revalidate, s-maxage=0'],
  // It ended since it was found, or while it was asked for.
  [WEEK, 500, 'max-age=0, must-revalidate, s-maxage=0'],
  [WEEK, 1e12, WEEK],
  ['public, max-age=60', 21_000, 'public, max-age=20'],
  ['public, max-age=60', 1e12, 'public, max-age=60'],
])('%s of what ends at %s is said at 1000 as %s', (control, until, expected) => {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000);
  try {
    expect(shown(control, until)).toBe(expected);
  } finally {
    clock.mockRestore();
  }
});
