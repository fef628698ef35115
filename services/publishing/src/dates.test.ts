import { parseDateTime } from '@sevenfold/text/dates';
import { type Publication, settlePublication, wantedDate } from './dates';

const ZONE = 'America/New_York';
const now = new Date('2026-03-01T15:00:00Z');
const present = { dateLocal: '2026-03-01 10:00:00', dateUtc: '2026-03-01 15:00:00' };
const chosen = { dateLocal: '2020-01-01 07:00:00', dateUtc: '2020-01-01 12:00:00', dateChosen: true };
const read = (text: string, zone: string) => parseDateTime(text, zone);
const settle = (
  status: string,
  sent: Parameters<typeof wantedDate>[0] = {},
  current?: Omit<Publication, 'status'>,
): Publication => settlePublication(current, status, wantedDate(sent, ZONE, read), now, ZONE);

test('the date on the clock of the site wins; one in UTC is turned to that clock; null in either resets', () => {
  expect(wantedDate({ local: '2026-07-01T08:00:00', utc: '2020-01-01T00:00:00' }, ZONE, read)).toMatchObject({
    local: '2026-07-01 08:00:00',
    utc: new Date('2026-07-01T12:00:00Z'),
  });
  expect(wantedDate({ utc: '2026-07-01T12:00:00' }, ZONE, read)).toMatchObject({
    local: '2026-07-01 08:00:00',
  });
  expect(wantedDate({ local: null }, ZONE, read)).toBe('reset');
  expect(wantedDate({ utc: null }, ZONE, read)).toBe('reset');
  expect(wantedDate({ local: '', utc: undefined }, ZONE, read)).toBeUndefined();
});

test.each(['draft', 'pending', 'auto-draft'])('%s without a chosen date moves with the present', (status) => {
  expect(settle(status)).toEqual({ status, ...present, dateChosen: false });
  expect(settle(status, {}, { ...chosen, dateChosen: false })).toEqual({
    status,
    ...present,
    dateChosen: false,
  });
  expect(settle(status, {}, chosen)).toEqual({ status, ...chosen });
});

test('publication takes the present, and keeps it', () => {
  const published = settle('publish', {}, { ...chosen, dateChosen: false });
  expect(published).toEqual({ status: 'publish', ...present, dateChosen: true });
  expect(settle('publish', { local: null }, chosen)).toEqual(published);
});

test('what clients were shown and send back is no choice', () => {
  const shown = { ...chosen, dateChosen: false };
  expect(settle('draft', { local: '2020-01-01T07:00:00' }, shown)).toMatchObject({
    dateChosen: false,
    ...present,
  });
  expect(settle('draft', { local: '2020-01-01T07:00:01' }, shown)).toMatchObject({ dateChosen: true });
});

test('ahead of its date it is scheduled, behind it published; the trash keeps its date', () => {
  expect(settle('publish', { local: '2026-03-01T10:00:01' }).status).toBe('future');
  expect(settle('publish', { local: '2026-03-01T10:00:00' }).status).toBe('publish');
  expect(settle('future', { local: '2020-01-01T00:00:00' }).status).toBe('publish');
  expect(settle('draft', { local: '2030-01-01T00:00:00' }).status).toBe('draft');
  expect(settle('trash', {}, { ...chosen, dateChosen: false })).toEqual({
    status: 'trash',
    ...chosen,
    dateChosen: false,
  });
});
