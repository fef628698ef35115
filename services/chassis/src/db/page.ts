/**
 * Lists of tables that are counted as fast as they are read: one page and the number of all, in one statement. Nothing
 * is remembered of them. Tables that grow without bounds are for list.ts.
 */
import { type Found, rowsById } from './list';
import { type OrderKey, type Range, isUsual, keyed } from './selection';
import { runSearch } from './run-search';
import {
  SEARCH_WINDOW,
  type SearchSpec,
  type Searched,
  addTerm,
  candidatesOfTerm,
  checkWindow,
} from './search';
import type { Conditions, Db, QueryOptions } from './sql';
import type { Track } from './track';

export interface WholeList {
  readonly table: string;
  /** What the table is called in all SQL of the list. */
  readonly as: string;
  /** Left joins for the columns. */
  readonly joins?: string;
  /** Another statement that the conditions name, run once: `name as materialized (…)`. */
  readonly beside?: string;
  /** Select list, with the id. */
  readonly columns: string;
  /** The values of the order are among theirs. */
  readonly conditions: Conditions;
  readonly order: readonly OrderKey[];
  /** Another table, of which an index knows ids and order of the list. */
  readonly along?: Pick<Track, 'from' | 'id' | 'order'>;
  /** Of searches, which are counted and paged through up to their window only. */
  readonly search?: WholeSearch;
  /** SQL of the number where counters know it. */
  readonly total?: string;
  /** What the conditions leave is found once and then sorted; otherwise the index of the order brings the page directly. */
  readonly once?: boolean;
  readonly planFor?: QueryOptions['planFor'];
}

/** What else is to be known of a search: searchFor makes it. */
type WholeSearch = Pick<SearchSpec, 'base' | 'words' | 'filters' | 'indexed' | 'first' | 'text'>;

/** A text that is looked for as it is, and what indexes know of the table. */
export interface SearchedFor {
  readonly term: string;
  readonly columns: readonly Searched[];
  /** The part of the conditions that is the one of the indexes of orders; absent: these know all rows. */
  readonly base?: string;
  /** SQL of the first keys of orders that have an index. */
  readonly indexed: ReadonlySet<string>;
  /** One of these orders: which rows are looked at where the order of the list has no index. */
  readonly first: readonly OrderKey[];
  /** The column that holds most of the text. */
  readonly text: string;
}

/** Adds the text to the conditions of a list; answers what runs it as a search. */
export function searchFor(
  conditions: Conditions,
  order: readonly OrderKey[],
  { term, columns, base = 'true', indexed, first, text }: SearchedFor,
): WholeSearch {
  const filters = conditions.answered;
  addTerm(conditions, term, columns);
  const words = candidatesOfTerm(conditions, term, columns);
  return { base, words, filters, indexed: indexed.has(order[0]?.sql ?? ''), first, text };
}

export async function listWhole<R extends { readonly id: number }>(
  db: Db,
  list: WholeList,
  { skip, size, by }: Range,
): Promise<Found<R>> {
  const { table, as, joins = '', columns, conditions, search, along, beside, once = false } = list;
  if (search) return searchWhole(db, list, search, { skip, size, by });
  const { keys, byKeys } = keyed(along?.order ?? list.order);
  const usual = isUsual({ skip, size }, conditions.values);
  const range = usual ? `limit ${size}` : `limit ${conditions.value(size)} offset ${conditions.value(skip)}`;
  const matching = along
    ? `select ${along.id} as id, ${keys} ${along.from}`
    : `select ${as}.id, ${keys} from ${table} ${as} where ${conditions.where}`;
  const total = list.total ?? 'select count(*) from matching';
  const found = await db.rows<R & { total: number }>(
    `with ${beside ? `${beside}, ` : ''}matching as ${once ? '' : 'not '}materialized (${matching})
     select number.total, ${columns}
       from (select (${total}) as total) number
       left join lateral (select * from matching order by ${byKeys} ${range}) page on true
       left join ${table} ${as} on ${as}.id = page.id ${joins}
      order by ${byKeys}`,
    conditions.values,
    { planFor: usual ? 'form' : list.planFor },
  );
  // A page beyond the end still brings the total, in a row without an id.
  const rows = found.filter(({ id }) => id !== null);
  return { rows, total: found[0]?.total ?? 0, more: false };
}

async function searchWhole<R extends object>(
  db: Db,
  { table, as, joins = '', columns, conditions, order }: WholeList,
  search: WholeSearch,
  { skip, size, by }: Range,
): Promise<Found<R>> {
  checkWindow(skip, by);
  const { where, values } = conditions;
  const spec: SearchSpec = { ...search, table, as, where, values, order };
  const { plan, ids } = await runSearch(db, spec, { skip, size: Math.min(size, SEARCH_WINDOW - skip) });
  const rows = await rowsById<R>(db, { table, as, joins, columns, where, values, order }, ids);
  return { rows, total: plan.total, more: plan.more };
}
