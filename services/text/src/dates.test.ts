/* Dates at the border of the API: the strict notation, zones, and both kinds of days on which clocks change. */

import fc from 'fast-check';
import { isoLocal, isZone, parseDateTime, toLocal, zoneAbbreviation, zoneOffsetHours } from './dates';

const NEW_YORK = 'America/New_York';

function read(text: string, zone = NEW_YORK): string | undefined {
  const found = parseDateTime(text, zone);
  return found && `${found.local} = ${found.utc.toISOString()}`;
}

describe('parseDateTime', () => {
  it.each([
    ['2024-06-01T10:30:00', '2024-06-01 10:30:00 = 2024-06-01T14:30:00.000Z'],
    ['2024-06-01 10:30', '2024-06-01 10:30:00 = 2024-06-01T14:30:00.000Z'],
    [' 2024-06-01t10:30:15.987 ', '2024-06-01 10:30:15 = 2024-06-01T14:30:15.000Z'],
    ['2024-06-01T10:30:00Z', '2024-06-01 06:30:00 = 2024-06-01T10:30:00.000Z'],
    ['2024-06-01T10:30:00+02:00', '2024-06-01 04:30:00 = 2024-06-01T08:30:00.000Z'],
    ['2024-06-01T10:30:00-0530', '2024-06-01 12:00:00 = 2024-06-01T16:00:00.000Z'],
    ['2024-06-01T10:30:00+02', '2024-06-01 04:30:00 = 2024-06-01T08:30:00.000Z'],
    ['2024-06-01T10:30:00+23:59', '2024-05-31 06:31:00 = 2024-05-31T10:31:00.000Z'],
    ['2024-02-29T00:00:00', '2024-02-29 00:00:00 = 2024-02-29T05:00:00.000Z'],
    ['0001-01-01T00:00:00', '0001-01-01 00:00:00 = 0001-01-01T04:56:02.000Z'],
    ['9999-12-31T12:00:00', '9999-12-31 12:00:00 = 9999-12-31T17:00:00.000Z'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    '', 'now', '2024-06-01', '10:30', '2024-06-01T', '2024-06-01T10', '2024-6-1T10:30:00', '24-06-01T10:30:00',
    '2024-02-30T10:00:00', '2023-02-29T10:00:00', '2024-13-01T10:00:00', '2024-00-01T10:00:00', '2024-06-00T10:00:00',
    '2024-06-01T24:00:00', '2024-06-01T25:00:00', '2024-06-01T10:60:00', '2024-06-01T10:30:60', '0000-01-01T00:00:00',
    '2024-06-01T10:30:00+24:00', '2024-06-01T10:30:00+02:60', '2024-06-01T10:30:00 EST', '2024-06-01T10:30:00Zx',
    '9999-12-31T23:00:00', '0001-01-01T00:00:00+05:00', '12024-06-01T10:30:00',
  ])('refuses %j', (text) => {
    expect(read(text)).toBeUndefined();
  }); // prettier-ignore

  it('moves a time the clock skips forward by the gap', () => {
    expect(read('2024-03-10T01:59:59')).toBe('2024-03-10 01:59:59 = 2024-03-10T06:59:59.000Z');
    expect(read('2024-03-10T02:30:00')).toBe('2024-03-10 03:30:00 = 2024-03-10T07:30:00.000Z');
    expect(read('2024-03-10T03:00:00')).toBe('2024-03-10 03:00:00 = 2024-03-10T07:00:00.000Z');
    expect(read('2024-10-06T02:15:00', 'Australia/Lord_Howe')).toBe(
      '2024-10-06 02:45:00 = 2024-10-05T15:45:00.000Z',
    );
    expect(read('2011-12-30T12:00:00', 'Pacific/Apia')).toBe(
      '2011-12-31 12:00:00 = 2011-12-30T22:00:00.000Z',
    );
  });

  it('takes the first of two passes when the clock is set back', () => {
    expect(read('2024-11-03T00:59:59')).toBe('2024-11-03 00:59:59 = 2024-11-03T04:59:59.000Z');
    expect(read('2024-11-03T01:30:00')).toBe('2024-11-03 01:30:00 = 2024-11-03T05:30:00.000Z');
    expect(read('2024-11-03T02:00:00')).toBe('2024-11-03 02:00:00 = 2024-11-03T07:00:00.000Z');
    expect(read('2024-11-03T01:30:00-05:00')).toBe('2024-11-03 01:30:00 = 2024-11-03T06:30:00.000Z');
  });

  it('throws for a zone that isZone refuses', () => {
    expect(() => parseDateTime('2024-06-01T10:30:00', 'Mars/Base')).toThrow(RangeError);
  });

  it('never throws, whatever the text', () => {
    const soup = fc.string({ unit: fc.constantFrom('0', '1', '2', '9', '-', ':', 'T', ' ', '+', 'Z', '.') });
    fc.assert(fc.property(fc.oneof(soup, fc.string()), (text) => void parseDateTime(text, NEW_YORK)));
  });
});

describe('toLocal', () => {
  it.each([
    [NEW_YORK, '2024-03-10T06:59:59.999Z', '2024-03-10 01:59:59'],
    [NEW_YORK, '2024-03-10T07:00:00Z', '2024-03-10 03:00:00'],
    [NEW_YORK, '2024-11-03T05:59:59Z', '2024-11-03 01:59:59'],
    [NEW_YORK, '2024-11-03T06:00:00Z', '2024-11-03 01:00:00'],
    ['Asia/Kathmandu', '2024-01-01T00:00:00Z', '2024-01-01 05:45:00'],
    ['UTC', '1969-12-31T23:59:59Z', '1969-12-31 23:59:59'],
    ['UTC+5:30', '2024-01-01T00:00:00Z', '2024-01-01 05:30:00'],
    ['UTC-3.5', '2024-01-01T00:00:00Z', '2023-12-31 20:30:00'],
    ['-08:00', '2024-01-01T00:00:00Z', '2023-12-31 16:00:00'],
  ])('%s at %s → %s', (zone, at, expected) => {
    expect(toLocal(new Date(at), zone)).toBe(expected);
  });

  it('throws for an invalid date', () => {
    expect(() => toLocal(new Date(NaN), NEW_YORK)).toThrow(RangeError);
  });

  it('agrees with Intl at every instant, and is undone by parseDateTime outside the overlaps', () => {
    const zones = [
      NEW_YORK,
      'Europe/Dublin',
      'Africa/Casablanca',
      'Australia/Lord_Howe',
      'America/Sao_Paulo',
      'Asia/Tehran',
    ];
    const formats = new Map(
      zones.map((timeZone) => [
        timeZone,
        new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
      ]),
    );
    const seconds = fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2100, 0, 1) / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), seconds, (zone, second) => {
        const at = new Date(second * 1000);
        const local = toLocal(at, zone);
        expect(local).toBe(formats.get(zone)!.format(at));
        const back = parseDateTime(local, zone)!;
        expect(back.local).toBe(local);
        expect(toLocal(back.utc, zone)).toBe(local);
      }),
      { numRuns: 300 },
    );
  });
});

it('isoLocal', () => {
  expect(isoLocal('2024-06-01 10:30:00')).toBe('2024-06-01T10:30:00');
  expect(isoLocal('2024-06-01 10:30:00.123')).toBe('2024-06-01T10:30:00');
});

it('zoneOffsetHours', () => {
  expect(zoneOffsetHours(NEW_YORK, new Date('2024-06-01'))).toBe(-4);
  expect(zoneOffsetHours(NEW_YORK, new Date('2024-01-01'))).toBe(-5);
  expect(zoneOffsetHours('Asia/Kolkata', new Date('2024-01-01'))).toBe(5.5);
  expect(zoneOffsetHours('UTC-3.5', new Date())).toBe(-3.5);
});

describe('isZone', () => {
  it.each([
    'UTC',
    'utc',
    'GMT',
    NEW_YORK,
    'Europe/Berlin',
    'Etc/GMT+5',
    'UTC+5',
    'UTC-3.5',
    'UTC+5.75',
    'UTC+5:30',
    'UTC+0',
    'UTC+14',
    '+05:30',
    '-0800',
  ])('takes %s', (name) => {
    expect(isZone(name)).toBe(true);
  });

  it.each([
    '',
    'Mars/Base',
    'UTC+15',
    'UTC+',
    'UTC+5:60',
    'UTC 5',
    '5',
    '+5:3',
    'Europe/',
    ' UTC',
    'UTC+5\n',
    '\0',
    '__proto__',
  ])('refuses %j', (name) => {
    expect(isZone(name)).toBe(false);
  });
});

it.each([
  [NEW_YORK, '2024-06-01', 'EDT'],
  [NEW_YORK, '2024-01-01', 'EST'],
  ['Europe/Berlin', '2024-06-01', 'CEST'],
  ['Australia/Sydney', '2024-01-01', 'AEDT'],
  ['Asia/Tokyo', '2024-01-01', 'JST'],
  ['Asia/Seoul', '2024-01-01', 'KST'],
  ['America/Sao_Paulo', '2024-01-01', '-03'],
  ['Asia/Kathmandu', '2024-01-01', '+0545'],
  ['UTC', '2024-01-01', 'UTC'],
  ['UTC+5', '2024-01-01', 'UTC+5'],
])('zoneAbbreviation of %s at %s is %s', (zone, at, expected) => {
  expect(zoneAbbreviation(zone, new Date(at))).toBe(expected);
});
