/** Venues and organizers of imported events: their data as columns. Pure; what cannot be read is left out. */
import type { Actor } from '@sevenfold/chassis/actor';
import { isEmail } from '@sevenfold/chassis/http/coerce';
import { shorten } from '@sevenfold/text/text';
import { MOST_DESCRIPTION } from '@sevenfold/text/told';
import { readBody } from '@sevenfold/publishing/texts';
import type { Sources } from '@sevenfold/text/render';
import { readWebsite } from '../common/urls';
import { LONGEST_NAME, MOST_LINE } from '../common/fields';
import { plainFields } from '../linked/fields';
import { isUnitedStates, plainFields as ofVenue } from '../venues/fields';
import { type Raw, flagOf, isRecord, lineOf, listOf, plainOf, textOf } from './fields';

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
export function parseVenue(value: unknown, style: TextStyle): Linked | null | undefined {
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
    globalId: globalIdOf(raw),
    columns: Object.assign(columns, common(raw, style)),
  };
}

/** Each of them once. */
export function parseOrganizers(value: unknown, style: TextStyle): Linked[] | undefined {
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
    organizers.set(name.toLowerCase(), {
      name,
      globalId: globalIdOf(raw),
      columns: Object.assign(columns, common(raw, style)),
    });
  }
  return [...organizers.values()];
}

/** A bare text is the name. */
const recordOf = (value: unknown, name: string): Raw | undefined => {
  if (isRecord(value)) return value;
  const text = textOf(value);
  return text === undefined ? undefined : { [name]: text };
};

const globalIdOf = (raw: Raw): string => shorten(lineOf(raw, 'global_id') ?? '', 500);

function common(raw: Raw, style: TextStyle): Record<string, unknown> {
  const columns = plainOf(plainFields, raw);
  const website = textOf(raw.website) ?? textOf(raw.url);
  const read = website === '' ? '' : website && readWebsite(website.replaceAll('&amp;', '&'));
  if (read !== undefined) columns.website = read;
  const description = textOf(raw.description);
  if (description !== undefined) {
    const { raw: text, html } = readBody(style.actor, shorten(description, MOST_DESCRIPTION), style.sources);
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
