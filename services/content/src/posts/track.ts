/**
 * Where long lists of posts stand in indexes. `post_terms` holds the published posts of each term in the order of their
 * dates, with their authors; what else is asked of a row is looked up in a hash table of ids that an index brings.
 */
import type { OrderKey } from '@sevenfold/chassis/db/selection';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Track } from '@sevenfold/chassis/db/track';
import type { ListQuery } from './args';

/** A list, as far as its conditions are made. */
export interface Listed {
  /** Condition of type and statuses, which decides alone what the caller may see of them. */
  readonly base: string;
  /** SQL of the number of rows of these. */
  readonly whole: string;
  /** Whether these are the published posts: what `post_terms` holds. */
  readonly isLinked: boolean;
  readonly leftOut: readonly LeftOut[];
  /** The other conditions, but for those of terms. */
  readonly filters: readonly string[];
  readonly order: readonly OrderKey[];
  /** Whether an index gives the order. */
  readonly isIndexed: boolean;
}

/** What an exclusion takes from the list of the base. */
export interface LeftOut {
  /** Statement of the ids. */
  readonly ids: string;
  /** Rows `l` in the order of dates: `from … where …`. */
  readonly dated?: string;
}

type TermList = 'categories' | 'tags';
const TERMS: readonly TermList[] = ['categories', 'tags'];

/** So many terms are merged one by one, which keeps them in order. */
const MOST_MERGED = 20;

/** Undefined where the conditions find the rows by themselves, or no index knows what they ask. */
export function trackOf(conditions: Conditions, query: ListQuery, listed: Listed): Track | undefined {
  const wanted = TERMS.flatMap((list) => {
    const ids = [...new Set(query[list])];
    return ids.length > 0 ? [{ list, ids }] : [];
  });
  if (!listed.filters.every((part) => /^p\.(author|date_gmt) /.test(part))) return undefined;
  if (wanted.length > 0) return listed.isLinked ? alongTerms(conditions, wanted, listed) : undefined;
  return listed.leftOut.length > 0 ? leavingOut(listed) : undefined;
}

interface Wanted {
  readonly list: TermList;
  readonly ids: readonly number[];
}

/** Rows `l` of the published posts of some terms: `from … where …`. */
const ofTerms = (conditions: Conditions, { list, ids }: Wanted): string =>
  `from post_${list} l where ${
    ids.length === 1
      ? `l.term_id = ${conditions.value(ids[0])}::bigint`
      : `l.term_id = any(${conditions.value(ids)}::bigint[])`
  }`;

export function withoutTerms(conditions: Conditions, unwanted: Wanted): LeftOut {
  const rows = ofTerms(conditions, unwanted);
  return { ids: `select l.post_id ${rows}`, dated: unwanted.ids.length === 1 ? rows : undefined };
}

// `is true` keeps PostgreSQL from joining: it would sort what the index has in order.
const among = (id: string, ids: string): string => `(${id} in (${ids})) is true`;
const notAmong = (id: string, ids: string): string => `(${id} in (${ids})) is not true`;

const isByDate = (order: readonly OrderKey[]): boolean => order[0]?.sql === 'p.date_gmt';

/** Along the posts of one term, or of several merged; other terms are looked up. */
function alongTerms(conditions: Conditions, wanted: readonly Wanted[], listed: Listed): Track {
  const { base, leftOut, filters, order } = listed;
  const [first, ...others] = [...wanted].sort((a, b) => a.ids.length - b.ids.length) as [Wanted, ...Wanted[]];
  const parts = [
    ...filters.map((part) => part.replace(/^p\./, 'l.')),
    ...others.map((other) => among('l.post_id', `select l.post_id ${ofTerms(conditions, other)}`)),
    ...leftOut.map(({ ids }) => notAmong('l.post_id', ids)),
  ];
  const rowsOf = (ids: readonly number[]): string =>
    [ofTerms(conditions, { ...first, ids }), ...parts].join(' and ');
  const keys = order.map((key) => ({ ...key, sql: key.sql === 'p.id' ? 'l.post_id' : 'l.date_gmt' }));
  const keeps = [
    ...wanted.map((one) => `select ${ofTerms(conditions, one)}`),
    ...filters.map((part) => `select from posts p where ${base} and ${part}`),
  ];
  if (first.ids.length === 1) {
    const from = rowsOf(first.ids);
    const total = `(select count(*) ${from})`;
    return isByDate(order)
      ? { from, id: 'l.post_id', order: keys, total, keeps: parts.length === 0 ? [] : keeps }
      : { ...lookedUp(`select l.post_id ${from}`, listed), total, keeps };
  }
  const merged = first.ids.map((id) => `select l.date_gmt, l.post_id ${rowsOf([id])}`).join(' union ');
  if (isByDate(order) && first.ids.length <= MOST_MERGED)
    return {
      from: `from (${merged}) as l`,
      id: 'l.post_id',
      order: keys,
      keeps,
      among: base,
      isOneWay: true,
    };
  const all = `select distinct l.post_id ${rowsOf(first.ids)}`;
  return { ...lookedUp(all, listed), total: `(select count(*) from (${all}) as l)`, keeps };
}

/** Along the index of the order, by ids that stand in another. */
const lookedUp = (ids: string, { base, order, isIndexed }: Listed): Track => ({
  from: `from posts p where ${base} and ${among('p.id', ids)}`,
  id: 'p.id',
  order,
  among: isIndexed ? base : undefined,
});

/** All but some, which are counted in their stead. */
function leavingOut({ base, whole, leftOut, filters, order, isIndexed }: Listed): Track {
  // An index of another order knows neither what the filters ask nor the dates.
  const kept = isByDate(order)
    ? filters
    : filters.map((part) => among('p.id', `select p.id from posts p where ${base} and ${part}`));
  const gone = leftOut.map(({ ids, dated }) =>
    dated !== undefined && isByDate(order)
      ? `not exists (select ${dated} and l.date_gmt = p.date_gmt and l.post_id = p.id)`
      : notAmong('p.id', ids),
  );
  const all = leftOut.map(({ ids }) => ids).join(' union all ');
  // The rows of one term name each post once.
  const isOne = leftOut.length === 1 && leftOut[0]?.dated !== undefined;
  const less = isOne ? all : `select distinct id from (${all}) as gone (id)`;
  return {
    from: `from posts p where ${[base, ...kept, ...gone].join(' and ')}`,
    id: 'p.id',
    order,
    total: filters.length === 0 ? `(${whole}) - (select count(*) from (${less}) as gone)` : undefined,
    keeps: [base, ...filters.map((part) => `${base} and ${part}`)].map(
      (part) => `select from posts p where ${part}`,
    ),
    among: isIndexed ? base : undefined,
  };
}
