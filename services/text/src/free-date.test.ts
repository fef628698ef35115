/* The lenient dates of the calendar routes: each notation, how notations combine, and what is refused. */

import fc from 'fast-check';
import { parseDateTime } from './dates';
import { parseFreeDate } from './free-date';

const ZONE = 'America/New_York';
// A Wednesday, 10:30 on the clock in New York.
const NOW = new Date('2027-06-09T14:30:00Z');

function local(text: string): string | undefined {
  return parseFreeDate(text, ZONE, NOW)?.local;
}

describe('parseFreeDate', () => {
  it.each([
    ['2027-06-05', '2027-06-05 00:00:00'],
    ['2027-6-5', '2027-06-05 00:00:00'],
    ['2027/06/05', '2027-06-05 00:00:00'],
    ['06/05/2027', '2027-06-05 00:00:00'],
    ['5.6.2027', '2027-06-05 00:00:00'],
    ['20270605', '2027-06-05 00:00:00'],
    ['20270605T103000', '2027-06-05 10:30:00'],
    ['June 5 2027', '2027-06-05 00:00:00'],
    ['June 5th, 2027', '2027-06-05 00:00:00'],
    ['5 June 2027', '2027-06-05 00:00:00'],
    ['5-Jun-2027', '2027-06-05 00:00:00'],
    ['June 2028', '2028-06-01 00:00:00'],
    ['Sept. 5', '2027-09-05 00:00:00'],
    ['June 5 2027 10:30am', '2027-06-05 10:30:00'],
    ['June 5, 2027 @ 10:30 pm', '2027-06-05 22:30:00'],
    ['2027-06-05 at 12 a.m.', '2027-06-05 00:00:00'],
    ['Sat, 05 Jun 2027 14:30:00 +0000', '2027-06-05 10:30:00'],
    ['10am', '2027-06-09 10:00:00'],
    ['23:15', '2027-06-09 23:15:00'],
  ])('notations: %j', (text, expected) => {
    expect(local(text)).toBe(expected);
  });

  it.each([
    ['now', '2027-06-09 10:30:00'],
    ['Today', '2027-06-09 00:00:00'],
    ['midnight', '2027-06-09 00:00:00'],
    ['noon', '2027-06-09 12:00:00'],
    ['tomorrow', '2027-06-10 00:00:00'],
    ['yesterday noon', '2027-06-08 12:00:00'],
    ['tomorrow 10am', '2027-06-10 10:00:00'],
    ['monday', '2027-06-14 00:00:00'],
    ['wednesday', '2027-06-09 00:00:00'],
    ['next wednesday', '2027-06-16 00:00:00'],
    ['next friday', '2027-06-11 00:00:00'],
    ['last monday', '2027-06-07 00:00:00'],
    ['last wednesday', '2027-06-02 00:00:00'],
    ['monday next week', '2027-06-14 00:00:00'],
    ['+1 week 2 days', '2027-06-18 10:30:00'],
    ['3 days ago', '2027-06-06 10:30:00'],
    ['-1 month', '2027-05-09 10:30:00'],
    ['an hour ago', '2027-06-09 09:30:00'],
    ['next year', '2028-06-09 10:30:00'],
    ['first day of next month', '2027-07-01 10:30:00'],
    ['last day of month', '2027-06-30 10:30:00'],
    ['last day of february 2028', '2028-02-29 00:00:00'],
    ['first day of next month midnight', '2027-07-01 00:00:00'],
    ['second tuesday of november 2027', '2027-11-09 00:00:00'],
    ['last friday of next month', '2027-07-30 00:00:00'],
    ['jan 31 2027 +1 month', '2027-02-28 00:00:00'],
  ])('words: %j', (text, expected) => {
    expect(local(text)).toBe(expected);
  });

  it('reads Unix seconds', () => {
    expect(parseFreeDate('1735689600', ZONE, NOW)).toEqual({
      local: '2024-12-31 19:00:00',
      utc: new Date('2025-01-01T00:00:00Z'),
      hadTime: true,
      hadZone: true,
    });
    expect(local('@86400')).toBe('1970-01-01 19:00:00');
    expect(local('@-86400')).toBe('1969-12-30 19:00:00');
  });

  it.each([
    ['2027-06-05T10:30:00Z', '2027-06-05 06:30:00'],
    ['2027-06-05T10:30:00+02:00', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 +2', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 UTC+2', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 Europe/Berlin', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 EST', '2027-06-05 11:30:00'],
    ['2027-06-05 Asia/Tokyo', '2027-06-04 11:00:00'],
  ])('zones: %j', (text, expected) => {
    expect(parseFreeDate(text, ZONE, NOW)).toMatchObject({ local: expected, hadZone: true });
  });

  it('tells whether a time was given', () => {
    const hadTime = (text: string): boolean | undefined => parseFreeDate(text, ZONE, NOW)?.hadTime;
    expect(['2027-06-05', 'tomorrow', 'monday', '+1 week', 'last day of month'].map(hadTime)).toEqual(
      Array(5).fill(false),
    );
    expect(['10am', 'now', 'noon', 'midnight', '+2 hours', '2027-06-05T00:00'].map(hadTime)).toEqual(
      Array(6).fill(true),
    );
    expect(parseFreeDate('tomorrow', ZONE, NOW)?.hadZone).toBe(false);
  });

  it.each([
    '', ' ', ',', 'foo', 'tomorrow foo', '2027', '12345678901234', '2027-02-30', '2027-13-01', '13/45/2027', '31 June 2027',
    '25:00', '10:60', '13am', '0am', '10:30 11:30', '2027-06-05 2027-06-06', 'next', 'monday tuesday',
    'fifth friday of february 2027', '10:30 Mars/Base', '+999999 years', '10:30 Z Z', 'x'.repeat(1000),
  ])('refuses %j', (text) => {
    expect(parseFreeDate(text, ZONE, NOW)).toBeUndefined();
  }); // prettier-ignore

  it('takes all that parseDateTime takes, with the same result', () => {
    const part = (min: number, max: number): fc.Arbitrary<string> =>
      fc.integer({ min, max }).map((value) => String(value).padStart(2, '0'));
    const text = fc
      .tuple(
        fc.integer({ min: 2, max: 9998 }).map((year) => String(year).padStart(4, '0')),
        part(1, 12), part(1, 31), fc.constantFrom('T', ' '), part(0, 23), part(0, 59),
        fc.constantFrom('', ':07', ':59.25'), fc.constantFrom('', 'Z', '+02:00', '-1130', '+23:59', '-05'),
      )
      .map(([y, m, d, t, h, i, s, z]) => `${y}-${m}-${d}${t}${h}:${i}${s}${z}`); // prettier-ignore
    fc.assert(
      fc.property(text, (value) => {
        const strict = parseDateTime(value, ZONE);
        const free = parseFreeDate(value, ZONE, NOW);
        expect(free && { local: free.local, utc: free.utc }).toEqual(strict);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws', () => {
    const words = fc.constantFrom(
      'next', 'last', 'first', 'day', 'of', 'month', 'monday', '+1', '-', '2', 'weeks', 'ago', '10', ':30', 'am', '@', '2027',
      '-06', '/05', 'june', '5', 'utc', '+02:00', 't', ' ', 'z', 'europe/berlin', 'now', '999999', 'years',
    ); // prettier-ignore
    const soup = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' '));
    const tight = fc.array(words, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(soup, tight, fc.string({ unit: 'binary' })), (text) => {
        const found = parseFreeDate(text, ZONE, NOW);
        if (found) expect(found.local).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      }),
      { numRuns: 500 },
    );
  });
});
