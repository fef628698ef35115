/** Venues and organizers of imported events: their data as columns. Pure; what cannot be read is left out. */
import type { Actor } from '@sevenfold/chassis/actor';
import { isEmail } from '@sevenfold/chassis/http/coerce';
import { shorten } from '@sevenfold/text/text';
import { MOST_DESCRIPTION } from '@sevenfold/text/told';
import { readingBody } from '../common/bodies';
import type { Sources } from '@sevenfold/text/rendering';
import type { Steps } from '@sevenfold/text/steps';
import { LONGEST_NAME, MOST_LINE } from '../common/fields';
import { plainFields } from '../linked/fields';
import { isUnitedStates, plainFields as ofVenue } from '../venues/fields';
import {
  type Raw,
  flagOf,
  isRecord,
  lineOf,
  listOf,
  plainOf,
  refuseRounded,
  sentIdOf,
  small,
  textOf,
  websiteOf,
} from './fields';

/** What decides how texts are read. */
export interface TextStyle {
  /** Whose rights decide which HTML is kept. */
  readonly actor: Actor;
  readonly sources: Sources;
}

/** Absent fields are undefined: what is there keeps its value. */
export interface Linked {
  readonly name: string;
  readonly globalId: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

const MOST_ORGANIZERS = 50;

/** Undefined when the event does not mention it, null when it says that there is none. */
export function* parsingVenue(value: unknown, style: TextStyle): Steps<Linked | null | undefined> {
  const list = listOf(value);
  if (!list) return undefined;
  const raw = recordOf(list[0], 'venue');
  const name = raw && lineOf(raw, 'venue', 'name', 'title');
  if (!raw || !name) return null;
  const columns = plainOf(ofVenue, raw);
  const both = lineOf(raw, 'stateprovince') ?? stateOrProvince(columns);
  if (both !== undefined) columns.stateprovince = shorten(both, MOST_LINE);
  const [lat, lng] = [degrees(raw, 90, 'geo_lat', 'latitude'), degrees(raw, 180, 'geo_lng', 'longitude')];
  if (lat !== undefined && lng !== undefined) Object.assign(columns, { geo_lat: lat, geo_lng: lng });
  const [map, link] = [flagOf(raw.show_map), flagOf(raw.show_map_link)];
  if (map !== undefined) columns.show_map = map;
  if (link !== undefined) columns.show_map_link = link;
  return {
    name: shorten(name, LONGEST_NAME),
    globalId: globalIdOf(raw, 'venue'),
    columns: Object.assign(columns, yield* common(raw, style)),
  };
}

/** Each of them once. */
export function* parsingOrganizers(value: unknown, style: TextStyle): Steps<Linked[] | undefined> {
  const list = listOf(value);
  if (!list) return undefined;
  const organizers = new Map<string, Linked>();
  for (const entry of list.slice(0, MOST_ORGANIZERS)) {
    const raw = recordOf(entry, 'organizer');
    const name = raw && shorten(lineOf(raw, 'organizer', 'name', 'title') ?? '', LONGEST_NAME);
    if (!raw || !name) continue;
    const columns: Record<string, string> = {};
    const email = lineOf(raw, 'email');
    if (email !== undefined && (email === '' || isEmail(email))) columns.email = email;
    const one = {
      name,
      globalId: globalIdOf(raw, 'organizer'),
      columns: Object.assign(columns, yield* common(raw, style)),
    };
    const key = keyOf(one);
    const before = organizers.get(key);
    organizers.set(key, before ? { ...before, columns: { ...before.columns, ...one.columns } } : one);
    yield;
  }
  return [...organizers.values()];
}

/** A bare text is the name. */
const recordOf = (value: unknown, name: string): Raw | undefined => {
  if (isRecord(value)) return value;
  const text = textOf(value);
  return text === undefined ? undefined : { [name]: text };
};

/** Which of them are one. */
const keyOf = ({ globalId, name }: Linked): string =>
  globalId === '' ? `name:${small(name)}` : `id:${globalId}`;

function globalIdOf(raw: Raw, of: 'venue' | 'organizer'): string {
  refuseRounded(raw.global_id, `The global_id of its ${of}`);
  return shorten(sentIdOf(raw, 'global_id') ?? '', LONGEST_NAME);
}

function* common(raw: Raw, style: TextStyle): Steps<Record<string, unknown>> {
  const columns = plainOf(plainFields, raw);
  const website = websiteOf(raw, 'website', 'url');
  if (website !== undefined) columns.website = website;
  const description = textOf(raw.description);
  if (description !== undefined) {
    const { raw: text, html } = yield* readingBody(
      style.actor,
      shorten(description, MOST_DESCRIPTION),
      style.sources,
    );
    Object.assign(columns, { description_raw: text, description_html: html });
  }
  return columns;
}

function stateOrProvince(columns: Record<string, unknown>): string | undefined {
  const { country = '', state, province } = columns as Record<string, string | undefined>;
  return isUnitedStates(country) ? state : province;
}

function degrees(raw: Raw, most: number, ...names: readonly string[]): number | undefined {
  const text = lineOf(raw, ...names);
  const number = text ? Number(text) : NaN;
  return Number.isFinite(number) && Math.abs(number) <= most ? number : undefined;
}
