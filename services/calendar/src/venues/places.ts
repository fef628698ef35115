/**
 * Which venues have a place, as SQL that costs the same however many there are: a bit for each published one
 * (migrations/0018_venue_places.sql), with what triggers noted since. The others, which few may read, are looked for one by one.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import { visibility } from '../common/policy';
import { keptStatuses } from '../common/statuses';
import type { Deps } from '../deps';
import type { VenueRow } from './fields';

/** Chunks of 8,192 ids that are put together as one map; ids beyond are looked up in their own chunk. */
const MAPPED = 512;
const IDS = 13;
const MOST_MAPPED = MAPPED << IDS;

/** Of a row `v` of venues. */
const PLACED = 'v.geo_lat is not null and v.geo_lng is not null';

const NOTED = 'select n.venue_id from venue_place_notes n';

const EMPTY = `decode(repeat('00', ${(1 << IDS) / 8}), 'hex')`;

const MAP = `select string_agg(coalesce(p.bits, ${EMPTY}), '' order by c.chunk)
  from generate_series(0, ${MAPPED - 1}) as c (chunk) left join venue_places p on p.chunk = c.chunk`;

/** Whether the published venue of the id has a place. */
const placedSql = (id: string): string => `case
  when ${id} in (${NOTED}) then ${id} in (${NOTED} join venues v on v.id = n.venue_id where v.status = 'publish' and ${PLACED})
  when ${id} < ${MOST_MAPPED} then get_bit((${MAP}), ${id}) = 1
  else coalesce((select get_bit(p.bits, ${id} & ${(1 << IDS) - 1}) = 1 from venue_places p where p.chunk = ${id} >> ${IDS}), false) end`;

export const hasPlace = (venue: VenueRow | undefined): boolean =>
  venue !== undefined && venue.geoLat !== null && venue.geoLng !== null;

/** Condition of the id of a venue: it has a place, and the reader may read it. */
export function placedVenue(conditions: Conditions, actor: Actor, id: string): string {
  const readable = visibility(conditions, actor, keptStatuses, 'v');
  return `((${placedSql(id)}) or (${id} in (
    select v.id from venues v where v.status <> 'publish' and ${PLACED} and (${readable}))) is true)`;
}

/** `select v.* …` of those that the reader may read. */
export const placed = (conditions: Conditions, actor: Actor): string =>
  `select v.* from venues v where ${PLACED} and (${visibility(conditions, actor, keptStatuses, 'v')})`;

// What is left waits for the next round.
const AT_ONCE = 50_000;

export const placeSweep: Sweep<Deps> = {
  name: 'fold-venue-places',
  everySeconds: 3,
  run: async ({ db }) => {
    await db.run('select fold_venue_places($1)', [AT_ONCE]);
  },
};
