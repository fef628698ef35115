/** The text of a calendar, as two other programs' readers understand it. */
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { parseDateTime, zoneOffsetHours } from '@sevenfold/text/dates';
import type { Around } from '../events/presenter';
import { calendarText } from './calendar';
import type { TellableEvent } from './store';

const SITE = 'http://site.test';

const published = {
  author: 1,
  status: 'publish',
  statusBeforeTrash: '',
  dateLocal: '2026-01-02 03:04:05',
  dateUtc: '2026-01-02 03:04:05',
  dateChosen: true,
  modifiedLocal: '2026-02-03 04:05:06',
  modifiedUtc: '2026-02-03 04:05:06',
  imageId: 0,
  website: '',
  globalId: '',
};

function event(fields: Partial<TellableEvent> = {}): TellableEvent {
  const row: TellableEvent = {
    ...published,
    id: 7,
    slug: 'seven',
    titleHtml: 'Seven',
    descriptionHtml: '',
    excerptHtml: '',
    timezone: 'Europe/Berlin',
    allDay: false,
    startLocal: '2027-07-01 20:00:00',
    endLocal: '2027-07-01 22:00:00',
    startUtc: '2027-07-01 18:00:00',
    endUtc: '2027-07-01 20:00:00',
    costDetails: { symbol: '', position: '', values: [], shown: [] },
    venueId: 0,
    organizerIds: [],
    categoryIds: [],
    tagIds: [],
    globalIdLineage: [],
    sequence: 0,
    showMap: false,
    showMapLink: false,
    hideFromListings: false,
    sticky: false,
    featured: false,
    ...fields,
  } as TellableEvent;
  return row;
}

/** Start and end as clocks of the zone show them. */
function at(zone: string, start: string, end: string): Partial<TellableEvent> {
  const [first, last] = [parseDateTime(start, zone)!, parseDateTime(end, zone)!];
  const sql = (utc: Date): string => utc.toISOString().slice(0, 19).replace('T', ' ');
  return {
    timezone: zone,
    startLocal: first.local,
    endLocal: last.local,
    startUtc: sql(first.utc),
    endUtc: sql(last.utc),
  };
}

const nothing: Around = { terms: new Map(), media: new Map(), venues: new Map(), organizers: new Map() };
const about = { siteUrl: SITE, name: 'A "site"; of, ours', zone: 'UTC', mostText: 4_000 };
const textOf = (
  events: readonly TellableEvent[],
  around = nothing,
  more: Partial<typeof about> = {},
): string => calendarText(events, around, { ...about, ...more });

interface Read {
  readonly uid: string;
  readonly title: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** As the one reads it, with the zones that the file itself brings. */
function byIcalJs(text: string): Read[] {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, summary, description, startDate, endDate } = new ICAL.Event(component);
    return {
      uid,
      title: summary,
      text: description ?? '',
      start: startDate.toUnixTime() * 1000,
      end: endDate.toUnixTime() * 1000,
    };
  });
}

/** One with parameters comes with them. */
const plain = (value: string | { val: string }): string => (typeof value === 'string' ? value : value.val);

/** As the other does, which knows zones by their names. */
function byNodeIcal(text: string): Read[] {
  const components = Object.values(nodeIcal.sync.parseICS(text));
  return components
    .filter((one): one is VEvent => one?.type === 'VEVENT')
    .map(({ uid, summary = '', description = '', start, end }) => ({
      uid,
      title: plain(summary),
      text: plain(description),
      start: start.getTime(),
      end: (end ?? start).getTime(),
    }));
}

/** The second reader is an hour off for some hours around a change of the clock, and for weeks where that is changed for Ramadan. */
const isCalm = (zone: string, at: number): boolean =>
  zone !== 'Africa/Casablanca' &&
  new Set([-24, 0, 24].map((hours) => zoneOffsetHours(zone, new Date(at + hours * 3_600_000)))).size === 1;

const utcOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

test('the file is lines alone: none of them is empty, the last one neither', () => {
  for (const text of [textOf([]), textOf([event({ titleHtml: '' })])]) {
    expect(text.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true);
    expect(text.slice(0, -2).split('\r\n')).not.toContain('');
  }
});

test('a place near nothing has no exponent, which readers of RFC 5545 do not know', () => {
  const geoOf = (geoLat: number, geoLng: number): string | undefined => {
    const venue = { ...published, id: 9, slug: 'hall', name: 'Hall', geoLat, geoLng };
    const texts = { address: '', zip: '', city: '', stateprovince: '', country: '' };
    const venues = new Map([[9, { ...venue, ...texts }]]) as unknown as Around['venues'];
    return /^GEO:(.*)\r$/m.exec(textOf([event({ venueId: 9 })], { ...nothing, venues }))?.[1];
  };
  expect(geoOf(45.757814, 4.8)).toBe('45.757814;4.8');
  expect(geoOf(1e-7, -1e-7)).toBe('0;0');
  expect(geoOf(1e-6, -179.99999999)).toBe('0.000001;-180');
  fc.assert(
    fc.property(fc.double({ min: -90, max: 90, noNaN: true }), (angle) => {
      expect(geoOf(angle, angle)).toMatch(/^-?\d+(?:\.\d{1,6})?;-?\d+(?:\.\d{1,6})?$/);
    }),
  );
});

describe('two readers', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/St_Johns',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Sao_Paulo',
    'Pacific/Apia',
    'Asia/Kathmandu',
  ];
  const text = fc
    .string({ unit: 'grapheme', maxLength: 200, size: 'max' })
    .map((one) => one.replace(/[<&]/g, '+'));
  const many = fc.array(
    fc.record({
      zone: fc.constantFrom(...zones),
      start: fc.date({ min: new Date('1985-01-01'), max: new Date('2031-01-01'), noInvalidDate: true }),
      hours: fc.integer({ min: 1, max: 60 }),
      title: text,
      description: text,
    }),
    { minLength: 1, maxLength: 5 },
  );

  test('agree with the rows and with each other, whatever the zone, the year and the texts', () => {
    fc.assert(
      fc.property(many, (drawn) => {
        const rows = drawn.map(({ zone, start, hours, title, description }, index) => {
          const whole = new Date(Math.floor(start.getTime() / 60_000) * 60_000);
          const shown = (date: Date): string => date.toISOString().slice(0, 19);
          const end = new Date(whole.getTime() + hours * 3_600_000);
          return event({
            id: index + 1,
            titleHtml: title,
            descriptionHtml: description,
            ...at(zone, shown(whole), shown(end)),
          });
        });
        const file = textOf(rows);
        const [one, other] = [byIcalJs(file), byNodeIcal(file)];
        expect(one.map(({ uid }) => uid)).toEqual(rows.map(({ id }) => `event-${id}@site.test`));
        expect(one.map(({ start, end }) => [start, end])).toEqual(
          rows.map(({ startUtc, endUtc }) => [utcOf(startUtc), utcOf(endUtc)]),
        );
        expect(other.map(({ uid }) => uid)).toEqual(one.map(({ uid }) => uid));
        other.forEach(({ start, end }, index) => {
          const { timezone } = rows[index]!;
          if (isCalm(timezone, start)) expect(start).toBe(one[index]!.start);
          if (isCalm(timezone, end)) expect(end).toBe(one[index]!.end);
        });
        const plain = (html: string): string => html.replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
        one.forEach(({ title, text: shown }, index) => {
          expect([title, plain(shown)]).toEqual([
            plain(rows[index]!.titleHtml),
            plain(rows[index]!.descriptionHtml),
          ]);
        });
        for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

test('lines are folded so that none is longer than 75 octets, in no character', () => {
  const file = textOf([
    event({ titleHtml: 'ü'.repeat(300), descriptionHtml: `${'😀'.repeat(100)} ${'x'.repeat(300)}` }),
  ]);
  const lengths = file.split('\r\n').map((line) => Buffer.byteLength(line));
  expect([Math.max(...lengths), file.includes('\ufffd')]).toEqual([75, false]);
  expect(byNodeIcal(file)[0]?.title).toBe('ü'.repeat(300));
});

test.each([
  ['the first time', '2027-10-31 00:30:00'],
  ['the second time', '2027-10-31 01:30:00'],
])('what a clock shows twice is told in UTC: %s', (_, startUtc) => {
  const local = { startLocal: '2027-10-31 02:30:00', endLocal: '2027-10-31 12:00:00' };
  const row = event({ ...local, startUtc, endUtc: '2027-10-31 11:00:00' });
  const file = textOf([row]);
  expect(file).toContain(`DTSTART:20271031T${startUtc.slice(11).replaceAll(':', '')}Z`);
  expect(file).toContain('DTEND;TZID=Europe/Berlin:20271031T120000');
  for (const read of [byIcalJs, byNodeIcal]) expect(read(file)[0]?.start).toBe(utcOf(startUtc));
});

test.each([
  ['America/New_York', '0001-01-01T20:00:00', '2030-07-01T20:00:00'],
  ['America/New_York', '0001-01-01T00:00:00', '0001-01-01T01:00:00'],
  ['America/New_York', '9999-12-31T10:00:00', '9999-12-31T12:00:00'],
  ['Asia/Tokyo', '0001-01-01T20:00:00', '2030-07-01T20:00:00'],
  ['Asia/Tokyo', '9999-12-31T22:00:00', '9999-12-31T23:59:59'],
  ['Pacific/Auckland', '0001-01-02T20:00:00', '9999-12-31T23:59:59'],
  ['Etc/GMT+12', '0002-01-01T00:00:00', '9999-12-31T11:59:59'],
  ['UTC-5', '0001-01-01T20:00:00', '9999-12-31T18:00:00'],
  ['UTC', '0001-01-01T00:00:00', '9999-12-31T23:59:59'],
])('years are 1 to 9999, also where a zone begins: %s, %s to %s', (zone, start, end) => {
  const row = event(at(zone, start, end));
  const file = textOf([row]);
  const dates = file.split('\r\n').filter((line) => /^DT(START|END)[^:]*:/.test(line));
  expect(dates.filter((line) => !/:(?!0000)\d{8}(T\d{6}Z?)?$/.test(line))).toEqual([]);
  const own = dates.slice(-2).map((line) => line.replace(/^.*:|Z$/g, ''));
  const told = zone.startsWith('UTC') ? [row.startUtc, row.endUtc] : [row.startLocal, row.endLocal];
  expect(own).toEqual(told.map((clock) => clock.replace(/[-:]/g, '').replace(' ', 'T')));
  // No reader counts the seconds of such years; they read the file, and so the zone, all the same.
  expect(byIcalJs(file)).toHaveLength(1);
});

test('what takes no time has no end, and an empty calendar has a zone', () => {
  const moment = event({ endLocal: '2027-07-01 20:00:00', endUtc: '2027-07-01 18:00:00' });
  expect(textOf([moment])).not.toContain('DTEND');
  const empty = textOf([]);
  expect([byIcalJs(empty), empty.match(/BEGIN:VTIMEZONE/g)?.length]).toEqual([[], 1]);
});

test.each(['UTC+5:30', 'UTC-3', '+05:45'])('a zone that is an offset is read by both: %s', (zone) => {
  const row = event(at(zone, '2027-07-01T20:00:00', '2027-07-01T21:00:00'));
  const times = [{ start: utcOf(row.startUtc), end: utcOf(row.endUtc) }];
  for (const read of [byIcalJs, byNodeIcal]) expect(read(textOf([row]))).toMatchObject(times);
});

test('a long description ends with a mark, and nothing in a text begins a line of its own', () => {
  const hostile = 'A\r\nEND:VEVENT\nATTACH:http://evil.test\u0000\u2028';
  const file = textOf([event({ titleHtml: hostile, descriptionHtml: `<p>${'x'.repeat(5_000)}</p>` })]);
  const [one, ...others] = byIcalJs(file);
  expect([one?.title.startsWith('A END:VEVENT ATTACH:'), others]).toEqual([true, []]);
  expect([one?.text.length, one?.text.at(-1)]).toEqual([4_000, '…']);
  expect(file.split('\r\n').filter((line) => line.startsWith('ATTACH'))).toEqual([]);
});
