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
  // They are read by a pattern of their own.
  it.each([
    '2027-06-05',
    '2027-06-05 23:59',
    '2027-03-14T02:30:00',
    '2027-11-07 01:30:59',
    '2027-02-30',
    '2027-06-05 24:00',
  ])('what most clients send is read as by the table: %j', (text) => {
    expect(parseFreeDate(text, ZONE, NOW)).toEqual(parseFreeDate(`on ${text}`, ZONE, NOW));
  });

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

  it.each([
    ['two weeks', '2027-06-23 10:30:45'],
    ['twelve months', '2028-06-09 10:30:45'],
    ['+2 years', '2029-06-09 10:30:45'],
    ['2 months', '2027-08-09 10:30:45'],
    ['+2 fortnights', '2027-07-07 10:30:45'],
    ['+90 minutes', '2027-06-09 12:00:45'],
    ['30 seconds ago', '2027-06-09 10:30:15'],
    ['1 month 2 days 3 hours ago', '2027-05-07 07:30:45'],
    ['dec 2026 +14 months', '2028-02-01 00:00:00'],
    ['jan 2027 -1 month', '2026-12-01 00:00:00'],
    ['2027-12-31 +2 months', '2028-02-29 00:00:00'],
    // A Sunday.
    ['+1103 days monday', '2030-06-17 00:00:00'],
    ['this week', '2027-06-09 10:30:45'],
    ['last week', '2027-06-02 10:30:45'],
    ['previous month', '2027-05-09 10:30:45'],
    ['previous monday', '2027-06-07 00:00:00'],
    ['this friday', '2027-06-11 00:00:00'],
    ['monday this week', '2027-06-07 00:00:00'],
    ['sunday this week', '2027-06-13 00:00:00'],
    ['monday next month', '2027-07-12 00:00:00'],
    ['sunday last week', '2027-06-06 00:00:00'],
    ['third thursday of november', '2027-11-18 00:00:00'],
    ['fifth monday of may 2027', '2027-05-31 00:00:00'],
    ['fourth sunday of february 2026', '2026-02-22 00:00:00'],
    ['last sunday of february 2026', '2026-02-22 00:00:00'],
    ['last sunday of may 2026', '2026-05-31 00:00:00'],
    ['yesterday tomorrow', '2027-06-09 00:00:00'],
    ['1am', '2027-06-09 01:00:00'],
    ['12pm', '2027-06-09 12:00:00'],
    ['10:59:59', '2027-06-09 10:59:59'],
    ['23:59:58.5', '2027-06-09 23:59:58'],
    ['t0730', '2027-06-09 07:30:00'],
    ['0001-01-01', '0001-01-01 00:00:00'],
    ['9999-12-31', '9999-12-31 00:00:00'],
    // A hundred letters, and one more.
    [`${'and '.repeat(24)} now`, '2027-06-09 10:30:45'],
    [`${'and '.repeat(24)}  now`, undefined],
  ])('counts from the second it is: %j', (text, expected) => {
    expect(parseFreeDate(text, ZONE, new Date(NOW.getTime() + 45_000))?.local).toBe(expected);
  });

  it.each([
    [0, 'z utc gmt wet'],
    [1, 'west bst cet'],
    [2, 'cest eet'],
    [3, 'eest msk'],
    [9, 'jst kst'],
    [-4, 'edt'],
    [-5, 'est cdt'],
    [-6, 'cst mdt'],
    [-7, 'mst pdt'],
    [-8, 'pst akdt'],
    [-9, 'akst'],
    [-10, 'hst'],
    [10, 'aest'],
    [11, 'aedt'],
    [12, 'nzst'],
    [13, 'nzdt'],
  ])('knows the words for %d hours from Greenwich: %s', (hours, words) => {
    for (const word of words.split(' ')) {
      const found = parseFreeDate(`2027-06-05 12:00 ${word}`, ZONE, NOW);
      expect([word, found?.utc]).toEqual([word, new Date(Date.UTC(2027, 5, 5, 12 - hours))]);
    }
  });

  it('reads Unix seconds', () => {
    expect(parseFreeDate('1735689600', ZONE, NOW)).toEqual({
      local: '2024-12-31 19:00:00',
      utc: new Date('2025-01-01T00:00:00Z'),
      hadTime: true,
      hadZone: true,
    });
    expect(local('@5')).toBe('1969-12-31 19:00:05');
    expect(local('100000000')).toBe('1973-03-03 04:46:40');
    expect(local('253402300799')).toBe('9999-12-31 18:59:59');
    expect(local('@86400')).toBe('1970-01-01 19:00:00');
    expect(local('@-86400')).toBe('1969-12-30 19:00:00');
  });

  it.each([
    ['2027-06-05T10:30:00Z', '2027-06-05 06:30:00'],
    ['2027-06-05T10:30:00+02:00', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 +2', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 UTC+2', '2027-06-05 04:30:00'],
    ['2027-06-05 10:30 +23:59', '2027-06-04 06:31:00'],
    ['2027-06-05 10:30 -0530', '2027-06-05 12:00:00'],
    ['utc', '2027-06-09 10:30:00'],
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
    'fifth friday of february 2027', 'first day of last day of', 'first monday of second friday of june', '10:30 Mars/Base',
    '0pm', '10:30:60', '10:30 10am', '10:30 +24:00', '3 weekdays', 'next weekday', 'and', '0000-01-01', 'foo/bar',
    '+123456789', '-123456789', '123456789.5', '253402300800', '999999999999', '@-999999999999', '99999999', '1234567890123', '9999-12-31 +1 day',
    '9999-12-31 20:00', '+8000 years', '-3000 years', '+999999 months', 'second monday of june 9990 +20 years',  '+999999 years', '10:30 Z Z', 'x'.repeat(1000),
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
