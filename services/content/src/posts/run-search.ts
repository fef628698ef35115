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
import {
  type Finder,
  type OrderKey,
  type Outline,
  type Range,
  type Selection,
  fromFew,
  fromOf,
  orderText,
} from '@sevenfold/chassis/db/list';
import { type Db, withUsed } from '@sevenfold/chassis/db/sql';
import type { SearchOf } from './list';

type Search = Selection & { readonly searched: SearchOf };

/** The ids of a search, for `chassis/db/list.ts`. */
export const searchOf = (db: Db, selection: Selection, searched: SearchOf): Finder => {
  const list = { ...selection, searched };
  return {
    outline: (most) => searchOutline(db, list, most),
    page: (outline, range) => searchPage(db, list, outline, range),
  };
};

/** `is true` hides the conditions from the planner: the rows are few enough to look at each. */
const fromNewest = ({ searched, joins = '', where }: Search): string =>
  `from (select * from posts p where ${searched.base} order by p.date_gmt desc, p.id desc limit ${NEWEST}) p ${joins}
    where (${where}) is true`;

/** The total, and the ids of the first rows: `most` of them. */
async function searchOutline(db: Db, list: Search, most: number): Promise<Outline> {
  const { joins, where, values, searched } = list;
  const table = { name: 'posts', alias: 'p', joins };
  const density = await sampleDensity(db, table, where, searched.candidates, values);
  const sampled = { matching: density?.matching, rows: density?.rows };
  const many = async (): Promise<Outline> => {
    const outline = { total: SEARCH_WINDOW, more: true, ...sampled };
    return { ...outline, first: await idsOfMany(db, list, outline, { skip: 0, size: most }) };
  };
  if (density && surelyMore(density)) return many();
  const newestOnly = density !== undefined && isTooWide(density);
  const from = newestOnly ? fromNewest(list) : fromOf(list);
  const { n, ids } = await find(db, list, from, { skip: 0, size: most });
  const { total, more } = withinWindow(n);
  if (newestOnly) return { total, more: true, newestOnly, first: ids };
  return more ? many() : { total, first: ids };
}

/** Ids of a page behind those that the outline remembers. */
async function searchPage(db: Db, list: Search, outline: Outline, page: Range): Promise<readonly number[]> {
  if (outline.more && !outline.newestOnly) return idsOfMany(db, list, outline, page);
  const from = outline.newestOnly ? fromNewest(list) : fromOf(list);
  return (await find(db, list, from, page)).ids;
}

/** How many match, up to one more than the window, and, where they are no more, the ids of some in their order. */
async function find(
  db: Db,
  { joins = '', values: all, order }: Search,
  from: string,
  { skip, size }: Range,
): Promise<{ n: number; ids: readonly number[] }> {
  const { text, values } = withUsed(
    `with found as materialized (select p.id ${from} limit ${SEARCH_WINDOW + 1}),
       counted as (select count(*) as n from found)
     select n, array(
         select p.id from found f join posts p on p.id = f.id ${joins} where n <= ${SEARCH_WINDOW}
          order by ${orderText(order)} limit ${size} offset ${skip}) as ids
       from counted`,
    all,
  );
  const row = await db.first<{ n: number; ids: number[] }>(text, values, { planFor: 'values' });
  return row ?? { n: 0, ids: [] };
}

const newestFirst: readonly OrderKey[] = [
  { sql: 'p.date_gmt', direction: 'desc' },
  { sql: 'p.id', direction: 'desc' },
];

/** Of more matches than the window holds. Relevance orders the newest of them. */
async function idsOfMany(db: Db, list: Search, outline: Outline, page: Range): Promise<readonly number[]> {
  const { joins = '', values: all, searched, order } = list;
  if (!searched.byRelevance) return idsInOrder(db, list, outline, page);
  const newest = await idsInOrder(db, { ...list, order: newestFirst }, outline, {
    skip: 0,
    size: SEARCH_WINDOW,
  });
  const { text, values } = withUsed(
    `select p.id from posts p ${joins} where p.id = any($${all.length + 1}::bigint[])
      order by ${orderText(order)} limit ${page.size} offset ${page.skip}`,
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
  { matching = 1, rows = 0 }: Outline,
  { skip, size }: Range,
): Promise<readonly number[]> {
  const { order, searched, values: all } = list;
  const key = order[0] as OrderKey;
  const from = fromOf(list);
  const rest = `order by ${orderText(order)} limit ${size} offset ${skip}`;
  const run = async (sql: string, ...extra: unknown[]): Promise<number[]> => {
    const { text, values } = withUsed(sql, [...all, ...extra]);
    return (await db.rows<{ id: number }>(text, values, { planFor: 'values' })).map(({ id }) => id);
  };
  let reach = INDEXED.has(key.sql) ? ((skip + size) / matching) * SPARE : Infinity;
  for (let tries = 0; tries < 2 && reach < rows; tries++, reach *= MORE) {
    const last = withUsed(
      `select ${key.sql} as key from posts p where ${searched.base} order by ${orderText(order)}
        limit 1 offset ${Math.ceil(reach)}`,
      all,
    );
    const end = await db.first<{ key: unknown }>(last.text, last.values, { planFor: 'values' });
    if (!end) break;
    const within = `and ${key.sql} ${key.direction === 'asc' ? '<=' : '>='} $${all.length + 1}`;
    const ids = await run(`select p.id ${from} ${within} ${rest}`, end.key);
    if (ids.length === size) return ids;
  }
  // They stand elsewhere: `offset 0` keeps PostgreSQL from walking to them through all the others.
  return run(`select p.id ${fromFew(list)} ${rest}`);
}
