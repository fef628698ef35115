/** From the arguments of a venue to its columns, and the columns that follow from others. Pure. */
import { invalidParam } from '@sevenfold/chassis/errors';
import { toBoolean } from '@sevenfold/chassis/http/args';
import { cleanText } from '@sevenfold/text/text';
import type { VenueRow } from './store';

type Values = Readonly<Record<string, unknown>>;

const texts = ['address', 'city', 'country', 'province', 'state', 'zip', 'stateprovince'] as const;

/** Absent arguments stay absent; empty text clears. */
export function ownVenueFields(args: Values): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of texts) if (args[name] !== undefined) fields[name] = cleanText(args[name] as string);
  if (args.show_map !== undefined) fields.showMap = toBoolean(args.show_map) ?? false;
  if (args.show_map_link !== undefined) fields.showMapLink = toBoolean(args.show_map_link) ?? false;
  if (args.geo_lat !== undefined) fields.geoLat = coordinate(args.geo_lat);
  if (args.geo_lng !== undefined) fields.geoLng = coordinate(args.geo_lng);
  return fields;
}

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
  // A change of the country alone says nothing about a region that was only ever given as one text.
  const known = changes.state !== undefined || changes.province !== undefined || stateprovince !== '';
  return known ? { stateprovince } : {};
}

const stateOrProvince = (country = '', state = '', province = ''): string =>
  /^(us|usa|united states)\b/i.test(country) ? state || province : province || state;
