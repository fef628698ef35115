/**
 * Where long lists of posts stand in indexes. `post_categories` and `post_tags` hold the published posts of each term in the
 * orders of their dates and of their titles, with their authors; what else is asked of a row is looked up among the ids that an index brings.
 */
import { type IdSet, inAny, inFirstAlone, isIn, setOf, sizeOf } from '@sevenfold/chassis/db/id-sets';
import {
  type Linked,
  type Links,
  fewLinks,
  fromLinks,
  linkedIds,
  linkedToAll,
} from '@sevenfold/chassis/db/links';
import { type OrderKey, FEW } from '@sevenfold/chassis/db/selection';
import type { SearchSpec } from '@sevenfold/chassis/db/search';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Track } from '@sevenfold/chassis/db/track';
import type { ListQuery } from './args';

/** A list, as far as its conditions are made. */
export interface Listed {
  /** Condition of type and statuses, which decides alone what the caller may see of them. */
  readonly base: string;
  /** SQL of the number of rows of these. */
  readonly whole: string;
  /** Whether these are the published posts: what the rows of terms hold. */
  readonly isLinked: boolean;
  readonly leftOut: readonly LeftOut[];
  /** The other conditions, but for those of terms. */
  readonly filters: readonly string[];
  readonly order: readonly OrderKey[];
  /** Whether an index gives the order. */
  readonly isIndexed: boolean;
  /** Whether the indexes of all orders know who wrote each row and when, and of what type a file is: those of what is published, and of files. */
  readonly isKnown: boolean;
}

/** What an exclusion takes from the list of the base. */
export interface LeftOut {
  /** Condition of its rows; absent: one that asks more than the row. */
  readonly plain?: string;
  /** Their ids. */
  readonly set: IdSet;
  /** Condition of the rows that are left out, over what the indexes of orders know. */
  readonly known?: string;
  /** Statement of a row for each that stays, beside no other filter: quick where few stay. */
  readonly rest?: string;
}

type At = 'date_gmt' | 'title_key';

export const linksOf = (list: 'categories' | 'tags', at: At = 'date_gmt'): Links => ({
  table: `post_${list}`,
  target: 'term_id',
  at,
  id: 'post_id',
  list,
  rows: `posts where type = 'post' and status = 'publish'`,
  names: list,
});

/** Undefined where the conditions find the rows by themselves, or no index knows what they ask. */
export function trackOf(conditions: Conditions, query: ListQuery, listed: Listed): Track | undefined {
  const wanted = wantedOf(query, atOf(listed.order));
  if (!listed.filters.every(isOfOrders)) return undefined;
  if (wanted.length > 0) return listed.isLinked ? alongTerms(conditions, wanted, listed) : undefined;
  const { leftOut, filters, order, isIndexed } = listed;
  // In the order of their dates the filters find the rows as they are wanted.
  const isSorted = filters.length === 0 || !isIndexed || atOf(order) === 'date_gmt';
  return leftOut.length > 0 || !isSorted ? leavingOut(listed) : undefined;
}

/** What the indexes of orders know of each row that is published, or of each file, beside where it stands. */
const isOfOrders = (part: string): boolean => /^p\.(author|date_gmt|mime_type) /.test(part);

function wantedOf(query: ListQuery, at?: At): Linked[] {
  return (['categories', 'tags'] as const).flatMap((list) => {
    const ids = [...new Set(query[list])];
    return ids.length > 0 ? [{ links: linksOf(list, at), ids }] : [];
  });
}

/** The conditions that are answered without the rows, for searches along an order. `ofRow`: what the row tells of these. */
export function knownOf(
  conditions: Conditions,
  query: ListQuery,
  { filters, leftOut, isLinked }: Pick<Listed, 'filters' | 'leftOut' | 'isLinked'>,
): SearchSpec['known'] {
  const wanted = isLinked ? wantedOf(query) : [];
  const named = wanted.length > 0 ? [isIn('posts', 'p.id', linkedToAll(conditions, wanted))] : [];
  const ofOrders = filters.filter(isOfOrders);
  const parts = [...ofOrders, ...staying(leftOut), ...named, ...notIn('p.id', goneOf(leftOut))];
  if (parts.length === 0) return undefined;
  const ofRow = [
    'true',
    ...ofOrders,
    ...leftOut.flatMap(({ plain }) => (plain === undefined ? [] : [`not (${plain})`])),
    ...wanted.map(({ links: { names }, ids }) => `p.${names} && ${conditions.value(ids)}::bigint[]`),
  ];
  return { sql: parts.join(' and '), ofRow: ofRow.join(' and ') };
}

export const namingTerms = (
  conditions: Conditions,
  list: 'categories' | 'tags',
  ids: readonly number[],
): IdSet => linkedIds(conditions, { links: linksOf(list), ids: [...new Set(ids)] });

/** Without what some authors wrote: what others did stands between these in the index of authors. */
export function withoutAuthors(
  conditions: Conditions,
  base: string,
  authors: readonly number[],
  isKnown: boolean,
): Pick<LeftOut, 'known' | 'rest'> {
  const ids = [...new Set(authors)].sort((a, b) => a - b);
  const lows = conditions.value([-1, ...ids]);
  const highs = conditions.value([...ids, Number.MAX_SAFE_INTEGER]);
  return {
    known: isKnown ? `p.author = any(${conditions.value(ids)}::bigint[])` : undefined,
    rest: `select from unnest(${lows}::bigint[], ${highs}::bigint[]) as apart (low, high) cross join lateral (
      select from posts p where ${base} and p.author > apart.low and p.author < apart.high offset 0) as others`,
  };
}

/** The order that the rows of terms have as well. */
const atOf = (order: readonly OrderKey[]): At | undefined => {
  const first = order[0]?.sql;
  return first === 'p.date_gmt' ? 'date_gmt' : first === 'p.title_key' ? 'title_key' : undefined;
};

/** Along the posts of the term where one is asked for; other terms are looked up. */
function alongTerms(conditions: Conditions, wanted: readonly Linked[], listed: Listed): Track {
  const { base, leftOut, filters, order } = listed;
  const [first, ...others] = [...wanted].sort((a, b) => a.ids.length - b.ids.length) as [Linked, ...Linked[]];
  const known = [...filters, ...staying(leftOut)].map((part) => part.replace(/\bp\./g, 'l.'));
  const gone = goneOf(leftOut);
  const direction = order[0]?.direction ?? 'desc';
  const isInOrder = atOf(order) !== undefined;
  const few = fewLinks(conditions, 'posts', wanted, [...known, ...notIn('l.post_id', gone)], direction).map(
    (one) =>
      isInOrder
        ? one
        : {
            from: `from posts p where ${base} and p.id in (select ${one.id} ${one.from})`,
            id: 'p.id',
            order,
          },
  );
  const keeps = [
    ...wanted.map((one) => `select ${fromLinks(conditions, one)}`),
    ...filters.map((part) => `select from posts p where ${base} and ${part}`),
  ];
  const named = linkedToAll(conditions, wanted);
  const left = gone === undefined ? named : inFirstAlone(named, gone);
  if (first.ids.length > 1 || !isInOrder) {
    const along = alongBase(listed, left);
    return { ...along, total: known.length === 0 ? sizeOf(left) : undefined, few, keeps };
  }
  const beside = others.length === 0 ? notIn('l.post_id', gone) : [isIn('posts', 'l.post_id', left)];
  const parts = [...known, ...beside];
  return {
    from: [fromLinks(conditions, first), ...parts].join(' and '),
    id: 'l.post_id',
    order: [first.links.at, 'post_id'].map((column) => ({ sql: `l.${column}`, direction })),
    total: known.length === 0 ? sizeOf(left) : undefined,
    few,
    keeps: parts.length === 0 ? [] : keeps,
  };
}

/** All but some; or what filters keep, in the order of an index that does not know what they ask. */
function leavingOut(listed: Listed): Track {
  const { base, filters } = listed;
  return {
    ...alongBase(listed),
    total: totalLeft(listed),
    keeps: [base, ...filters.map((part) => `${base} and ${part}`)].map(
      (part) => `select from posts p where ${part}`,
    ),
  };
}

/** What is left out is counted in place of what stays, unless that is known to be little. Undefined: counting along the track is as short. */
function totalLeft({ base, whole, leftOut, filters }: Listed): string | undefined {
  const [only, another] = leftOut;
  if (!only) return `select count(*) from posts p where ${[base, ...filters].join(' and ')}`;
  if (filters.length > 0) return undefined;
  if (another || only.rest === undefined)
    return `(${whole}) - ${sizeOf(inAny(leftOut.map(({ set }) => set)))}`;
  // One exclusion of authors names no row twice.
  const left = `(${whole}) - (select count(*) from (${only.set.ids}) as gone (id))`;
  return `select case when n > ${FEW} then ${left} else n end from (select count(*) as n from (${only.rest} limit ${FEW + 1}) as r) as few`;
}

/** Along the index of the order, by what the filters keep, what is not left out, and what is in the set: of exclusions that are sets it has nothing. */
function alongBase({ base, leftOut, filters, order, isIndexed, isKnown }: Listed, wanted?: IdSet): Track {
  // An index of another order may know neither what the filters ask nor the dates.
  const kept =
    isKnown || atOf(order) === 'date_gmt' || filters.length === 0
      ? filters
      : [isIn('posts', 'p.id', setOf(`select p.id from posts p where ${[base, ...filters].join(' and ')}`))];
  const looked = wanted ? [isIn('posts', 'p.id', wanted)] : notIn('p.id', goneOf(leftOut));
  return {
    from: `from posts p where ${[base, ...kept, ...staying(leftOut), ...looked].join(' and ')}`,
    id: 'p.id',
    order,
    among: isIndexed ? base : undefined,
  };
}

/** Conditions of what stays beside exclusions that the indexes of orders know. */
const staying = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.flatMap(({ known }) => (known === undefined ? [] : [`not (${known})`]));

/** What the other exclusions take. */
function goneOf(leftOut: readonly LeftOut[]): IdSet | undefined {
  const sets = leftOut.flatMap(({ known, set }) => (known === undefined ? [set] : []));
  return sets.length === 0 ? undefined : inAny(sets);
}

const notIn = (id: string, set: IdSet | undefined): string[] =>
  set === undefined ? [] : [`not ${isIn('posts', id, set)}`];
