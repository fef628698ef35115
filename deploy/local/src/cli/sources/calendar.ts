/** Events of an iCalendar file (RFC 5545) as a batch report carries them: one for each time that one takes place. */
import { createHash } from 'node:crypto';
import { escapeHtml } from '@sevenfold/text/html';
import { isZone } from '@sevenfold/text/dates';
import { endOfRawElement, nextMarkup } from '@sevenfold/text/markup';
import { type Zone, DAY_MS, floating, isoOf, namedZone, openZones } from './clock';
import { type Entry, type Property, readEntries, textOf } from './entries';
import { type Fault, type Found, type FoundEvent, type Wanted, nameFor } from './found';
import { type Days, type Instance, type Series, Uncountable, instancesOf, startOf } from './recurrence';

/** Of what goes on without an end. */
const BEFORE_DAYS = 366;
const AFTER_DAYS = 2 * 366;

const PATIENCE_MS = 10_000;

const PRIVATE = new Set(['PRIVATE', 'CONFIDENTIAL']);

/** Throws where the text is no calendar at all. */
export function readCalendar(text: string, wanted: Wanted): Found {
  const { events: entries, zones, timezone, faults: broken } = readEntries(text);
  const faults: Fault[] = [...broken];
  const leftOut: Fault[] = [];
  const events: FoundEvent[] = [];
  const usual = [wanted.timezone, timezone].find((name) => name !== undefined && isZone(name));
  const zoneOf = openZones(zones);
  for (const series of seriesOf(entries)) {
    const { first } = series;
    const title = first.text('summary');
    try {
      const instances = instancesOf(series, daysOf(series, wanted), zoneOf);
      const { zone, isDay } = startOf(first, zoneOf);
      for (const instance of instances) {
        const { entry } = instance;
        const reason = reasonAgainst(entry);
        const day = isoOf(instance.start).slice(0, 10);
        if (reason !== undefined)
          leftOut.push({ line: entry.line, title: entry.text('summary'), reason: `${reason} (${day})` });
        else events.push(eventOf(series, instance, { zone, isDay, usual }));
      }
    } catch (error) {
      if (!(error instanceof Uncountable)) throw error;
      faults.push({ line: first.line, title, reason: error.message });
    }
  }
  return { events, faults, leftOut };
}

function reasonAgainst(entry: Entry): string | undefined {
  if (entry.text('status').toUpperCase() === 'CANCELLED') return 'It is cancelled.';
  return PRIVATE.has(entry.text('class').toUpperCase()) ? 'It is private.' : undefined;
}

/** What is asked for counts for all; without it only what goes on for ever is cut. */
function daysOf({ first }: Series, { from, to, now, patienceMs = PATIENCE_MS }: Wanted): Days {
  const isSeries = first.all('rrule').length > 0;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const begin = isSeries ? today - BEFORE_DAYS * DAY_MS : -Infinity;
  const end = isSeries ? today + AFTER_DAYS * DAY_MS : Infinity;
  return {
    from: from === undefined ? begin : Date.parse(`${from}T00:00:00Z`),
    to: to === undefined ? end : Date.parse(`${to}T23:59:59Z`),
    patienceMs,
  };
}

/** By their names, each with what stands in for some of its times. Of what is there twice the later version counts. */
function seriesOf(entries: readonly Entry[]): Series[] {
  const named = new Map<string, { first?: Entry; changed: Map<string, Entry> }>();
  entries.forEach((entry, index) => {
    const uid = entry.text('uid') || `#${index}`;
    const series = named.get(uid) ?? { changed: new Map<string, Entry>() };
    named.set(uid, series);
    const [which] = entry.all('recurrence-id');
    if (!which) {
      if (!series.first || version(entry) >= version(series.first)) series.first = entry;
      return;
    }
    const key = `${which.params.tzid ?? ''} ${String(which.values[0])}`;
    const before = series.changed.get(key);
    if (!before || version(entry) >= version(before)) series.changed.set(key, entry);
  });
  return [...named.values()].flatMap(({ first, changed }) => {
    if (first) return [{ first, changed: [...changed.values()] }];
    // Of a whole that is elsewhere.
    return [...changed.values()].map((entry) => ({ first: entry, changed: [] }));
  });
}

function version(entry: Entry): number {
  const number = Number(entry.all('sequence')[0]?.values[0]);
  return Number.isFinite(number) ? number : 0;
}

interface When {
  readonly zone: Zone;
  readonly isDay: boolean;
  /** Of times that name no zone, and whose clock UTC times are shown on. */
  readonly usual: string | undefined;
}

function eventOf({ first }: Series, instance: Instance, when: When): FoundEvent {
  const { entry } = instance;
  const name = uidOf(first, instance);
  const description = descriptionOf(entry);
  const url = webAddress(entry.text('url')) ?? webAddress(entry.text('location'));
  const images = [...entry.all('image'), ...entry.all('attach')];
  const image = images.filter(isPicture).map(({ values }) => webAddress(String(values[0])))[0];
  const categories = entry
    .all('categories')
    .flatMap(({ values }) => values.map((value) => String(value).trim()));
  return {
    uid: name,
    global_id: name,
    title: escapeHtml(entry.text('summary').trim()),
    description,
    ...timesOf(instance, when),
    ...(url === undefined ? {} : { url }),
    ...(image === undefined ? {} : { image }),
    categories: categories.filter((one) => one !== ''),
    venue: venueOf(entry),
    organizer: organizersOf(entry),
  };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 40);

/** The same each time the file is read, and another one for each time that it takes place. */
function uidOf(first: Entry, { named }: Instance): string {
  const start = textOf(first.all('dtstart')[0]?.values[0]);
  const given = first.text('uid').trim();
  const uid = nameFor(given || `none ${first.text('summary')} ${start} ${first.text('location')}`, digest);
  const which = first.all('recurrence-id')[0]?.values[0];
  const time = named === undefined ? textOf(which) : isoOf(named);
  return time === '' ? uid : `${uid}/${time.replace(/[-:]|T000000$/g, '')}`;
}

function timesOf({ start, end, entry }: Instance, { zone, isDay, usual }: When): FoundEvent {
  const lastClock = zone.toClock(end);
  if (isDay || (isMarkedDay(entry) && lastClock > start && [start, lastClock].every(isMidnight)))
    return {
      all_day: true,
      start_date: isoOf(start).slice(0, 10),
      // Its end is the first day that it does not take.
      end_date: isoOf(Math.max(start, lastClock - DAY_MS)).slice(0, 10),
      ...(usual === undefined ? {} : { timezone: usual }),
    };
  const utc = zone.toUtc(start);
  const isMoment = zone.nameAt(utc) === 'UTC' && usual !== undefined;
  const shown = isMoment || zone === floating ? (usual === undefined ? floating : namedZone(usual)) : zone;
  const timezone = shown.nameAt(utc);
  const told = timezone === undefined ? floating : namedZone(timezone);
  const begin = (zone === floating ? told : zone).toUtc(start);
  const last = zone === floating ? told.toUtc(end) : end;
  return {
    all_day: false,
    start_date: wireOf(begin, told),
    end_date: wireOf(Math.max(begin, last), told),
    ...(timezone === undefined ? {} : { timezone }),
  };
}

/** Exchange writes whole days from midnight to midnight, and beside it that they are. */
const isMarkedDay = (entry: Entry): boolean =>
  entry.text('x-microsoft-cdo-alldayevent').toUpperCase() === 'TRUE';
const isMidnight = (clock: number): boolean => clock % DAY_MS === 0;

/** As its clock shows it; the second time that the clock shows the same, when it was set back, as a moment. */
function wireOf(utc: number, zone: Zone): string {
  const clock = zone.toClock(utc);
  return (zone.toUtc(clock) === utc ? isoOf(clock) : `${isoOf(utc)}Z`).replace('T', ' ');
}

/** What the text may hold is decided where it is kept. */
function descriptionOf(entry: Entry): string {
  const [html] = entry
    .all('x-alt-desc')
    .filter(({ params }) => params.fmttype?.toLowerCase() === 'text/html');
  if (html) {
    const written = String(html.values[0]);
    return bodyOf(html.type === 'unknown' ? unescaped(written) : written);
  }
  const text = entry.text('description');
  // Some programs write HTML where text belongs.
  return /<\/?(?:a|b|br|div|em|h[1-6]|i|li|ol|p|span|strong|u|ul)\b[^<>]*>/i.test(text)
    ? text
    : escapeHtml(text);
}

/** The parser does not know that it is text. */
const unescaped = (text: string): string =>
  text.replace(/\\([\\;,Nn])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one));

/**
 * Some programs write a whole page there, whose head would be text among the rest. Lines of HTML end where they like, those that
 * are imported where the text is to break.
 */
function bodyOf(html: string): string {
  const parts: string[] = [];
  let at = 0;
  let isPre = false;
  const textTo = (end: number): string => {
    const text = html.slice(at, end);
    return isPre ? text : text.replace(/[\r\n]+/g, ' ');
  };
  for (let found = nextMarkup(html, 0); found; found = nextMarkup(html, at)) {
    const { kind, name, start, end } = found;
    const isHead = kind === 'open' && (name === 'style' || name === 'title');
    parts.push(textTo(start), isHead ? '' : html.slice(start, end));
    if (name === 'pre') isPre = kind === 'open';
    at = isHead ? endOfRawElement(html, name, end).end : end;
    if (name !== 'body') continue;
    if (kind === 'close') return parts.slice(0, -1).join('').trim();
    parts.length = 0;
  }
  return [...parts, textTo(html.length)].join('').trim();
}

function webAddress(text: string): string | undefined {
  const address = text.trim();
  if (!/^https?:\/\/\S+$/i.test(address) || address.length > 2_048) return undefined;
  return URL.canParse(address) ? address : undefined;
}

const isPicture = ({ params, type }: Property): boolean =>
  type === 'uri' && /^image\//i.test(params.fmttype ?? (params.display === undefined ? '' : 'image/'));

/** Where an address of the web stands instead of a place, it takes place there and nowhere else. */
function venueOf(entry: Entry): object | null {
  const location = entry.text('location').trim();
  if (location === '' || webAddress(location) !== undefined) return null;
  const [name = '', ...address] = location
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [point] = entry.all('geo')[0]?.values ?? [];
  const [lat, lng] = Array.isArray(point) ? (point as unknown[]) : [];
  return {
    venue: name,
    ...(address.length === 0 ? {} : { address: address.join(', ') }),
    ...(typeof lat === 'number' && typeof lng === 'number' ? { latitude: lat, longitude: lng } : {}),
  };
}

/** A mail address without a name is nobody's name. A contact with an address of the web is one of those who organize it. */
function organizersOf(entry: Entry): object[] {
  const [organizer] = entry.all('organizer');
  const name = organizer?.params.cn?.trim() ?? '';
  const [, email] = /^mailto:(.+)$/i.exec(textOf(organizer?.values[0])) ?? [];
  const contacts = entry
    .all('contact')
    .filter(({ params }) => webAddress(params.altrep ?? '') !== undefined)
    .map(({ values }) => ({ organizer: String(values[0]) }));
  return [
    ...(name === '' ? [] : [{ organizer: name, ...(email === undefined ? {} : { email }) }]),
    ...contacts,
  ];
}
