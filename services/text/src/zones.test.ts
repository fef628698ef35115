/** The calendar under the dates: which days there are, which years can be written, and offsets as names of zones. */
import {
  clockTime,
  daysInMonth,
  findZone,
  formatClock,
  getZone,
  instantOf,
  isWritable,
  offsetZone,
} from './zones';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  [1900, 28],
  [2000, 29],
  [2023, 28],
  [2024, 29],
  [2100, 28],
  [2400, 29],
  [1, 28],
  [4, 29],
  [100, 28],
  [400, 29],
])('February of %d has %d days', (year, days) => expect(daysInMonth(year, 2)).toBe(days));

test('the other months have theirs', () => {
  const months = Array.from({ length: 12 }, (_, index) => daysInMonth(2023, index + 1));
  expect(months).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
});

describe('a clock', () => {
  test.each<[number[], string]>([
    [[1, 1, 1], '0001-01-01T00:00:00Z'],
    [[99, 12, 31, 23, 59, 59], '0099-12-31T23:59:59Z'],
    [[9999, 12, 31, 23, 59, 59], '9999-12-31T23:59:59Z'],
    [[2024, 2, 29, 0, 0, 1], '2024-02-29T00:00:01Z'],
  ])('%j', (parts, iso) => {
    const clock = clockTime(...(parts as [number, number, number]));
    expect(clock).toBe(Date.parse(iso));
    expect(formatClock(clock as number)).toBe(iso.replace('T', ' ').replace('Z', ''));
  });

  test.each([
    [0, 1, 1],
    [10_000, 1, 1],
    [-1, 1, 1],
    [2024, 0, 1],
    [2024, 13, 1],
    [2024, 1, 0],
    [2024, 1, 32],
    [2024, 9, 31],
    [2023, 2, 29],
    [2024, 1, 1, 24],
    [2024, 1, 1, 0, 60],
    [2024, 1, 1, 0, 0, 60],
  ])('%d-%d-%d %d:%d:%d is none', (...parts) =>
    expect(clockTime(...(parts as [number, number, number]))).toBeUndefined(),
  );

  test('is written to the second, before 1970 as well', () => {
    expect(formatClock(-1)).toBe('1969-12-31 23:59:59');
    expect(formatClock(59_999)).toBe('1970-01-01 00:00:59');
    expect(formatClock(DAY - 1)).toBe('1970-01-01 23:59:59');
    expect(formatClock(DAY)).toBe('1970-01-02 00:00:00');
  });
});

test('a moment can be written while both its clocks are within the years 1 to 9999', () => {
  const first = Date.parse('0001-01-01T00:00:00Z');
  const last = Date.parse('9999-12-31T23:59:59Z');
  for (const fits of [first, last, 0]) expect(isWritable(fits, fits)).toBe(true);
  for (const [clock, utc] of [
    [first - 1, 0],
    [last + 1, 0],
    [0, first - 1],
    [0, last + 1],
  ] as const)
    expect(isWritable(clock, utc)).toBe(false);
});

describe('a zone that is an offset', () => {
  test.each([
    ['UTC', 0],
    ['utc', 0],
    ['GMT+1', 1],
    ['utc-3.5', -3.5],
    ['UTC+5:30', 5.5],
    ['+0530', 5.5],
    ['-00:30', -0.5],
    ['+14', 14],
    ['-14:00', -14],
    ['UTC+5.75', 5.75],
  ])('%s', (name, hours) => {
    const zone = findZone(name);
    expect(zone?.isNamed).toBe(false);
    expect(zone?.offsetAt(0)).toBe(hours * HOUR);
    expect(zone?.offsetAt(Date.UTC(2030, 6, 1))).toBe(hours * HOUR);
    expect(findZone(name)?.offsetAt(0)).toBe(hours * HOUR);
  });

  test.each([
    '+15',
    'UTC+14:01',
    '+5:60',
    'x+5',
    '+5x',
    'UTC+',
    '+',
    'UTC 5',
    'UTCx',
    'xUTC',
    '',
    '+12345',
    'UTC++5',
  ])('%j is none', (name) => {
    expect(findZone(name)).toBeUndefined();
    expect(() => getZone(name)).toThrow(RangeError);
  });

  test('an unknown name is told, cut short', () => {
    expect(() => getZone('Mars/Base')).toThrow('Unknown time zone: Mars/Base');
    expect(() => getZone('x'.repeat(100))).toThrow(new RangeError(`Unknown time zone: ${'x'.repeat(64)}`));
  });
});

describe('a zone with a name', () => {
  test.each(['Europe/Brussels', 'europe/brussels', 'EUROPE/BRUSSELS'])('%s', (name) => {
    const zone = getZone(name);
    expect(zone.isNamed).toBe(true);
    expect(zone.offsetAt(Date.UTC(2024, 0, 1))).toBe(HOUR);
    expect(zone.offsetAt(Date.UTC(2024, 6, 1))).toBe(2 * HOUR);
  });

  test.each([
    'Europe/Brussels ',
    ' Europe/Brussels',
    'Europe/Brussels;x',
    '../etc/passwd',
    '1Europe',
    '[u-ca=x]',
  ])('%j is none', (name) => expect(findZone(name)).toBeUndefined());

  test('changes at the second that the rules name, on a day that was asked about before and on a new one', () => {
    const change = Date.UTC(2024, 2, 31, 1);
    for (let again = 0; again < 2; again++) {
      const zone = getZone('Europe/Brussels');
      expect([change - 1, change, change - DAY, change + DAY].map((at) => zone.offsetAt(at) / HOUR)).toEqual([
        1, 2, 1, 2,
      ]);
    }
  });

  test('has one offset before there were rules', () => {
    const zone = getZone('America/New_York');
    expect(zone.offsetAt(Date.UTC(1700, 0, 1))).toBe(zone.offsetAt(Date.UTC(1800, 0, 1)));
    expect(zone.offsetAt(Date.parse('0001-01-01T00:00:00Z'))).toBe(-(4 * HOUR + 56 * 60_000 + 2_000));
  });
});

test('an offset holds at every instant', () => {
  expect(instantOf(Date.UTC(2024, 2, 31, 2, 30), offsetZone(HOUR))).toBe(Date.UTC(2024, 2, 31, 1, 30));
});
