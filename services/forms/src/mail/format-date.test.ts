/** The letters of dates, each as PHP has it. */
import { formatDate, formatText } from './format-date';

const at = new Date('2026-11-27T15:04:05.678Z');

test.each([
  ['d j S D l N w z', '27 27 th Fri Friday 5 5 330'],
  ['W o', '48 2026'],
  ['F m M n t', 'November 11 Nov 11 30'],
  ['L Y y X x', '0 2026 26 +2026 2026'],
  ['a A B g G h H i s', 'pm PM 669 4 16 04 16 04 05'],
  ['u v', '678000 678'],
  ['e T I O P p Z', 'Europe/Brussels CET 0 +0100 +01:00 +01:00 3600'],
  ['c', '2026-11-27T16:04:05+01:00'],
  ['r', 'Fri, 27 Nov 2026 16:04:05 +0100'],
  ['U', '1795791845'],
  ['l jS F Y', 'Friday 27th November 2026'],
  ['H:i T', '16:04 CET'],
  ['\\d\\a\\y: j \\\\ k \\', 'day: 27 \\ k \\'],
  ['', ''],
])('%j is %j', (format, expected) => {
  expect(formatDate(at, format, 'Europe/Brussels')).toBe(expected);
});

test.each([
  [[1, 21, 31], 'st'],
  [[2, 22], 'nd'],
  [[3, 23], 'rd'],
  [[4, 11, 12, 13, 20, 24, 30], 'th'],
])('%j have %s behind them', (days, suffix) => {
  for (const day of days)
    expect(formatText(`2026-01-${String(day).padStart(2, '0')}`, 'jS', 'UTC')).toBe(`${day}${suffix}`);
});

test.each([
  ['2024-12-30', 'o-W z L t', '2025-01 364 1 31'],
  ['2027-01-01', 'o-W z L t', '2026-53 0 0 31'],
  ['2024-02-29', 'o-W z L t', '2024-09 59 1 29'],
  ['1900-03-01', 'o-W z L t', '1900-09 59 0 31'],
  ['0099-12-31', 'o-W Y y', '0099-53 0099 99'],
])('the year of %s: %s is %s', (day, format, expected) => {
  expect(formatText(day, format, 'UTC')).toBe(expected);
});

test.each([
  ['America/New_York', '2026-07-01T12:00:00Z', 'America/New_York EDT 1 -0400 -04:00 -14400 08'],
  ['UTC', '2026-07-01T12:00:00Z', 'UTC UTC 0 +0000 Z 0 12'],
  ['UTC+5.5', '2026-07-01T12:00:00Z', 'UTC+5.5 UTC+5.5 0 +0530 +05:30 19800 17'],
  ['Australia/Sydney', '2026-01-01T12:00:00Z', 'Australia/Sydney AEDT 1 +1100 +11:00 39600 23'],
  ['Europe/Berlin', '2027-10-31T00:30:00Z', 'Europe/Berlin CEST 1 +0200 +02:00 7200 02'],
  ['Europe/Berlin', '2027-10-31T01:30:00Z', 'Europe/Berlin CET 0 +0100 +01:00 3600 02'],
])('of the zone %s at %s', (zone, utc, expected) => {
  expect(formatDate(new Date(utc), 'e T I O p Z H', zone)).toBe(expected);
});

test.each([
  ['2030-07-05', 'D, jS M Y H:i P', 'Fri, 5th Jul 2030 00:00 +02:00'],
  [' 2030-07-05T09:08 ', 'c', '2030-07-05T09:08:00+02:00'],
  ['2030-07-05 09:08:07', 'H:i:s U', '09:08:07 1909465687'],
  ['19:30', 'g:i a', '7:30 pm'],
  // What the clock skips is what was sent.
  ['2030-03-31T02:30', 'H:i', '02:30'],
  ['2030-02-30', 'j', '2030-02-30'],
  ['25:00', 'H', '25:00'],
  ['soon', 'Y', 'soon'],
])('of what was sent, %j as %j is %j', (text, format, expected) => {
  expect(formatText(text, format, 'Europe/Brussels')).toBe(expected);
});
