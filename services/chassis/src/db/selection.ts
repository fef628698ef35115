/**
 * Which rows of a table, in which order, as data and as SQL: what lists (list.ts), tracks
 * (track.ts) and searches share.
 */
import { type Db, type QueryOptions, withUsed } from './sql';

/** From here on finding the ids in the index first is cheaper than dragging whole rows along. */
export const FAR = 200;

/** A filter that leaves no more than these: finding all of them beats walking along the order past all the others. */
export const FEW = 20_000;

export const isFew = (found: number): boolean => found <= FEW;

/** Ids remembered of a filtered list: the pages that are looked at. */
export const FIRST = 200;

export interface OrderKey {
  readonly sql: string;
  readonly direction: 'asc' | 'desc';
}

/** Rows of a table: which, and in which order. */
export interface Selection {
  readonly table: string;
  /** What the table is called in all SQL of the selection. */
  readonly as: string;
  /**
   * Text behind the table for the columns, such as `join media m on m.post_id = p.id`; one row for each of the table. Conditions
   * and order do without it: what is only counted, searched or passed by would be joined row by row.
   */
  readonly joins?: string;
  /** Select list. */
  readonly columns: string;
  readonly where: string;
  /** Of the conditions and of the order. */
  readonly values: readonly unknown[];
  /** Ends with the id, so that no two rows are equal. */
  readonly order: readonly OrderKey[];
}

/** What a client says where a page begins by. */
export type SkippedBy = 'page' | 'offset';

export interface Range {
  readonly skip: number;
  readonly size: number;
  /** The argument that said so, which a fault names. */
  readonly by?: SkippedBy;
}

const USUAL_SIZES: ReadonlySet<number> = new Set([10, 20, 50, 100]);

/**
 * Pages that are asked for all the time: the first ones of lists without filters. Planning one takes longer than reading
 * it, so their texts have no parameters and stay prepared (`planFor: 'form'`).
 */
export const isUsual = ({ skip, size }: Range, values: readonly unknown[]): boolean =>
  skip === 0 && values.length === 0 && USUAL_SIZES.has(size);

// ---- statements --------------------------------------------------------------------------------------------------

const flip = { asc: 'desc', desc: 'asc' } as const;

/** An order as SQL, or its reverse. */
export const orderText = (order: readonly OrderKey[], reversed = false): string =>
  order.map(({ sql, direction }) => `${sql} ${reversed ? flip[direction] : direction}`).join(', ');

/** The keys of an order as columns of a subquery, and the order by those columns. */
export const keyed = (order: readonly OrderKey[]): { keys: string; byKeys: string } => ({
  keys: order.map(({ sql }, place) => `${sql} as key${place}`).join(', '),
  byKeys: orderText(order.map((key, place) => ({ ...key, sql: `key${place}` }))),
});

/** Everything behind a select list of the table's own columns. */
export const fromOf = ({ table, as, where }: Pick<Selection, 'table' | 'as' | 'where'>): string =>
  `from ${table} ${as} where ${where}`;

/** Everything behind the select list of the selection. */
export const fromAll = ({ table, as, joins = '', where }: Selection): string =>
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
export const rowsOf = <R extends object>(
  db: Db,
  { values }: Pick<Selection, 'values'>,
  text: string,
  more: readonly unknown[] = [],
  planFor: QueryOptions['planFor'] = 'values',
): Promise<R[]> => {
  const used = withUsed(text, [...values, ...more]);
  return db.rows<R>(used.text, used.values, { planFor });
};

export async function countRows(db: Db, selection: Selection): Promise<number> {
  const [row] = await rowsOf<{ n: number }>(db, selection, `select count(*) as n ${fromOf(selection)}`);
  return row?.n ?? 0;
}
