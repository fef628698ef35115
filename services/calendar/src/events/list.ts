/**
 * Pages of events that overlap a window, in the order of their start. What began before the window and still runs (the
 * head) comes first: few rows, found by an index on ranges. The rest starts inside the window and is read off the
 * index of starts. The ids of the head, the number of the rest and, behind a filter, the first ids of all are the
 * outline of a list; it is remembered until an event changes, so that a page is one query.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Reads, readsOf } from '@sevenfold/chassis/db/lanes';
import { type Plan, firstIds, planOf, rowsById, runList, selectRows } from '@sevenfold/chassis/db/list';
import {
  type Selection,
  FAR,
  countRows,
  fromFew,
  fromOf,
  isFew,
  rowsOf,
} from '@sevenfold/chassis/db/selection';
import { finderOf } from '@sevenfold/chassis/db/run-search';
import type { Db } from '@sevenfold/chassis/db/sql';
import { numberOf, outlineAlong, pageAlong } from '@sevenfold/chassis/db/track';
import { numberBegun } from '../common/listings';
import type { Deps } from '../deps';
import { noSuchPage } from './errors';
import { type Filtered, type ListQuery, type Window, filtersOf, windowOf } from './list-filters';
import type { EventOutline } from './outline';
import { type EventVersion, VERSION } from './store';
import { trackOf } from './track';

const MOST_HEAD = 1_000;

export interface Page {
  readonly rows: EventVersion[];
  readonly total: number;
  /** There are more than the total says. */
  readonly more: boolean;
  readonly window: Window;
}

/** One page and the total. Throws 404 when the page is beyond the last one. */
export async function listEvents(
  deps: Deps,
  actor: Actor,
  query: ListQuery,
  now = new Date(),
): Promise<Page> {
  const window = windowOf(query, await deps.known.timezone(), now);
  const reads = readsOf(deps, actor);
  const filtered = await filtersOf(deps, actor, query, reads.costly);
  const isSearch = query.search !== undefined;
  const found = await runList(
    deps.outlines,
    query.include
      ? includePlan(isSearch ? deps.searches : deps.db, filtered)
      : isSearch
        ? searchPlan(deps.searches, filtered, window)
        : windowPlan(reads, filtered, window),
    {
      skip: (query.page - 1) * query.per_page,
      size: query.per_page,
      beyond: (total) => noSuchPage(Math.ceil(total / query.per_page)),
    },
  );
  return { ...found, window };
}

type EventPlan = Plan<EventVersion, EventOutline>;

const selectionOf = (where: string, values: readonly unknown[], ...order: string[]): Selection => ({
  table: 'events',
  as: 'e',
  columns: VERSION,
  where,
  values,
  order: order.map((sql) => ({ sql, direction: 'asc' })),
});

/** Lists of ids: whatever their dates, latest publication first; around a point nearest first, as everywhere. */
function includePlan(db: Db, filtered: Filtered): EventPlan {
  const { conditions } = filtered;
  const latest = ['e.date_utc', 'e.id'].map((sql) => ({ sql, direction: 'desc' as const }));
  const placed = selectionOf(conditions.where, conditions.values, ...placeOf(filtered));
  const selection = { ...placed, order: [...placed.order, ...latest] };
  return planOf<EventVersion>({ quick: db, costly: db }, selection);
}

const overlap = (from: string): string =>
  `tsrange(e.start_local, greatest(e.start_local, e.end_local), '[]') @> ${from}::timestamp`;

/** What a list around a point is ordered by first. */
const placeOf = ({ conditions, near }: Filtered): string[] =>
  near ? [`array_position(${conditions.value(near)}::bigint[], e.venue_id)`] : [];

/** Searches know no head: what still runs is found like the rest. */
function searchPlan(db: Db, filtered: Filtered, window: Window): EventPlan {
  const { conditions, words, near } = filtered;
  const from = conditions.value(window.from);
  const to = conditions.value(window.to);
  const started = `e.start_local <= ${to}::timestamp`;
  const shown = `${started} and (e.start_local >= ${from}::timestamp or ${overlap(from)})`;
  const where = `${conditions.where} and ${shown}`;
  const place = placeOf(filtered);
  const selection = selectionOf(where, conditions.values, ...place, 'e.start_local', 'e.id');
  const finder = finderOf(db, {
    ...selection,
    as: 'e',
    base: `${conditions.parts[0] ?? 'true'} and ${started}`,
    filters: `${words?.filters ?? 'true'} and ${shown}`,
    words: words?.words ?? 'true',
    indexed: !near,
    first: selection.order.slice(-2),
    text: 'e.search_text',
  });
  return planOf<EventVersion>({ quick: db, costly: db }, selection, { finder });
}

/** Without a filter the index of starts counts and brings what is near; the way to the rest is remembered. */
function windowPlan({ quick, costly }: Reads, filtered: Filtered, window: Window): EventPlan {
  const { conditions, isFiltered, near, links, others } = filtered;
  const counting = isFiltered ? costly : quick;
  const from = conditions.value(window.from);
  const to = conditions.value(window.to);
  const { where, values } = conditions;
  const among = (more: string): Selection =>
    selectionOf(`${where} and ${more}`, values, 'e.start_local', 'e.id');
  const before = among(`e.start_local < ${from}::timestamp and ${overlap(from)}`);
  const inside = among(`e.start_local between ${from}::timestamp and ${to}::timestamp`);
  const track = near ? undefined : trackOf(conditions, links, others, [from, to]);
  return {
    key: JSON.stringify([where, values, near !== undefined]),
    isSearch: false,
    outline: async ({ skip }) => {
      const [head, along] = await Promise.all([
        rowsOf<{ id: number }>(
          counting,
          before,
          `select e.id ${fromOf(before)} order by e.start_local, e.id limit ${MOST_HEAD + 1}`,
        ),
        track && outlineAlong(costly, inside, track, skip === 0),
      ]);
      const rest =
        along?.total ??
        (isFiltered
          ? await countRows(counting, inside)
          : await numberOf(counting, inside, numberBegun(from, to)));
      if (head.length > MOST_HEAD) {
        const all = rest + (await countRows(counting, before));
        return { total: all, rest: all };
      }
      const ids = head.map(({ id }) => id);
      const outline = { total: ids.length + rest, head: ids, rest };
      if (along)
        return { ...outline, first: along.first && [...ids, ...along.first], tracked: along.tracked };
      return isFiltered && !near && skip === 0
        ? { ...outline, first: [...ids, ...(await firstIds(counting, inside, rest))] }
        : outline;
    },
    byId: (ids) => rowsById<EventVersion>(quick, among('true'), ids),
    page: async ({ head, rest = 0, tracked }, { skip, size }) => {
      const few = isFiltered && isFew(rest);
      const db = skip < FAR ? counting : costly;
      if (!head) {
        const all = `e.start_local <= ${to}::timestamp and (e.start_local >= ${from}::timestamp or ${overlap(from)})`;
        return withoutHead(db, among(all), near, few, skip, size);
      }
      if (near) return nearest(db, among('true'), inside, { near, head }, skip, size);
      const running = head.slice(skip, skip + size);
      const left = size - running.length;
      const behind = Math.max(0, skip - head.length);
      if (track && tracked) {
        const next = await pageAlong(costly, inside, track, {
          ...tracked,
          skip: behind,
          size: left,
          total: rest,
        });
        return rowsById<EventVersion>(quick, among('true'), [...running, ...next]);
      }
      if (behind >= FAR && !few)
        return selectRows<EventVersion>(db, inside, { skip: behind, size: left, total: rest });
      const next = (place: number): string => `$${values.length + place}`;
      const text = `select id, version from (
           (select ${VERSION}, e.start_local ${fromOf(among(`e.id = any(${next(1)}::bigint[])`))})
           union all
           (select ${VERSION}, e.start_local ${few ? fromFew(inside) : fromOf(inside)}
             order by e.start_local, e.id limit ${next(2)} offset ${next(3)})
         ) as page order by start_local, id`;
      return isFiltered
        ? rowsOf<EventVersion>(db, inside, text, [running, left, behind])
        : // The same text for the same filters: the usual list stays prepared.
          db.rows<EventVersion>(text, [...values, running, left, behind]);
    },
  };
}

/** More run before the window than can be remembered: all are read along the starts. */
function withoutHead(
  db: Db,
  all: Selection,
  near: readonly number[] | undefined,
  few: boolean,
  skip: number,
  size: number,
): Promise<EventVersion[]> {
  const next = (place: number): string => `$${all.values.length + place}`;
  const nearest = near ? `array_position(${next(3)}::bigint[], e.venue_id), ` : '';
  const text = `select ${VERSION} ${few ? fromFew(all) : fromOf(all)}
    order by ${nearest}e.start_local, e.id limit ${next(1)} offset ${next(2)}`;
  return rowsOf<EventVersion>(db, all, text, [size, skip, near]);
}

/** Venue by venue, nearest first. */
function nearest(
  db: Db,
  all: Selection,
  inside: Selection,
  { near, head }: { readonly near: readonly number[]; readonly head: readonly number[] },
  skip: number,
  size: number,
): Promise<EventVersion[]> {
  const next = (place: number): string => `$${all.values.length + place}`;
  return rowsOf<EventVersion>(
    db,
    all,
    `select e.id, e.version
       from unnest(${next(1)}::bigint[]) with ordinality as near (venue_id, place)
       cross join lateral (
         (select ${VERSION}, e.start_local ${fromOf(all)} and e.venue_id = near.venue_id and e.id = any(${next(2)}::bigint[]))
         union all
         (select ${VERSION}, e.start_local ${fromOf(inside)} and e.venue_id = near.venue_id
           order by e.start_local, e.id limit ${next(3)}::integer + ${next(4)}::integer)) as e
      order by near.place, e.start_local, e.id limit ${next(3)} offset ${next(4)}`,
    [near, head, size, skip],
  );
}
