/**
 * Pages of events that overlap a window, in the order of their start. What began before the window and still runs (the
 * head) comes first: few rows, found by an index on ranges. The rest starts inside the window and is read off the
 * index of starts. The ids of the head, the number of the rest and, behind a filter, the first ids of it are the
 * outline of a list; it is remembered until an event changes, so that a page is one query.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { SEARCH_WINDOW, checkWindow, countWithin, withinWindow } from '@sevenfold/chassis/db/search';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { noSuchPage } from './errors';
import { type Filtered, type ListQuery, type Window, filtersOf, windowOf } from './list-filters';
import type { Outline } from './outline';
import { type EventVersion, VERSION } from './store';

const MOST_HEAD = 1_000;
/** From here on finding the ids in the index first is cheaper than dragging whole rows along. */
const FAR = 200;
/** A filter that leaves no more than these: finding all of them beats walking along the starts until a page is full. */
const FEW = 20_000;
/** Ids remembered of the rest of a filtered list: the pages that are looked at. */
const FIRST = 200;

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
  const filtered = await filtersOf(deps, actor, query);
  const skip = (query.page - 1) * query.per_page;
  const isSearch = query.search !== undefined;
  if (isSearch) checkWindow(skip);
  const db = isSearch ? deps.searches : deps.db;
  const source = query.include ? includeSource(filtered) : windowSource(filtered, window, isSearch);
  const outline = await deps.outlines.get(source.key, () => source.outline(db));
  const counted = (outline.head?.length ?? 0) + outline.rest;
  const { total, more } = isSearch ? withinWindow(counted) : { total: counted, more: false };
  if (skip > 0 && skip >= total) throw noSuchPage(Math.ceil(total / query.per_page));
  const rows =
    total === 0 ? [] : await source.rows(db, outline, skip, Math.min(query.per_page, total - skip));
  return { rows, total, more, window };
}

interface Source {
  readonly key: string;
  outline(db: Db): Promise<Outline>;
  rows(db: Db, outline: Outline, skip: number, size: number): Promise<EventVersion[]>;
}

/** Lists of ids: whatever their dates, latest publication first. */
function includeSource({ conditions }: Filtered): Source {
  const { values } = conditions;
  const from = `from events e where ${conditions.where}`;
  return {
    key: JSON.stringify([from, values]),
    outline: async (db) => ({ rest: await count(db, from, values) }),
    rows: (db, _outline, skip, size) =>
      db.rows<EventVersion>(
        `select ${VERSION} ${from} order by e.date_utc desc, e.id desc
         limit $${values.length + 1} offset $${values.length + 2}`,
        [...values, size, skip],
        { planFor: 'values' },
      ),
  };
}

const overlap = (from: string): string =>
  `tsrange(e.start_local, greatest(e.start_local, e.end_local), '[]') @> ${from}::timestamp`;

function windowSource(filtered: Filtered, window: Window, isSearch: boolean): Source {
  const { conditions, narrowed, near } = filtered;
  // Of a search, what is counted beyond the window is not known to be few.
  const most = isSearch ? SEARCH_WINDOW : FEW;
  // The same texts for the same filters: the usual list stays prepared.
  const planFor = narrowed ? ('values' as const) : ('text' as const);
  const filters = [...conditions.values];
  const from = conditions.value(window.from);
  const to = conditions.value(window.to);
  const base = `from events e where ${conditions.where}`;
  const before = `${base} and e.start_local < ${from}::timestamp and ${overlap(from)}`;
  const inside = `${base} and e.start_local between ${from}::timestamp and ${to}::timestamp`;
  const { values } = conditions;
  const next = (place: number): string => `$${values.length + place}`;
  const key = JSON.stringify([base, values, near !== undefined]);
  const firstIds = async (db: Db, rest: number): Promise<number[]> => {
    if (rest === 0) return [];
    const found = await db.rows<{ id: number }>(
      `select e.id ${matching(inside, rest <= most)} order by e.start_local, e.id limit ${FIRST}`,
      values,
      { planFor: 'values' },
    );
    return found.map(({ id }) => id);
  };
  return {
    key,
    outline: async (db) => {
      // The type of the parameter that a text does not use must be told all the same.
      const unused = `${to}::timestamp is not null`;
      const [head, rest] = await Promise.all([
        db.rows<{ id: number }>(
          `select e.id ${before} and ${unused} order by e.start_local, e.id limit ${MOST_HEAD + 1}`,
          values,
          { planFor: 'values' },
        ),
        count(db, inside, values, isSearch),
      ]);
      if (head.length <= MOST_HEAD) {
        const ids = head.map(({ id }) => id);
        return narrowed && !near ? { head: ids, rest, first: await firstIds(db, rest) } : { head: ids, rest };
      }
      return { rest: rest + (await count(db, `${before} and ${unused}`, values, isSearch)) };
    },
    rows: async (db, { head, rest, first }, skip, size) => {
      const few = narrowed && rest <= most;
      if (!head)
        return db.rows<EventVersion>(
          `select ${VERSION} ${matching(
            `${base} and e.start_local <= ${to}::timestamp
             and (e.start_local >= ${from}::timestamp or ${overlap(from)})`,
            few,
          )}
           order by ${near ? `array_position(${next(3)}::bigint[], e.venue_id), ` : ''}e.start_local, e.id
           limit ${next(1)} offset ${next(2)}`,
          near ? [...values, size, skip, near] : [...values, size, skip],
          { planFor: 'values' },
        );
      if (near)
        return db.rows<EventVersion>(
          `select e.id, e.version
             from unnest(${next(1)}::bigint[]) with ordinality as near (venue_id, place)
             cross join lateral (
               (select ${VERSION}, e.start_local ${base} and e.venue_id = near.venue_id and e.id = any(${next(2)}::bigint[]))
               union all
               (select ${VERSION}, e.start_local ${inside} and e.venue_id = near.venue_id
                 order by e.start_local, e.id limit ${next(3)}::integer + ${next(4)}::integer)) as e
            order by near.place, e.start_local, e.id limit ${next(3)} offset ${next(4)}`,
          [...values, near, head, size, skip],
          { planFor: 'values' },
        );
      const running = head.slice(skip, skip + size);
      const left = size - running.length;
      const behind = Math.max(0, skip - head.length);
      if (first && behind + left <= first.length)
        return rowsById(db, conditions.where, filters, [...running, ...first.slice(behind, behind + left)]);
      if (behind >= FAR && !few && !isSearch) return farRows(db, { inside, values, rest }, behind, left);
      return db.rows<EventVersion>(
        `select id, version from (
           (select ${VERSION}, e.start_local ${base} and e.id = any(${next(1)}::bigint[]))
           union all
           (select ${VERSION}, e.start_local ${matching(inside, few)}
             order by e.start_local, e.id limit ${next(2)} offset ${next(3)})
         ) as page order by start_local, id`,
        [...values, running, left, behind],
        { planFor },
      );
    },
  };
}

/**
 * The conditions stand here as well: what has changed since the outline was made must not be shown to whoever may not
 * see it. `is true` hides them from the planner, which would take other indexes than that of the ids for them.
 */
const rowsById = (
  db: Db,
  where: string,
  filters: readonly unknown[],
  ids: readonly number[],
): Promise<EventVersion[]> =>
  db.rows<EventVersion>(
    `select ${VERSION} from events e where e.id = any($${filters.length + 1}::bigint[]) and (${where}) is true
      order by e.start_local, e.id`,
    [...filters, ids],
    { planFor: 'values' },
  );

/** `offset 0` keeps PostgreSQL from looking for few rows along the index of the order, through all that do not match. */
const matching = (from: string, few: boolean): string =>
  few ? `from (select e.id as found ${from} offset 0) as few join events e on e.id = few.found` : from;

/** Behind the middle, the way from the end is the shorter one. */
async function farRows(
  db: Db,
  list: { inside: string; values: readonly unknown[]; rest: number },
  skip: number,
  size: number,
): Promise<EventVersion[]> {
  const fromEnd = list.rest - skip - size;
  const reversed = fromEnd < skip;
  const direction = reversed ? 'desc' : 'asc';
  const order = `order by e.start_local ${direction}, e.id ${direction}`;
  const place = list.values.length;
  const rows = await db.rows<EventVersion>(
    `select ${VERSION} from (select e.id ${list.inside} ${order} limit $${place + 1} offset $${place + 2}) as page
       join events e on e.id = page.id ${order}`,
    [...list.values, size, reversed ? Math.max(0, fromEnd) : skip],
    { planFor: 'values' },
  );
  return reversed ? rows.reverse() : rows;
}

async function count(db: Db, from: string, values: readonly unknown[], isSearch = false): Promise<number> {
  const text = isSearch ? countWithin(`1 ${from}`) : `select count(*) as n ${from}`;
  const row = await db.first<{ n: number }>(text, values, { planFor: 'values' });
  return row?.n ?? 0;
}
