/**
 * A time zone as calendar programs want it (VTIMEZONE): its offsets in the years that are asked about, one observance for each
 * change of the clock. So it says what our own clocks say, for years of the past, too, in which other rules held.
 */
import { toLocal, zoneAbbreviation, zoneOffsetHours } from '@sevenfold/text/dates';
import type { Component, Property } from './jcal';

const HOUR_MS = 3_600_000;
/** No clock is changed twice within so long. */
const STEP_MS = 7 * 24 * HOUR_MS;

interface Change {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

const offsetAt = (zone: string, at: number): number => zoneOffsetHours(zone, new Date(at)) * HOUR_MS;

const yearBegin = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);
/** Years have four digits, and there is none before the first; no event of ours begins earlier on any clock. */
const FIRST_ONSET = yearBegin(1);

const known = new Map<string, readonly Change[]>();
const MOST_KNOWN = 2_000;

/** In order. */
function changesIn(zone: string, year: number): readonly Change[] {
  const key = `${zone} ${year}`;
  let changes = known.get(key);
  if (!changes) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, (changes = findChanges(zone, yearBegin(year), yearBegin(year + 1))));
  }
  return changes;
}

function findChanges(zone: string, from: number, to: number): Change[] {
  const found: Change[] = [];
  for (let at = from; at < to; at += STEP_MS) {
    let [early, late] = [at, Math.min(at + STEP_MS, to)];
    const [before, after] = [offsetAt(zone, early), offsetAt(zone, late)];
    if (before === after) continue;
    while (late - early > 1_000) {
      const middle = Math.floor((early + late) / 2_000) * 1_000;
      if (offsetAt(zone, middle) === before) early = middle;
      else late = middle;
    }
    found.push({ at: late, before, after });
  }
  return found;
}

/** Good for all of these moments. `zone` has passed isZone. */
export function zoneComponent(zone: string, moments: readonly Date[]): Component {
  const years = new Set(moments.flatMap((at) => [at.getUTCFullYear() - 1, at.getUTCFullYear()]));
  const observances: Component[] = [];
  for (const year of [...years].sort((a, b) => a - b)) {
    const changes = changesIn(zone, year);
    const first = offsetAt(zone, yearBegin(year));
    const least = Math.min(first, ...changes.map(({ after }) => after));
    const told = years.has(year - 1)
      ? changes
      : [{ at: yearBegin(year), before: first, after: first }, ...changes];
    observances.push(...told.map((change) => observance(zone, change, least)));
  }
  return ['vtimezone', [['tzid', {}, 'text', zone]], observances];
}

function observance(zone: string, { at, before, after }: Change, least: number): Component {
  // It begins by the clock that was right until then.
  const onset = new Date(Math.max(at + before, FIRST_ONSET)).toISOString().slice(0, 19);
  const properties: Property[] = [
    ['dtstart', {}, 'date-time', onset],
    ['tzoffsetfrom', {}, 'utc-offset', offsetText(before)],
    ['tzoffsetto', {}, 'utc-offset', offsetText(after)],
    ['tzname', {}, 'text', zoneAbbreviation(zone, new Date(at))],
  ];
  return [after > least ? 'daylight' : 'standard', properties, []];
}

/** `+05:30`, with seconds where a zone of the past had some. */
function offsetText(offset: number): string {
  const clock = toLocal(new Date(Math.abs(offset)), 'UTC').slice(11);
  return `${offset < 0 ? '-' : '+'}${clock.endsWith(':00') ? clock.slice(0, 5) : clock}`;
}
