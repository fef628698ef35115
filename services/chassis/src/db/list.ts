/**
 * Lists of a table that may be large: which rows come first and how many there are, remembered as an outline, and a
 * page of them on the road that is shortest for what was asked: along the index of the order, by remembered ids, from
 * the end, or through the few that a filter leaves. Small tables need none of this (page.ts).
 *
 * Ids are remembered, rows and rights are not: whatever is shown has met its conditions in the query that brought it.
 */
import type { Remembered } from './memory';
import type { Reads } from './lanes';
import { type SearchPlan, checkWindow } from './search';
import { type Db, withUsed } from './sql';

/** From here on finding the ids in the index first is cheaper than dragging whole rows along. */
export const FAR = 200;

/** A filter that leaves no more than these: finding all of them beats walking along the order past all the others. */
const FEW = 20_000;

export const isFew = (found: number): boolean => found <= FEW;

/** Ids remembered of a filtered list: the pages that are looked at. */
const FIRST = 200;

/** First pages that are asked for all the time: each prepared text takes memory in every connection. */
const USUAL_SIZES: ReadonlySet<number> = new Set([10, 20, 50, 100]);

export interface OrderKey {
  readonly sql: string;
  readonly direction: 'asc' | 'desc';
}

/** Rows of a table: which, and in which order. */
export interface Selection {
  readonly table: string;
  /** What the table is called in all SQL of the selection. */
  readonly as: string;
  /** Text behind the table, such as `join media m on m.post_id = p.id`; one row for each of the table. */
  readonly joins?: string;
  /** Select list. */
  readonly columns: string;
  readonly where: string;
  /** Of the conditions and of the order. */
  readonly values: readonly unknown[];
  /** Ends with the id, so that no two rows are equal. */
  readonly order: readonly OrderKey[];
}

/** What is remembered of a list. */
export interface Outline {
  readonly total: number;
  /** There are more than the total says. */
  readonly more?: boolean;
  /** Ids of the first rows, in order; absent where walking along the order finds them as fast. */
  readonly first?: readonly number[];
  /** Of searches: the way to their other pages. */
  readonly search?: SearchPlan;
}

export type Outlines = Remembered<Outline>;

export const outlineBounds = { lifetimeMs: 30_000, most: 1_000 } as const;

export interface Range {
  readonly skip: number;
  readonly size: number;
}

export interface Found<R> {
  readonly rows: R[];
  readonly total: number;
  /** There are more than the total says. */
  readonly more: boolean;
}

/** How a list is found. */
export interface Plan<R, O extends Outline> {
  /** Names the outline: everything that decides it. */
  readonly key: string;
  /** Searches are paged through up to their window only. */
  readonly isSearch: boolean;
  readonly outline: () => Promise<O>;
  /** The first page where it can be read without the outline. */
  readonly start?: (size: number) => Promise<R[]>;
  /** Rows of remembered ids, those that still belong there. */
  readonly byId: (ids: readonly number[]) => Promise<R[]>;
  /** A page that the outline holds no ids of. */
  readonly page: (outline: O, range: Range) => Promise<R[]>;
}

/** One page and the total. `beyond` makes the error for a page behind the last one; without it such a page is empty. */
export async function runList<R, O extends Outline>(
  outlines: Remembered<O>,
  plan: Plan<R, O>,
  { skip, size, beyond }: Range & { readonly beyond?: (total: number) => Error | undefined },
): Promise<Found<R>> {
  if (plan.isSearch) checkWindow(skip);
  const asked = outlines.get(plan.key, plan.outline);
  if (skip === 0 && plan.start) {
    const [rows, { total }] = await Promise.all([plan.start(size), asked]);
    return { rows, total, more: false };
  }
  const outline = await asked;
  const { total, first, more = false } = outline;
  if (skip >= total) {
    const fault = skip > 0 ? beyond?.(total) : undefined;
    if (fault) throw fault;
    return { rows: [], total, more };
  }
  const left = Math.min(size, total - skip);
  const rows =
    first && skip + left <= first.length
      ? await plan.byId(first.slice(skip, skip + left))
      : await plan.page(outline, { skip, size: left });
  return { rows, total, more };
}

/** A way of its own to find the ids of a list, such as a search. */
export interface Finder {
  /** The outline with the ids of the first `most` rows. */
  outline(most: number): Promise<Outline>;
  /** The ids of a page behind them. */
  page(outline: Outline, range: Range): Promise<readonly number[]>;
}

/**
 * A list that leaves rows out of a larger one. Counting those that stay would look at nearly all rows of the table; those
 * that are left out are few, and an index finds them.
 */
export interface LeavesOut {
  /** SQL of the number of the larger list. */
  readonly whole: string;
  /** Condition of what is left out of it, with that of the larger list. */
  readonly leftOut: string;
}

/**
 * The list of a selection: total by `counted` where counters know it, by the difference where it `leavesOut` some, ids by
 * `finder` where there is one. Quick is what is remembered, or near the start of an order that is `indexed`.
 */
export function planOf<R extends object>(
  { quick, costly }: Reads,
  selection: Selection,
  ways: {
    readonly counted?: () => Promise<number>;
    readonly leavesOut?: LeavesOut;
    readonly finder?: Finder;
    readonly indexed?: boolean;
  } = {},
): Plan<R, Outline> {
  const { counted, leavesOut, finder, indexed = false } = ways;
  const plan = {
    key: JSON.stringify([fromOf(selection), selection.order, selection.values]),
    isSearch: finder !== undefined,
    byId: (ids: readonly number[]) => rowsById<R>(quick, selection, ids),
  };
  if (finder)
    return {
      ...plan,
      outline: () => finder.outline(FIRST),
      page: async (outline, range) => plan.byId(await finder.page(outline, range)),
    };
  const near = counted && indexed ? quick : costly;
  const page: Plan<R, Outline>['page'] = (outline, range) =>
    selectRows<R>(range.skip < FAR ? near : costly, selection, {
      ...range,
      total: outline.total,
      few: !counted && isFew(outline.total),
    });
  if (counted)
    return {
      ...plan,
      outline: async () => ({ total: await counted() }),
      start: (size) => selectRows<R>(near, selection, { skip: 0, size }),
      page,
    };
  return {
    ...plan,
    outline: async () => {
      const total = await (leavesOut
        ? countLess(costly, selection, leavesOut)
        : countRows(costly, selection));
      return { total, first: await firstIds(costly, selection, total) };
    },
    page,
  };
}

// ---- statements --------------------------------------------------------------------------------------------------

const flip = { asc: 'desc', desc: 'asc' } as const;

/** An order as SQL, or its reverse. */
const orderText = (order: readonly OrderKey[], reversed = false): string =>
  order.map(({ sql, direction }) => `${sql} ${reversed ? flip[direction] : direction}`).join(', ');

/** The keys of an order as columns of a subquery, and the order by those columns. */
export const keyed = (order: readonly OrderKey[]): { keys: string; byKeys: string } => ({
  keys: order.map(({ sql }, place) => `${sql} as key${place}`).join(', '),
  byKeys: orderText(order.map((key, place) => ({ ...key, sql: `key${place}` }))),
});

/** Everything behind the select list. */
export const fromOf = ({ table, as, joins = '', where }: Selection): string =>
  `from ${table} ${as} ${joins} where ${where}`;

/**
 * The same for a selection of few rows: `offset 0` keeps PostgreSQL from looking for them along the index of the order,
 * through all that do not match.
 */
export const fromFew = (selection: Selection): string => {
  const { table, as, joins = '' } = selection;
  return `from (select ${as}.id as found ${fromOf(selection)} offset 0) as few
    join ${table} ${as} on ${as}.id = few.found ${joins}`;
};

/** Values that the text does not use are left out: PostgreSQL refuses parameters of unknown type. */
export const rowsOf = async <R extends object>(
  db: Db,
  { values }: Selection,
  text: string,
  ...more: unknown[]
): Promise<R[]> => {
  const used = withUsed(text, [...values, ...more]);
  return db.rows<R>(used.text, used.values, { planFor: 'values' });
};

/** Of a search, no further than one more than the window. */
export async function countRows(db: Db, selection: Selection): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(db, selection, `select count(*) as n ${fromOf(selection)}`);
  return row?.n ?? 0;
}

/** Both numbers in one statement: they are of one moment. */
async function countLess(db: Db, selection: Selection, { whole, leftOut }: LeavesOut): Promise<number> {
  const less = `select count(*) ${fromOf({ ...selection, where: leftOut })}`;
  const [row] = await rowsOf<{ n: number }>(db, selection, `select (${whole}) - (${less}) as n`);
  return row?.n ?? 0;
}

/** Ids of the first rows, to be remembered; how many were found tells the way to them. */
export async function firstIds(db: Db, selection: Selection, found: number): Promise<number[]> {
  if (found === 0) return [];
  const { as, order } = selection;
  const { keys, byKeys } = keyed(order);
  const text = isFew(found)
    ? `select id from (select ${as}.id, ${keys} ${fromOf(selection)} offset 0) as found order by ${byKeys}`
    : `select ${as}.id ${fromOf(selection)} order by ${orderText(order)}`;
  return (await rowsOf<{ id: number }>(db, selection, `${text} limit ${FIRST}`)).map(({ id }) => id);
}

/**
 * The conditions stand here as well: what has changed since the outline was made must not be shown to whoever may not
 * see it. `is true` hides them from the planner, which would take other indexes than that of the ids for them.
 */
export function rowsById<R extends object>(
  db: Db,
  selection: Selection,
  ids: readonly number[],
): Promise<R[]> {
  const { table, as, joins = '', columns, where, values } = selection;
  const wanted = `$${values.length + 1}::bigint[]`;
  return rowsOf<R>(
    db,
    selection,
    `select ${columns} from ${table} ${as} ${joins}
      where ${as}.id = any(${wanted}) and (${where}) is true order by array_position(${wanted}, ${as}.id)`,
    ids,
  );
}

export interface PageRange extends Range {
  /** Where it is known: behind the middle, the way from the end is the shorter one. */
  readonly total?: number;
  /** The filter leaves so few rows that finding all of them beats walking along the order. */
  readonly few?: boolean;
}

/** A page of the selection. */
export async function selectRows<R extends object>(
  db: Db,
  selection: Selection,
  { skip, size, total = Infinity, few }: PageRange,
): Promise<R[]> {
  const { table, as, joins = '', columns, values } = selection;
  const fromEnd = total - skip - size;
  const reversed = skip >= FAR && fromEnd < skip;
  const order = `order by ${orderText(selection.order, reversed)}`;
  if (skip === 0) {
    // The first page is the one that counts: its text has no parameters but those of filters, and stays prepared.
    const text = `select ${columns} ${few ? fromFew(selection) : fromOf(selection)} ${order} limit ${size}`;
    const usual = !few && values.length === 0 && USUAL_SIZES.has(size);
    return usual ? db.rows<R>(text) : rowsOf<R>(db, selection, text);
  }
  const range = `limit ${size} offset $${values.length + 1}`;
  const isNear = few === true || skip < FAR;
  const text = isNear
    ? `select ${columns} ${few ? fromFew(selection) : fromOf(selection)} ${order} ${range}`
    : `select ${columns} from (select ${as}.id as found ${fromOf(selection)} ${order} ${range}) as page
         join ${table} ${as} on ${as}.id = page.found ${joins} ${order}`;
  const rows = await rowsOf<R>(db, selection, text, reversed ? Math.max(0, fromEnd) : skip);
  return reversed ? rows.reverse() : rows;
}
