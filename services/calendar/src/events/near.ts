/** Events around a point: lists of what takes place within so many kilometres, or of venues that are somewhere at all. */
import type { Actor } from '@sevenfold/chassis/actor';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { toNumber } from '@sevenfold/chassis/http/coerce';
import type { Deps } from '../deps';
import { placed, placedVenue } from '../venues/places';

/** As clients ask: unread. */
interface Around {
  readonly geoloc?: boolean;
  readonly geoloc_lat?: unknown;
  readonly geoloc_lng?: unknown;
}

const KM_PER_DEGREE = 111.195;
const EARTH_KM = 6371;

const MOST_NEAR = 5_000;

export async function addPlace(
  { GEO_RADIUS_KM }: Deps['config'],
  conditions: Conditions,
  actor: Actor,
  query: Around,
  db: Db,
): Promise<readonly number[] | undefined> {
  const point = pointOf(query);
  const isPlaced = placeAsked(query);
  if (isPlaced !== undefined)
    conditions.add(`${isPlaced ? '' : 'not '}${placedVenue(conditions, actor, 'e.venue_id')}`);
  if (!point) return undefined;
  const near = await venuesAround(db, actor, point, GEO_RADIUS_KM);
  conditions.add('e.venue_id = any(?::bigint[])', near);
  return near;
}

/** Whether the venue is to have a place; what is around a point has one anyway. */
export const placeAsked = ({ geoloc, geoloc_lat: lat, geoloc_lng: lng }: Around): boolean | undefined =>
  geoloc === false && (lat !== undefined || lng !== undefined) ? undefined : geoloc;

/**
 * Nearest first: those in a box, which an index finds, as far as they lie within the radius on the sphere. Only what the reader may
 * read: distances tell where a venue is.
 */
async function venuesAround(db: Db, actor: Actor, { lat, lng }: Point, radius: number): Promise<number[]> {
  const height = radius / KM_PER_DEGREE;
  const conditions = new Conditions(lat, lng);
  conditions.add('geo_lat between ? and ?', lat - height, lat + height);
  // Towards the poles a circle takes in ever more degrees of longitude, at last all of them.
  const reach = Math.cos((Math.min(Math.abs(lat) + height, 90) * Math.PI) / 180);
  const width = reach < 0.01 ? 360 : height / reach;
  if (lng - width >= -180 && lng + width <= 180)
    conditions.add('geo_lng between ? and ?', lng - width, lng + width);
  const rows = await db.rows<{ id: number }>(
    `select id from (
       select id, ${2 * EARTH_KM} * asin(least(1, sqrt(
                power(sin(radians(geo_lat - $1::float8) / 2), 2) +
                cos(radians($1::float8)) * cos(radians(geo_lat)) *
                power(sin(radians(geo_lng - $2::float8) / 2), 2)))) as distance
         from (${placed(conditions, actor)}) as placed where ${conditions.where}) as around
      where distance <= ${conditions.value(radius)}::float8 order by distance, id limit ${MOST_NEAR}`,
    conditions.values,
    { planFor: 'values' },
  );
  return rows.map(({ id }) => id);
}

interface Point {
  readonly lat: number;
  readonly lng: number;
}

function pointOf(query: Around): Point | undefined {
  const { geoloc_lat: lat, geoloc_lng: lng } = query;
  if (lat === undefined && lng === undefined) return undefined;
  if (lat === undefined)
    throw invalidParam('geoloc_lat', 'geoloc_lat must be given together with geoloc_lng.');
  if (lng === undefined)
    throw invalidParam('geoloc_lng', 'geoloc_lng must be given together with geoloc_lat.');
  return { lat: degrees('geoloc_lat', lat, 90), lng: degrees('geoloc_lng', lng, 180) };
}

function degrees(param: string, value: unknown, most: number): number {
  const number = toNumber(value, 'number');
  if (number === undefined || Math.abs(number) > most)
    throw invalidParam(param, `${param} is not a number from -${most} to ${most}.`);
  return number;
}
