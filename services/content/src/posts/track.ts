/**
 * Where long lists of posts stand in indexes. `post_terms` holds the published posts of each term in the order of their
 * dates, with their authors; what else is asked of a row is looked up in a hash table of ids that an index brings.
 */
import {
  type Linked,
  type Links,
  among,
  amongLinks,
  fromLinks,
  linkedRows,
  notAmong,
} from '@sevenfold/chassis/db/links';
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

const linksOf = (list: 'categories' | 'tags'): Links => ({
  table: `post_${list}`,
  target: 'term_id',
  at: 'date_gmt',
  id: 'post_id',
});

/** Undefined where the conditions find the rows by themselves, or no index knows what they ask. */
export function trackOf(conditions: Conditions, query: ListQuery, listed: Listed): Track | undefined {
  const wanted = (['categories', 'tags'] as const).flatMap((list) => {
    const ids = [...new Set(query[list])];
    return ids.length > 0 ? [{ links: linksOf(list), ids }] : [];
  });
  if (!listed.filters.every((part) => /^p\.(author|date_gmt) /.test(part))) return undefined;
  if (wanted.length > 0) return listed.isLinked ? alongTerms(conditions, wanted, listed) : undefined;
  return listed.leftOut.length > 0 ? leavingOut(listed) : undefined;
}

export function withoutTerms(
  conditions: Conditions,
  list: 'categories' | 'tags',
  ids: readonly number[],
): LeftOut {
  const rows = fromLinks(conditions, { links: linksOf(list), ids });
  return { ids: `select l.post_id ${rows}`, dated: ids.length === 1 ? rows : undefined };
}

const isByDate = (order: readonly OrderKey[]): boolean => order[0]?.sql === 'p.date_gmt';

/** Along the posts of one term, or of several; other terms are looked up. */
function alongTerms(conditions: Conditions, wanted: readonly Linked[], listed: Listed): Track {
  const { base, leftOut, filters, order } = listed;
  const [first, ...others] = [...wanted].sort((a, b) => a.ids.length - b.ids.length) as [Linked, ...Linked[]];
  const parts = [
    ...filters.map((part) => part.replace(/^p\./, 'l.')),
    ...others.map((other) => amongLinks(conditions, 'l.post_id', other)),
    ...leftOut.map(({ ids }) => notAmong('l.post_id', ids)),
  ];
  const { ids, total, track } = linkedRows(conditions, first, parts, order[0]?.direction ?? 'desc');
  const isInOrder = track && isByDate(order);
  const keeps = [
    ...wanted.map((one) => `select ${fromLinks(conditions, one)}`),
    ...filters.map((part) => `select from posts p where ${base} and ${part}`),
  ];
  if (!isInOrder) return { ...lookedUp(ids, listed), total, keeps };
  return track.isOneWay
    ? { ...track, keeps, among: base }
    : { ...track, keeps: parts.length === 0 ? [] : keeps };
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
