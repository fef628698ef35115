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
import {
  type Range,
  type Selection,
  FAR,
  FIRST,
  countRows,
  fromAll,
  fromFew,
  fromOf,
  isFew,
  isUsual,
  keyed,
  orderText,
  rowsOf,
} from './selection';
import type { Db } from './sql';
import { type Track, type Tracked, numberOf, outlineAlong, pageAlong } from './track';

/** What is remembered of a list. */
export interface Outline {
  readonly total: number;
  /** There are more than the total says. */
  readonly more?: boolean;
  /** Ids of the first rows, in order; absent where walking along the order finds them as fast, or only pages behind them were asked for. */
  readonly first?: readonly number[];
  /** Of searches: the way to their other pages. */
  readonly search?: SearchPlan;
  /** The other pages are found along the track. */
  readonly tracked?: Tracked;
}

export type Outlines = Remembered<Outline>;

export const outlineBounds = { lifetimeMs: 30_000, most: 1_000 } as const;

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
  /** `wanted`: ids of the first rows, or more; or, where finding them would cost as much as the page, the page far behind them that is asked for. */
  readonly outline: (wanted: Range) => Promise<O>;
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
  { skip, size, by, beyond }: Range & { readonly beyond?: (total: number) => Error | undefined },
): Promise<Found<R>> {
  if (plan.isSearch) checkWindow(skip, by);
  const asked = outlineOf(outlines, plan, { skip, size });
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

/** What is known of the first pages serves all others; what was made for those does not serve the first. */
function outlineOf<R, O extends Outline>(
  outlines: Remembered<O>,
  { key, outline }: Plan<R, O>,
  range: Range,
): Promise<O> {
  if (range.skip < FIRST) return outlines.get(key, () => outline({ skip: 0, size: FIRST }));
  return outlines.known(key) ?? outlines.get(`${key} far`, () => outline(range));
}

/** A way of its own to find the ids of a list, such as a search. */
export interface Finder {
  /** The outline with the ids of the first rows; without them where a page behind them is wanted, which is found with it. */
  outline(wanted: Range): Promise<Outline>;
  /** The ids of a page behind them. */
  page(outline: Outline, range: Range): Promise<readonly number[]>;
}

/**
 * The list of a selection: total by `counted` where counters know it, ids by `finder` where there is one, or along the
 * `track` where many rows are to be passed by. Quick is what is remembered, or near the start of an order that is `indexed`.
 */
export function planOf<R extends object>(
  { quick, costly }: Reads,
  selection: Selection,
  ways: {
    readonly counted?: () => Promise<number>;
    readonly track?: Track;
    readonly finder?: Finder;
    readonly indexed?: boolean;
  } = {},
): Plan<R, Outline> {
  const { counted, track, finder, indexed = false } = ways;
  const plan = {
    key: JSON.stringify([fromOf(selection), selection.order, selection.values]),
    isSearch: finder !== undefined,
    byId: (ids: readonly number[]) => rowsById<R>(quick, selection, ids),
  };
  if (finder)
    return {
      ...plan,
      outline: (wanted) => finder.outline(wanted),
      page: async (outline, range) => plan.byId(await finder.page(outline, range)),
    };
  const near = counted && indexed ? quick : costly;
  const page: Plan<R, Outline>['page'] = async (outline, range) => {
    const { total } = outline;
    if (track && outline.tracked)
      return plan.byId(await pageAlong(costly, selection, track, { ...range, ...outline.tracked, total }));
    const few = !counted && isFew(total);
    return selectRows<R>(range.skip < FAR ? near : costly, selection, { ...range, total, few });
  };
  if (counted)
    return {
      ...plan,
      outline: async () => ({ total: await counted() }),
      start: (size) => selectRows<R>(near, selection, { skip: 0, size }),
      page,
    };
  return {
    ...plan,
    outline: async ({ skip }) => {
      const along = track && (await outlineAlong(costly, selection, track, skip === 0));
      if (along) return along;
      const total = await (track?.total
        ? numberOf(costly, selection, `(${track.total})`)
        : countRows(costly, selection));
      return skip > 0 ? { total } : { total, first: await firstIds(costly, selection, total) };
    },
    page,
  };
}

// ---- statements --------------------------------------------------------------------------------------------------

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
    [ids],
    'form',
  );
}

export interface PageRange extends Range {
  /** Where it is known: behind the middle, the way from the end is the shorter one. */
  readonly total?: number;
  /** The filter leaves so few rows that finding all of them beats walking along the order. */
  readonly few?: boolean;
}

/** A page of the selection. */
export function selectRows<R extends object>(
  db: Db,
  selection: Selection,
  { skip, size, total = Infinity, few }: PageRange,
): Promise<R[]> {
  const { table, as, joins = '', columns, values } = selection;
  const fromEnd = total - skip - size;
  const reversed = skip >= FAR && fromEnd < skip;
  const order = `order by ${orderText(selection.order, reversed)}`;
  if (skip === 0) {
    const text = `select ${columns} ${few ? fromFew(selection) : fromAll(selection)} ${order} limit ${size}`;
    return rowsOf<R>(db, selection, text, [], !few && isUsual({ skip, size }, values) ? 'form' : 'values');
  }
  const range = `limit ${size} offset $${values.length + 1}`;
  const isNear = few === true || skip < FAR;
  const text = isNear
    ? `select ${columns} ${few ? fromFew(selection) : fromAll(selection)} ${order} ${range}`
    : `select ${columns} from (select ${as}.id as found ${fromOf(selection)} ${order} ${range}) as page
         join ${table} ${as} on ${as}.id = page.found ${joins} ${order}`;
  const rows = rowsOf<R>(db, selection, text, [reversed ? Math.max(0, fromEnd) : skip]);
  return reversed ? rows.then((found) => found.reverse()) : rows;
}
