/**
 * Searches of posts, bounded: what a search costs does not grow with the table. Up to SEARCH_WINDOW matches all are found
 * and sorted. Of more, a page is read from as many rows at the head of its order as a sample says it takes. A search that
 * would look at far more rows than it finds (a rare phrase of frequent words) looks at the newest rows only, and says so.
 */
import {
  NEWEST,
  SEARCH_WINDOW,
  isTooWide,
  sampleDensity,
  surelyMore,
  withinWindow,
} from '@sevenfold/chassis/db/search';
import { type Db, withUsed } from '@sevenfold/chassis/db/sql';
import type { OrderKey, PreparedList, SearchOf } from './list';
import type { Outline } from './outlines';
import { orderText } from './order-text';

type Search = PreparedList & { readonly searched: SearchOf };

/** Where a search finds its rows: select list from here on, over `p` and what is joined. */
const fromAll = (list: PreparedList, joins: string): string =>
  `from posts p ${joins} where ${list.conditions.where}`;

/** `is true` hides the conditions from the planner: the rows are few enough to look at each. */
const fromNewest = ({ searched, conditions }: Search, joins: string): string =>
  `from (select * from posts p where ${searched.base} order by p.date_gmt desc, p.id desc limit ${NEWEST}) p ${joins}
    where (${conditions.where}) is true`;

/** The total, and the ids of the first rows: `most` of them. */
export async function searchOutline(db: Db, list: Search, joins: string, most: number): Promise<Outline> {
  const { conditions, searched } = list;
  const density = await sampleDensity(
    db,
    { name: 'posts', alias: 'p', joins },
    conditions.where,
    searched.candidates,
    conditions.values,
  );
  const sampled = { matching: density?.matching, rows: density?.rows };
  const many = async (): Promise<Outline> => {
    const outline = { total: SEARCH_WINDOW, more: true, ...sampled };
    return { ...outline, first: await idsOfMany(db, list, joins, outline, { skip: 0, size: most }) };
  };
  if (density && surelyMore(density)) return many();
  const newestOnly = density !== undefined && isTooWide(density);
  const from = newestOnly ? fromNewest(list, joins) : fromAll(list, joins);
  const { n, ids } = await find(db, list, { from, joins }, { most, skip: 0 });
  const { total, more } = withinWindow(n);
  if (newestOnly) return { total, more: true, newestOnly, first: ids };
  return more ? many() : { total, first: ids };
}

/** Ids of a page behind those that the outline remembers. */
export async function searchPage(
  db: Db,
  list: Search,
  joins: string,
  outline: Outline,
  page: { readonly skip: number; readonly size: number },
): Promise<readonly number[]> {
  if (outline.more && !outline.newestOnly) return idsOfMany(db, list, joins, outline, page);
  const from = outline.newestOnly ? fromNewest(list, joins) : fromAll(list, joins);
  return (await find(db, list, { from, joins }, { most: page.size, skip: page.skip })).ids;
}

/** How many match, up to one more than the window, and, where they are no more, the ids of some in their order. */
async function find(
  db: Db,
  list: Search,
  { from, joins }: { readonly from: string; readonly joins: string },
  { most, skip }: { readonly most: number; readonly skip: number },
): Promise<{ n: number; ids: readonly number[] }> {
  const { text, values } = withUsed(
    `with found as materialized (select p.id ${from} limit ${SEARCH_WINDOW + 1}),
       counted as (select count(*) as n from found)
     select n, array(
         select p.id from found f join posts p on p.id = f.id ${joins} where n <= ${SEARCH_WINDOW}
          order by ${orderText(list.order)} limit ${most} offset ${skip}) as ids
       from counted`,
    list.conditions.values,
  );
  const row = await db.first<{ n: number; ids: number[] }>(text, values, { planFor: 'values' });
  return row ?? { n: 0, ids: [] };
}

const newestFirst: readonly OrderKey[] = [
  { sql: 'p.date_gmt', direction: 'desc' },
  { sql: 'p.id', direction: 'desc' },
];

/** Of more matches than the window holds. Relevance orders the newest of them. */
async function idsOfMany(
  db: Db,
  list: Search,
  joins: string,
  outline: Outline,
  page: { readonly skip: number; readonly size: number },
): Promise<readonly number[]> {
  if (!list.searched.byRelevance) return idsInOrder(db, list, joins, outline, list.order, page);
  const newest = await idsInOrder(db, list, joins, outline, newestFirst, { skip: 0, size: SEARCH_WINDOW });
  const { values: all } = list.conditions;
  const { text, values } = withUsed(
    `select p.id from posts p ${joins} where p.id = any($${all.length + 1}::bigint[])
      order by ${orderText(list.order)} limit ${page.size} offset ${page.skip}`,
    [...all, newest],
  );
  return (await db.rows<{ id: number }>(text, values, { planFor: 'values' })).map(({ id }) => id);
}

/** Orders whose index knows which rows come first without the rows. */
const INDEXED: ReadonlySet<string> = new Set([
  'p.date_gmt',
  'p.modified_gmt',
  'p.title_key',
  'p.slug',
  'p.id',
]);

/** So much more is looked at than a sample asks for, and so much more again where that was not enough. */
const SPARE = 1.5;
const MORE = 8;

/** The head of the order is cut off where it should hold enough matches; the index of words does the rest. */
async function idsInOrder(
  db: Db,
  list: Search,
  joins: string,
  { matching = 1, rows = 0 }: Outline,
  order: readonly OrderKey[],
  { skip, size }: { readonly skip: number; readonly size: number },
): Promise<readonly number[]> {
  const key = order[0] as OrderKey;
  const from = fromAll(list, joins);
  const rest = `order by ${orderText(order)} limit ${size} offset ${skip}`;
  const run = async (sql: string, ...extra: unknown[]): Promise<number[]> => {
    const { text, values } = withUsed(sql, [...list.conditions.values, ...extra]);
    return (await db.rows<{ id: number }>(text, values, { planFor: 'values' })).map(({ id }) => id);
  };
  let reach = INDEXED.has(key.sql) ? ((skip + size) / matching) * SPARE : Infinity;
  for (let tries = 0; tries < 2 && reach < rows; tries++, reach *= MORE) {
    const last = withUsed(
      `select ${key.sql} as key from posts p where ${list.searched.base} order by ${orderText(order)}
        limit 1 offset ${Math.ceil(reach)}`,
      list.conditions.values,
    );
    const end = await db.first<{ key: unknown }>(last.text, last.values, { planFor: 'values' });
    if (!end) break;
    const within = `and ${key.sql} ${key.direction === 'asc' ? '<=' : '>='} $${list.conditions.values.length + 1}`;
    const ids = await run(`select p.id ${from} ${within} ${rest}`, end.key);
    if (ids.length === size) return ids;
  }
  // They stand elsewhere: `offset 0` keeps PostgreSQL from walking to them through all the others.
  return run(
    `select p.id from (select p.id as found ${from} offset 0) as few join posts p on p.id = few.found ${joins} ${rest}`,
  );
}
