/**
 * What is kept beside the rows (listings.ts), counted anew and put right: tables that somebody emptied with `truncate`, or rows
 * that were put back past the triggers, leave no notes, and nothing else would ever see that it is wrong.
 */
import { recountMaps } from '@sevenfold/chassis/db/link-maps';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { linkLists, linksTo } from './event-links';

/**
 * How many of each were not as the rows say: links of events that are not there, venues and organizers in lists, days, numbers of all,
 * places of venues, and chunks of maps of links.
 */
export interface Recount {
  readonly links: number;
  readonly venues: number;
  readonly organizers: number;
  readonly days: number;
  readonly counts: number;
  readonly places: number;
  readonly maps: number;
}

const kinds = {
  venues: `select venue_id as id, end_utc from events where status = 'publish'`,
  organizers: 'select target as id, end_utc from event_organizers',
} as const;

/**
 * Writers go on meanwhile. Each statement sees the rows and the notes of one moment, and nobody takes notes until this ends: what
 * changes later has a note, which is taken later, and what is noted already is left to that.
 */
export const recountListings = ({ db }: { readonly db: Database }): Promise<Recount> =>
  db.transaction(async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('calendar:listings'))`);
    let links = 0;
    for (const table of ['event_categories', 'event_tags', 'event_organizers'])
      links += await tx.run(
        `delete from ${table} l where not exists (select from events e where e.id = l.event_id)`,
      );
    const venues = await rewrite(tx, 'venues');
    const organizers = await rewrite(tx, 'organizers');
    const days = await tx.run(
      `insert into event_days as d (day, n)
       select day, coalesce(t.n, 0) - coalesce(m.n, 0)
         from (select start_local::date as day, count(*) as n from events where status = 'publish' group by 1) as t
         full join (
           select day, sum(more) as n from (
             select unnest(days) as day, 1 as more from listing_notes
             union all
             select unnest(gone_days), -1 from listing_notes) as noted group by day) as m using (day)
         full join event_days k using (day)
        where coalesce(t.n, 0) - coalesce(m.n, 0) <> coalesce(k.n, 0)
       on conflict (day) do update set n = excluded.n`,
    );
    const counts = (await count(tx, 'venues')) + (await count(tx, 'organizers'));
    const places = await notePlaces(tx);
    await tx.run(`select pg_advisory_xact_lock(hashtext('calendar:links'))`);
    let maps = 0;
    for (const list of linkLists) maps += await recountMaps(tx, linksTo(list));
    const found = { links, venues, organizers, days, counts, places, maps };
    if (Object.values(found).some((n) => n > 0))
      await tx.run(
        `select pg_notify('events', ''), pg_notify('linked', ''), tell_news('event', 'venue', 'organizer')`,
      );
    return found;
  });

async function rewrite(tx: Db, many: keyof typeof kinds): Promise<number> {
  const row = await tx.first<{ n: number }>(
    `with wrong as materialized (
       select id, t.date_utc, t.last_end, t.date_utc is not null as "isThere"
         from (select r.id, r.date_utc, e.last_end from ${many} r
                 left join (select id, max(end_utc) as last_end from (${kinds[many]}) as l group by id) as e using (id)
                where r.status = 'publish') as t
         full join listed_${many} l using (id)
        where (t.date_utc, t.last_end) is distinct from (l.date_utc, l.last_end)
          and id not in (select one from listing_notes, unnest(${many}) as one where one is not null)
     ), gone as (
       delete from listed_${many} where id = any(array(select id from wrong where not "isThere"))
     ), put as (
       insert into listed_${many} (id, date_utc, last_end) select id, date_utc, last_end from wrong where "isThere"
         on conflict (id) do update set date_utc = excluded.date_utc, last_end = excluded.last_end
     )
     select count(*) as n from wrong`,
  );
  return row?.n ?? 0;
}

/** After the lists: how many of them have events is counted there. */
const count = (tx: Db, many: keyof typeof kinds): Promise<number> =>
  tx.run(
    `insert into listed_counts as c (kind, n, used)
     select '${many}', (select count(*) from ${many} where status = 'publish')
              - (select coalesce(sum(more_${many}), 0) from listing_notes),
            (select count(last_end) from listed_${many})
     on conflict (kind) do update set n = excluded.n, used = excluded.used
       where (c.n, c.used) is distinct from (excluded.n, excluded.used)`,
  );

/** Of venues whose bit (venues/places.ts) is wrong: it is written from the row in a moment. */
const notePlaces = (tx: Db): Promise<number> =>
  tx.run(
    `insert into venue_place_notes (venue_id)
     select id from (select id, true as "isPlaced" from venues
                      where status = 'publish' and geo_lat is not null and geo_lng is not null) as v
       full join (select (chunk << 13) + place as id, true as "isSet" from venue_places, generate_series(0, 8191) as place
                   where get_bit(bits, place) = 1) as b using (id)
      where "isPlaced" is distinct from "isSet" and id not in (select venue_id from venue_place_notes)`,
  );

export const recountSweep: Sweep<Deps> = {
  name: 'recount-listings',
  everySeconds: 86_400,
  run: async (deps) => {
    const found = await recountListings(deps);
    if (Object.values(found).some((n) => n > 0))
      deps.log.warn(found, 'what lists count and pass by was not what the rows say; it was put right');
  },
};
