/**
 * Times of an iCalendar file (RFC 5545, 3.3.5): what a clock shows, in milliseconds as if that were UTC, and the zone that it
 * belongs to. A zone is the one that its name means to us, else what the file itself says of it.
 */
import ICAL from 'ical.js';
import { findIana } from 'windows-iana';
import { isZone, parseDateTime, toLocal } from '@sevenfold/text/dates';

type Component = InstanceType<typeof ICAL.Component>;

export interface Zone {
  toUtc(clock: number): number;
  toClock(utc: number): number;
  /** As the interface names it at that moment; undefined where the time is that of whoever reads it. */
  nameAt(utc: number): string | undefined;
}

const HOUR_MS = 3_600_000;

export const isoOf = (clock: number): string => new Date(clock).toISOString().slice(0, 19);

const clockOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/** `name` has passed isZone. */
export const namedZone = (name: string): Zone => ({
  toUtc: (clock) => parseDateTime(isoOf(clock), name)?.utc.getTime() ?? clock,
  toClock: (utc) => clockOf(toLocal(new Date(utc), name)),
  nameAt: () => name,
});

/** Of nowhere in particular. */
export const floating: Zone = { toUtc: (clock) => clock, toClock: (utc) => utc, nameAt: () => undefined };

/** What the file says of a zone whose name nobody knows. */
function describedZone(component: Component): Zone {
  const zone = new ICAL.Timezone(component);
  const offsetAt = (clock: number): number =>
    zone.utcOffset(ICAL.Time.fromDateTimeString(isoOf(clock))) * 1_000;
  const toUtc = (clock: number): number => clock - offsetAt(clock);
  const toClock = (utc: number): number => {
    const near = utc + offsetAt(utc);
    return utc + offsetAt(near);
  };
  return { toUtc, toClock, nameAt: (utc) => offsetName(toClock(utc) - utc) };
}

function offsetName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const rest = minutes % 60;
  const hours = `${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
  return minutes === 0 ? 'UTC' : `UTC${offset < 0 ? '-' : '+'}${hours}`;
}

/** Finds what the name of a zone means; undefined where nobody knows. `components` are the zones of the file. */
export function openZones(components: readonly Component[]): (id: string) => Zone | undefined {
  const described = new Map(components.map((one) => [String(one.getFirstPropertyValue('tzid')), one]));
  const known = new Map<string, Zone | undefined>();
  const find = (id: string): Zone | undefined => {
    const component = described.get(id);
    const location = component?.getFirstPropertyValue('x-lic-location');
    const name = [...(location ? [String(location)] : []), ...namesIn(id)].find(isKnown);
    if (name !== undefined) return namedZone(name);
    return component && describedZone(component);
  };
  return (id) => {
    if (!known.has(id)) known.set(id, find(id));
    return known.get(id);
  };
}

const isKnown = (name: string): boolean => name.length <= 64 && isZone(name);

/** Some programs put their own name before that of the zone, others have names of their own. */
function namesIn(id: string): string[] {
  const parts = id.replace(/^"|"$/g, '').trim().split('/');
  const ends = parts.map((_, index) => parts.slice(index).join('/'));
  return [...ends, ...findIana(id)];
}

export interface Moment {
  /** Milliseconds as if UTC; of a day its midnight. */
  readonly clock: number;
  readonly isDay: boolean;
  readonly zone: Zone;
}

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(Z)?)?$/;

/** As the parser writes it (RFC 7265); undefined where it is no time, or its zone is unknown. */
export function readMoment(
  written: string,
  tzid: string | undefined,
  zoneOf: (id: string) => Zone | undefined,
): Moment | undefined {
  // What is only a day is one, whether it says so (`VALUE=DATE`) or not.
  const text = written.replace(/T::$/, '');
  const match = TIME.exec(text);
  const clock = match ? Date.parse(text.length === 10 || match[1] ? text : `${text}Z`) : NaN;
  if (!match || Number.isNaN(clock) || isoOf(clock).slice(0, 10) !== text.slice(0, 10)) return undefined;
  if (text.length === 10) return { clock, isDay: true, zone: floating };
  const zone = match[1] ? namedZone('UTC') : tzid === undefined ? floating : zoneOf(tzid);
  return zone && { clock, isDay: false, zone };
}

/** The same moment by another clock; days and times of nowhere are what they are everywhere. */
export const clockIn = (zone: Zone, moment: Moment): number =>
  moment.isDay || moment.zone === floating || moment.zone === zone
    ? moment.clock
    : zone.toClock(moment.zone.toUtc(moment.clock));

/** What moment it is; days and times of nowhere are those of the zone. */
export const utcIn = (zone: Zone, moment: Moment): number =>
  (moment.isDay || moment.zone === floating ? zone : moment.zone).toUtc(moment.clock);

export const DAY_MS = 24 * HOUR_MS;
