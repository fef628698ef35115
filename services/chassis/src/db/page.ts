/**
 * Lists of tables that are counted as fast as they are read: one page and the number of all, in one statement. Nothing
 * is remembered of them. Tables that grow without bounds are for list.ts.
 */
import { type Found, type OrderKey, type Range, keyed } from './list';
import { SEARCH_WINDOW, checkWindow, withinWindow } from './search';
import type { Conditions, Db, QueryOptions } from './sql';

export interface WholeList {
  readonly table: string;
  /** What the table is called in all SQL of the list. */
  readonly as: string;
  /** Left joins for the columns. */
  readonly joins?: string;
  /** Select list, with the id. */
  readonly columns: string;
  /** The values of the order are among theirs. */
  readonly conditions: Conditions;
  readonly order: readonly OrderKey[];
  /** Searches are counted and paged through up to their window only. */
  readonly isSearch: boolean;
  /** SQL of the number where counters know it. */
  readonly total?: string;
  /** What the conditions leave is found once and then sorted; otherwise the index of the order brings the page directly. */
  readonly once?: boolean;
  readonly planFor?: QueryOptions['planFor'];
}

export async function listWhole<R extends { readonly id: number }>(
  db: Db,
  list: WholeList,
  { skip, size }: Range,
): Promise<Found<R>> {
  const { table, as, joins = '', columns, conditions, isSearch, once = false } = list;
  if (isSearch) checkWindow(skip);
  const { keys, byKeys } = keyed(list.order);
  const counted = isSearch ? `(select from matching limit ${SEARCH_WINDOW + 1}) as counted` : 'matching';
  const total = list.total ?? `select count(*) from ${counted}`;
  const found = await db.rows<R & { total: number }>(
    `with matching as ${once ? '' : 'not '}materialized (
       select ${as}.id, ${keys} from ${table} ${as} where ${conditions.where})
     select number.total, ${columns}
       from (select (${total}) as total) number
       left join lateral (
         select * from matching order by ${byKeys}
          limit ${conditions.value(size)} offset ${conditions.value(skip)}) page on true
       left join ${table} ${as} on ${as}.id = page.id ${joins}
      order by ${byKeys}`,
    conditions.values,
    { planFor: list.planFor },
  );
  // A page beyond the end still brings the total, in a row without an id.
  const rows = found.filter(({ id }) => id !== null);
  const number = found[0]?.total ?? 0;
  return { rows, ...(isSearch ? withinWindow(number) : { total: number, more: false }) };
}
