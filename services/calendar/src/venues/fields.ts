/** The fields of a venue as tables, from its arguments to its columns, and the columns that follow from others. Pure. */
import type { RowOf } from '@sevenfold/chassis/db/columns';
import { invalidParam } from '@sevenfold/chassis/errors';
import { toBoolean } from '@sevenfold/chassis/http/coerce';
import { cleanText } from '@sevenfold/text/text';
import {
  type FieldTable,
  type PlainTable,
  type Written,
  columnsOf,
  given,
  importedFlag,
  importedText,
  written,
} from '../common/fields';
import { type LinkedRow, linkedColumns } from '../linked/fields';

export const plainFields = {
  address: { type: 'string', description: 'Street and number.' },
  city: { type: 'string', description: 'City.' },
  country: { type: 'string', description: 'Country.' },
  province: { type: 'string', description: 'Region.' },
  state: { type: 'string', description: 'Department.' },
  zip: { type: 'string', description: 'Postal code.' },
} as const satisfies PlainTable;

const coordinateColumn = { sql: 'double precision', imported: true } as const;

export const venueColumns = {
  ...linkedColumns,
  ...columnsOf(plainFields),
  stateprovince: importedText,
  showMap: importedFlag,
  showMapLink: importedFlag,
  geoLat: coordinateColumn,
  geoLng: coordinateColumn,
} as const satisfies FieldTable;

export type VenueRow = RowOf<typeof venueColumns>;

type Values = Readonly<Record<string, unknown>>;
type Own = Omit<VenueRow, keyof LinkedRow>;

/** Absent arguments stay absent; empty text clears. */
export function ownVenueFields(args: Values): Partial<Own> {
  const own: Written<Own> = {
    ...written(plainFields, args),
    stateprovince: args.stateprovince === undefined ? undefined : cleanText(args.stateprovince as string),
    showMap: flagOf(args.show_map),
    showMapLink: flagOf(args.show_map_link),
    geoLat: args.geo_lat === undefined ? undefined : coordinate(args.geo_lat),
    geoLng: args.geo_lng === undefined ? undefined : coordinate(args.geo_lng),
  };
  return given(own);
}

const flagOf = (value: unknown): boolean | undefined =>
  value === undefined ? undefined : (toBoolean(value) ?? false);

const coordinate = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/**
 * `stateprovince` is what the body says; else it follows from country, state and province when one of them changes.
 * Coordinates come in pairs.
 */
export function settleVenue(changes: Values, current: VenueRow | undefined): Record<string, unknown> {
  const after = <K extends keyof VenueRow>(name: K): VenueRow[K] | undefined =>
    (changes[name] as VenueRow[K] | undefined) ?? current?.[name];
  const pair = ['geoLat', 'geoLng'] as const;
  const [lat, lng] = pair.map((name) => (name in changes ? changes[name] : (current?.[name] ?? null)));
  if ((lat === null) !== (lng === null)) {
    const [missing, given] = lat === null ? ['geo_lat', 'geo_lng'] : ['geo_lng', 'geo_lat'];
    throw invalidParam(missing, `${missing} must be given together with ${given}.`);
  }
  if (changes.stateprovince !== undefined) return {};
  if (changes.state === undefined && changes.province === undefined && changes.country === undefined)
    return {};
  const stateprovince = stateOrProvince(after('country'), after('state'), after('province'));
  const before = current && stateOrProvince(current.country, current.state, current.province);
  // A change of the country alone says nothing about a region that was only ever given as one text.
  const isFollowed = current !== undefined && current.stateprovince === before;
  const known =
    changes.state !== undefined || changes.province !== undefined || stateprovince !== '' || isFollowed;
  return known ? { stateprovince } : {};
}

/** Clients of the United States write a state, all others a province. */
const stateOrProvince = (country = '', state = '', province = ''): string =>
  isUnitedStates(country) ? state : province;

/** `US`, `U.S.A.`, `United States of America` and whatever begins so; `U.S.S.R.` was another one. */
export const isUnitedStates = (country: string): boolean =>
  /^(?:u\.? ?s\.?(?: ?a\.?)?|united states)(?![\p{L}\d.])/iu.test(country);
