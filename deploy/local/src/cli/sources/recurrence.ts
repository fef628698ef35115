/**
 * When an event takes place: once, or as often as its rules and its own dates say (RFC 5545, 3.8.5), within some days. All is
 * counted on the clock of its first time, as people mean it: ten o'clock stays ten o'clock.
 */
import { runInNewContext } from 'node:vm';
import { RRuleTemporal } from 'rrule-temporal';
import { type Moment, type Zone, DAY_MS, clockIn, isoOf, readMoment, utcIn } from './clock';
import { type Entry, textOf } from './entries';

export interface Instance {
  /** What names it among the others: when it would take place if nobody had moved it. Undefined of what takes place once. */
  readonly named?: number;
  /** Clock time, in milliseconds as if UTC. */
  readonly start: number;
  /** The moment, since a clock that is set back shows some times twice; in no zone, clock time as well. */
  readonly end: number;
  /** What is said of it: the event itself, or what stands in for it here. */
  readonly entry: Entry;
}

export interface Series {
  readonly first: Entry;
  /** What stands in for single times, or for one and all that follow. */
  readonly changed: readonly Entry[];
}

export interface Days {
  readonly from: number;
  /** The end of the last one. */
  readonly to: number;
  /** Some rules are never met, and whoever looks for them does so for ever: so long at most. */
  readonly patienceMs: number;
}

/** More would be a mistake, or meant for no calendar that people read. */
const MOST_INSTANCES = 2_000;
const MOST_STEPS = 100_000;

/** What cannot be counted, in words. */
export class Uncountable extends Error {}

type ZoneOf = (id: string) => Zone | undefined;

export function startOf(entry: Entry, zoneOf: ZoneOf): Moment {
  const start = momentOf(entry, 'dtstart', zoneOf);
  if (!start) throw new Uncountable('It has no start that can be read.');
  return start;
}

function momentOf(entry: Entry, name: string, zoneOf: ZoneOf): Moment | undefined {
  const [property] = entry.all(name);
  return property && readMoment(String(property.values[0]), property.params.tzid, zoneOf);
}

/** In order. Outside of the days what happens once is left out as well, if `days` says so. */
export function instancesOf({ first, changed }: Series, days: Days, zoneOf: ZoneOf): Instance[] {
  const start = startOf(first, zoneOf);
  const isSeries = ['rrule', 'rdate'].some((name) => first.all(name).length > 0);
  const whole = lengthOf(first, start, zoneOf);
  if (!isSeries && changed.length === 0)
    return within([{ start: start.clock, end: whole(start.clock), entry: first }], days, start.zone);

  const changes = changed.map((entry) => changeOf(entry, start, zoneOf));
  const times = timesOf(first, start, whole, days, zoneOf);
  const moved = changes.map(({ named, start: at, end, entry }) => ({ named, start: at, end, entry }));
  const single = new Set(changes.map(({ named }) => named));
  const later = changes.filter(({ isRange }) => isRange).sort((a, b) => b.named - a.named);
  const usual = [...times]
    .filter(([named]) => !single.has(named))
    .map(([named, end]): Instance => {
      const change = later.find((one) => one.named < named);
      if (!change) return { named, start: named, end, entry: first };
      const shifted = named + change.start - change.named;
      return { named, start: shifted, end: change.endOf(shifted), entry: change.entry };
    });
  const all = within([...usual, ...moved], days, start.zone).sort((a, b) => a.start - b.start);
  if (all.length > MOST_INSTANCES) throw new Uncountable(tooMany);
  return all;
}

const tooMany = `It takes place more than ${MOST_INSTANCES} times in these days: name fewer with --from and --to.`;

const within = (instances: readonly Instance[], { from, to }: Days, zone: Zone): Instance[] =>
  instances.filter(({ start, end }) => start <= to && Math.max(start, zone.toClock(end)) >= from);

interface Change extends Instance {
  readonly named: number;
  readonly isRange: boolean;
  readonly endOf: (start: number) => number;
}

/** Of what stands in for a time: on the clock of the whole, whatever its own is. */
function changeOf(entry: Entry, { clock, isDay, zone }: Moment, zoneOf: ZoneOf): Change {
  const which = momentOf(entry, 'recurrence-id', zoneOf);
  if (!which) throw new Uncountable('One of its changed times does not say which.');
  // Some programs name a whole day by its midnight, others a time by its day.
  const named = isDay ? dayOf(which.clock) : clockIn(zone, which) + (which.isDay ? clock - dayOf(clock) : 0);
  const own = startOf(entry, zoneOf);
  const endOf = lengthOf(entry, own, zoneOf, zone);
  const isRange = entry.all('recurrence-id')[0]?.params.range === 'THISANDFUTURE';
  const at = own.isDay === isDay ? clockIn(zone, own) : own.clock;
  return { named, isRange, start: at, end: endOf(at), endOf, entry };
}

/** From start, on the clock of `zone`, to the moment of the end: days by the calendar, hours as they pass. */
function lengthOf(
  entry: Entry,
  start: Moment,
  zoneOf: ZoneOf,
  zone: Zone = start.zone,
): (start: number) => number {
  const end = momentOf(entry, 'dtend', zoneOf);
  const { isDay } = start;
  const lasting = (days: number, ms: number) => (from: number) => zone.toUtc(from + days * DAY_MS) + ms;
  if (end && isDay) return lasting(Math.max(1, Math.round((end.clock - start.clock) / DAY_MS)), 0);
  if (end) {
    const ms = utcIn(start.zone, end) - start.zone.toUtc(start.clock);
    return lasting(0, Math.max(0, ms));
  }
  const [duration] = entry.all('duration');
  const { days, ms } = durationOf(textOf(duration?.values[0]));
  return isDay ? lasting(Math.max(1, days), 0) : lasting(days, ms);
}

const DURATION = /^\+?P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/;

/** Nothing where it cannot be read, or ends before it begins. */
function durationOf(text: string): { readonly days: number; readonly ms: number } {
  const [, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (DURATION.exec(text) ?? []).map(
    (part) => Number(part) || 0,
  );
  return { days: weeks * 7 + days, ms: ((hours * 60 + minutes) * 60 + seconds) * 1_000 };
}

/** Starts, each with its end. Those that were taken out are not among them. */
function timesOf(
  entry: Entry,
  start: Moment,
  whole: (start: number) => number,
  days: Days,
  zoneOf: ZoneOf,
): Map<number, number> {
  const { clock, zone, isDay } = start;
  // What began before the days and goes on is among them.
  const longest = Math.max(DAY_MS, whole(clock) - zone.toUtc(clock));
  const span = { ...days, from: days.from - longest };
  const times = new Map([[clock, whole(clock)]]);
  for (const { values } of entry.all('rrule'))
    for (const at of byRule(String(values[0]), start, span)) times.set(at, whole(at));
  for (const { values, params } of entry.all('rdate'))
    for (const value of values) {
      const [from = '', to] = String(Array.isArray(value) ? value.join('/') : value).split('/');
      const moment = readMoment(from, params.tzid, zoneOf);
      if (!moment) throw new Uncountable('One of its dates cannot be read.');
      const at = isDay ? dayOf(moment.clock) : clockIn(zone, moment);
      times.set(at, to === undefined ? whole(at) : periodEnd(at, to, params.tzid, zone, zoneOf));
    }
  for (const { values, params } of entry.all('exdate'))
    for (const value of values) {
      const moment = readMoment(String(value), params.tzid, zoneOf);
      if (!moment) throw new Uncountable('One of its exceptions cannot be read.');
      if (isDay || !moment.isDay) times.delete(isDay ? dayOf(moment.clock) : clockIn(zone, moment));
      else for (const at of [...times.keys()]) if (dayOf(at) === moment.clock) times.delete(at);
    }
  return times;
}

const dayOf = (clock: number): number => Math.floor(clock / DAY_MS) * DAY_MS;

function periodEnd(
  start: number,
  text: string,
  tzid: string | undefined,
  zone: Zone,
  zoneOf: ZoneOf,
): number {
  const end = readMoment(text, tzid, zoneOf);
  if (end) return Math.max(zone.toUtc(start), utcIn(zone, end));
  const { days, ms } = durationOf(text);
  return zone.toUtc(start + days * DAY_MS) + ms;
}

/** The clock is counted as if it were that of UTC, which is never changed. */
function byRule(rule: string, { clock, zone }: Moment, { from, to, patienceMs }: Days): number[] {
  const text = `DTSTART:${basic(clock)}\nRRULE:${soundRule(rule, clock, zone)}`;
  // The library may ask about one of them twice.
  const found = new Set<number>();
  const count = (): void => {
    new RRuleTemporal({ rruleString: text, maxIterations: MOST_STEPS }).all(
      ({ epochMilliseconds: at }, step) => {
        if (at >= from && at <= to) found.add(at);
        return at <= to && found.size <= MOST_INSTANCES && step < MOST_STEPS;
      },
    );
  };
  try {
    runInNewContext('count()', { count }, { timeout: patienceMs });
  } catch {
    throw new Uncountable('Its rule of recurrence cannot be followed.');
  }
  if (found.size > MOST_INSTANCES) throw new Uncountable(tooMany);
  return [...found];
}

/** `20260131T100000Z` */
const basic = (clock: number): string => `${isoOf(clock).replace(/[-:]/g, '')}Z`;

/** Its end on the same clock; and who was born on a leap day has a birthday in leap years only. */
function soundRule(rule: string, start: number, zone: Zone): string {
  const sound = rule.replace(
    /UNTIL=(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z)?)?/i,
    (_all, ...parts: (string | undefined)[]) => {
      const [year, month, day, hour, minute, second, isUtc] = parts;
      const date = `${year}-${month}-${day}`;
      if (hour === undefined) return `UNTIL=${basic(Date.parse(`${date}T23:59:59Z`))}`;
      const until = Date.parse(`${date}T${hour}:${minute}:${second}Z`);
      return `UNTIL=${basic(isUtc ? zone.toClock(until) : until)}`;
    },
  );
  const isLeapDay = isoOf(start).slice(5, 10) === '02-29';
  return isLeapDay && /FREQ=YEARLY/i.test(sound) && !/BY(?:MONTH|DAY|YEARDAY|WEEKNO)/i.test(sound)
    ? `${sound};BYMONTH=2;BYMONTHDAY=29`
    : sound;
}
