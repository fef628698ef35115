/**
 * Fills a calendar with made-up events over the years 2025 to 2027, with 200 venues in six zones and 500 organizers:
 * fast (set-based, no statement for each row), realistic and the same on every machine. Running it again adds more.
 */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { type Next, numbers, pick } from '@sevenfold/chassis/chance';
import type { Db } from '@sevenfold/chassis/db/sql';
import { CATEGORY, TAG } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { categoryNames, eventTitle, organizerName, paragraph, pickCity, tagNames, venueName } from './words';

/** `done` of `total` events. */
export type SeedProgress = (done: number, total: number) => void;

const VENUES = 200;
const ORGANIZERS = 500;
const CHUNK = 10_000;
/** Beyond this it is quicker to build the search index anew than to keep it up for every row. */
const REBUILD_SEARCH_FROM = 100_000;
const ORIGIN = 'seed';
const MINUTES = 3 * 365 * 24 * 60;

const gardener: Actor = {
  ...stranger,
  id: 1,
  name: 'seed',
  capabilities: new Set(['publish_events', 'edit_post_tags']),
};

export async function seedEvents(deps: Deps, count: number, progress: SeedProgress): Promise<void> {
  const { db } = deps;
  const timezone = await deps.known.timezone();
  const venues = await seedVenues(db);
  const organizers = await seedOrganizers(db);
  const [categories, tags] = [await terms(deps, CATEGORY, categoryNames), await terms(deps, TAG, tagNames)];
  const rebuild = count >= REBUILD_SEARCH_FROM;
  if (rebuild) await db.run('drop index if exists events_search');
  const start = await lastNumber(db);
  for (let done = 0; done < count; done += CHUNK) {
    const next = numbers(start + done + 1);
    const rows = Array.from({ length: Math.min(CHUNK, count - done) }, (_, index) =>
      eventRow(next, start + done + index + 1, { venues, organizers, categories, tags }),
    );
    await db.run(
      `insert into events (status, slug, date_local, date_utc, date_chosen, modified_local, modified_utc, title_raw, title_html,
                           description_raw, description_html, timezone, all_day, start_local, end_local, start_utc, end_utc,
                           cost, cost_details, show_map, show_map_link, featured, venue_id, organizer_ids, category_ids, tag_ids,
                           origin, uid)
       select 'publish', slug, made at time zone $2, made, true, made at time zone $2, made, title, title,
              raw, '<p>' || raw || '</p>' || E'\\n', zone, all_day, start, start + length, start at time zone zone,
              (start at time zone zone) + length, cost, cost_details, true, true, featured, venue, organizers, categories, tags,
              $3, 'seed-' || n
       from (
         select *, timestamptz '2024-12-01 00:00:00Z' + n * interval '1 second' as made,
                case when all_day then timestamp '2025-01-01' + minute / 1440 * interval '1 day'
                     else timestamp '2025-01-01' + minute * interval '1 minute' end as start,
                case when all_day then interval '1 day - 1 second' else minutes * interval '1 minute' end as length
         from jsonb_to_recordset($1::jsonb)
           as r(n bigint, slug text, title text, raw text, zone text, all_day boolean, minute integer, minutes integer, cost text,
                cost_details jsonb, featured boolean, venue bigint, organizers bigint[], categories bigint[], tags bigint[])) as r`,
      [JSON.stringify(rows), timezone, ORIGIN],
    );
    progress(done + rows.length, count);
  }
  if (rebuild)
    await db.run('create index if not exists events_search on events using gin (search_text gin_trgm_ops)');
  await db.run('vacuum (analyze) events');
  deps.memory.forget('events');
}

interface Around {
  readonly venues: readonly SeededVenue[];
  readonly organizers: readonly number[];
  readonly categories: readonly number[];
  readonly tags: readonly number[];
}

function eventRow(next: Next, n: number, { venues, organizers, categories, tags }: Around): object {
  const title = eventTitle(next);
  const venue = pick(next, venues);
  const price = next() < 0.3 ? 0 : 5 + Math.floor(next() * 12) * 5;
  const kind = next();
  return {
    n,
    slug: `${title.toLowerCase().replaceAll(' ', '-')}-${n}`,
    title,
    raw: `${paragraph(next)} ${paragraph(next)}`,
    zone: venue.zone,
    all_day: kind > 0.9 && kind <= 0.95,
    // Quarter hours, in the day rather than in the night.
    minute: Math.floor((next() * MINUTES) / 1440) * 1440 + 8 * 60 + Math.floor(next() * 56) * 15,
    minutes: minutesOf(kind, next),
    cost: price === 0 ? 'Free' : String(price),
    cost_details:
      price === 0
        ? { symbol: '', position: '', values: ['free'], shown: ['Free'] }
        : { symbol: '', position: '', values: [String(price)], shown: [String(price)] },
    featured: next() < 0.02,
    venue: venue.id,
    organizers: [...new Set([pick(next, organizers), ...(next() < 0.3 ? [pick(next, organizers)] : [])])],
    categories: categories.length === 0 ? [] : [pick(next, categories)],
    tags: tags.length === 0 ? [] : [...new Set([pick(next, tags), pick(next, tags)])],
  };
}

/** Mostly an evening, sometimes days, seldom a season. */
function minutesOf(kind: number, next: Next): number {
  if (kind < 0.95) return 60 + Math.floor(next() * 5) * 30;
  if (kind < 0.99) return 1440 * (1 + Math.floor(next() * 3));
  return 1440 * (7 + Math.floor(next() * 50));
}

interface SeededVenue {
  readonly id: number;
  readonly zone: string;
}

async function seedVenues(db: Db): Promise<SeededVenue[]> {
  const next = numbers(1);
  const rows = Array.from({ length: VENUES }, (_, index) => {
    const [city, country, zone, lat, lng] = pickCity(next);
    return {
      slug: `seed-venue-${index + 1}`,
      name: `${venueName(next)} ${index + 1}`,
      address: `${1 + Math.floor(next() * 200)} High Street`,
      city,
      country,
      zone,
      lat: lat + (next() - 0.5) / 5,
      lng: lng + (next() - 0.5) / 5,
    };
  });
  await db.run(
    `insert into venues (status, slug, date_local, date_utc, date_chosen, modified_local, modified_utc, name, address, city, country,
                         geo_lat, geo_lng, origin)
     select 'publish', slug, '2024-12-01', '2024-12-01Z', true, '2024-12-01', '2024-12-01Z', name, address, city, country, lat, lng, $2
     from jsonb_to_recordset($1::jsonb)
       as r(slug text, name text, address text, city text, country text, lat float8, lng float8)
     on conflict do nothing`,
    [JSON.stringify(rows), ORIGIN],
  );
  const made = await db.rows<{ id: number; slug: string }>(
    `select id, slug from venues where slug = any($1::text[]) order by id`,
    [rows.map(({ slug }) => slug)],
  );
  const zones = new Map(rows.map(({ slug, zone }) => [slug, zone]));
  return made.map(({ id, slug }) => ({ id, zone: zones.get(slug) as string }));
}

async function seedOrganizers(db: Db): Promise<number[]> {
  const next = numbers(2);
  const rows = Array.from({ length: ORGANIZERS }, (_, index) => ({
    slug: `seed-organizer-${index + 1}`,
    name: `${organizerName(next)} ${index + 1}`,
    email: `organizer-${index + 1}@example.org`,
  }));
  await db.run(
    `insert into organizers (status, slug, date_local, date_utc, date_chosen, modified_local, modified_utc, name, email, origin)
     select 'publish', slug, '2024-12-01', '2024-12-01Z', true, '2024-12-01', '2024-12-01Z', name, email, $2
     from jsonb_to_recordset($1::jsonb) as r(slug text, name text, email text)
     on conflict do nothing`,
    [JSON.stringify(rows), ORIGIN],
  );
  const made = await db.rows<{ id: number }>(
    `select id from organizers where slug = any($1::text[]) order by id`,
    [rows.map(({ slug }) => slug)],
  );
  return made.map(({ id }) => id);
}

/** Without the content service the events have no terms. */
async function terms(deps: Deps, taxonomy: string, names: readonly string[]): Promise<number[]> {
  try {
    const { results } = await deps.content.terms.resolveTerms(
      {
        taxonomy,
        refs: names.map((value) => ({ ref: { $case: 'name' as const, value } })),
        createMissing: true,
      },
      { actor: gardener, deadlineMs: 10_000 },
    );
    return results.flatMap(({ term }) => (term ? [term.id] : []));
  } catch (error) {
    deps.log.warn({ err: error as Error }, 'the content service is away: made-up events have no terms');
    return [];
  }
}

async function lastNumber(db: Db): Promise<number> {
  const row = await db.first<{ n: number }>(
    `select coalesce(max(substring(uid from 6)::bigint), 0) as n from events where origin = $1 and uid ~ '^seed-\\d{1,12}$'`,
    [ORIGIN],
  );
  return row?.n ?? 0;
}
