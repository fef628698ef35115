/**
 * Lists of posts, pages and media as SQL: filters and order (run-list.ts runs them). What the caller may see is a condition like
 * any other, so that no page comes up short and totals tell the truth.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { OrderKey } from '@sevenfold/chassis/db/selection';
import { Conditions } from '@sevenfold/chassis/db/sql';
import { setOf } from '@sevenfold/chassis/db/id-sets';
import {
  type SearchSpec,
  type Searched,
  addSearch,
  candidatesOf,
  containing,
} from '@sevenfold/chassis/db/search';
import type { Track } from '@sevenfold/chassis/db/track';
import type { CheckContext } from '@sevenfold/chassis/http/args';
import type { Context } from '@sevenfold/chassis/http/context';
import { readMoment } from '@sevenfold/text/dates';
import { parseSearch } from '@sevenfold/text/search';
import { slugify } from '@sevenfold/text/slug';
import * as rights from '@sevenfold/publishing/rights';
import { anyStatuses, filterableStatuses } from '@sevenfold/publishing/statuses';
import type { ListQuery } from './args';
import { canEditPost, canReadPost, may } from './policy';
import { isIndexed } from './indexed-orders';
import { type LeftOut, type Listed, knownOf, namingTerms, trackOf, withoutAuthors } from './track';
import type { PostTypeName } from './types';
import { argumentError } from '../errors';

/** The statuses asked for; `any` stands for several. */
function statusesOf(query: Pick<ListQuery, 'status'>, fallback = 'publish'): string[] {
  const asked = typeof query.status === 'string' ? [query.status] : query.status;
  const named = asked.length === 0 ? [fallback] : asked;
  return [...new Set(named.flatMap((status) => (status === 'any' ? anyStatuses : [status])))];
}

/**
 * Everything but the default needs the right to edit the type (`private` also the right to read private posts). A
 * stranger's forbidden status and an unknown one look the same to him.
 */
export function faultOfStatuses(
  type: PostTypeName,
  allowed: readonly string[] = filterableStatuses,
  fallback = 'publish',
) {
  return (
    asked: readonly string[] | string,
    { actor }: CheckContext,
  ): { code: string; message: string } | undefined => {
    for (const status of typeof asked === 'string' ? [asked] : asked) {
      if (status === fallback) continue;
      if (!may(actor, type, 'edit') && !(status === 'private' && may(actor, type, 'read_private')))
        return {
          code: 'rest_forbidden_status',
          message: `You are not allowed to list by the status ${status}.`,
        };
      if (!allowed.includes(status))
        return { code: 'rest_not_in_enum', message: `status is not one of ${allowed.join(', ')}.` };
    }
    return undefined;
  };
}

/** Orders that need another argument to mean anything. */
export function checkOrder(query: Pick<ListQuery, 'orderby' | 'include' | 'search'>): void {
  if (query.orderby === 'include' && query.include.length === 0)
    throw argumentError(
      'include',
      'rest_orderby_include_missing_include',
      400,
      'To order by include, name the ids in the argument include.',
    );
  if (query.orderby === 'relevance' && !query.search)
    throw argumentError(
      'search',
      'rest_no_search_term_defined',
      400,
      'To order by relevance, name what to look for in the argument search.',
    );
}

/** Condition for rows `alias` of the statuses that the caller may read (or edit). */
export const visibility = (
  conditions: Conditions,
  actor: Actor,
  type: PostTypeName,
  statuses: readonly string[],
  { alias = 'p', rule = canReadPost } = {},
): rights.Visible =>
  rights.visibility(conditions, actor, statuses, alias, (row) => rule(actor, { ...row, type, password: '' }));

export interface PreparedList {
  readonly conditions: Conditions;
  readonly order: readonly OrderKey[];
  /** Set when nothing but type and statuses decides: the counters know the total. */
  readonly counted?: { readonly type: PostTypeName; readonly statuses: readonly string[] };
  /** Set where indexes know the list, however long it is. */
  readonly track?: Track;
  readonly searched?: SearchOf;
}

/** What tells how wide a search is. Its `base` is type and statuses, with dates and author where the index of the order is the one of dates. */
export type SearchOf = Pick<SearchSpec, 'base' | 'words' | 'filters' | 'known'>;

/** Filters and order of a query. `timezone` reads bare dates; edit context keeps what the caller may edit. */
export function prepareList(
  actor: Actor,
  type: PostTypeName,
  query: ListQuery,
  options: {
    timezone: string;
    context: Context;
    fallbackStatus?: string;
    /** Statement of the ids of rows that the caller may not see for another reason than their status. */
    hidden?: (conditions: Conditions, base: string) => string | undefined;
    /** Filters of the type's own. */
    filter?: (conditions: Conditions) => void;
  },
): PreparedList {
  const conditions = new Conditions().add(`p.type = '${type}'`);
  const statuses = statusesOf(query, options.fallbackStatus);
  const rule = options.context === 'edit' ? canEditPost : canReadPost;
  const visible = visibility(conditions, actor, type, statuses, { rule });
  conditions.add(visible.sql);
  const base = conditions.where;
  const isKnown = visible.isWhole && statuses.join() === (type === 'attachment' ? 'inherit' : 'publish');
  const isLinked = type === 'post' && isKnown;
  const unfiltered = conditions.parts.length;
  const leftOut = addExclusions(conditions, query, { base, isLinked, isKnown });
  const hidden = options.hidden?.(conditions, base);
  if (hidden !== undefined) {
    conditions.check(`(p.id in (${hidden})) is not true`);
    leftOut.push({ set: setOf(hidden) });
  }
  const excluding = conditions.parts.length;
  addFilters(conditions, query, options.timezone);
  options.filter?.(conditions);
  const filters = conditions.parts.slice(excluding);
  addTerms(conditions, query);
  const isPlain = conditions.parts.length === unfiltered;
  const answered = conditions.answered;
  const isSearch = addSearchOf(conditions, actor, type, query.search);
  const order = orderOf(conditions, type, query);
  const counted = visible.isWhole && isPlain && !isSearch ? { type, statuses } : undefined;
  const track =
    visible.isWhole && !isPlain && !isSearch
      ? trackOf(conditions, query, {
          base,
          whole: countSql(`'${type}'`, conditions.value(statuses)),
          isLinked,
          leftOut,
          filters,
          order,
          isIndexed: isIndexed(order),
          isKnown,
        })
      : undefined;
  const searched = isSearch
    ? searchOf(conditions, query, { base, answered, filters, order, leftOut, isLinked, isKnown })
    : undefined;
  return { conditions, order, counted, track, searched };
}

/** What the index of dates knows beside type and status, and the one of authors of one of them. */
const OF_DATES = /^p\.(date_gmt |author = \$)/;

function searchOf(
  conditions: Conditions,
  query: ListQuery,
  listed: Omit<Listed, 'whole' | 'isIndexed'> & { readonly answered: string },
): SearchOf {
  const { base, answered, filters, order, isKnown } = listed;
  const isAlongDates = order[0]?.sql === 'p.date_gmt' || !isIndexed(order);
  const ofBase = isAlongDates ? filters.filter((part) => OF_DATES.test(part)) : [];
  const others = filters.filter((part) => !ofBase.includes(part));
  return {
    base: [base, ...ofBase].join(' and '),
    words: candidatesOf(conditions, query.search ?? '', SEARCHED),
    filters: answered,
    known: isKnown ? knownOf(conditions, query, { ...listed, filters: others }) : undefined,
  };
}

/** SQL of what the counters know. */
export const countSql = (type: string, statuses: string): string =>
  `select coalesce(sum(n), 0) from post_counts where type = ${type} and status = any(${statuses}::text[])`;

/**
 * `&&` compares each term of a row with each that is asked for. From here on it costs more than to look up those of the row
 * in a hash table, which PostgreSQL makes of `= any` with a long list; below, the index of terms finds the rows.
 */
const MANY_TERMS = 150;

function addExclusions(
  conditions: Conditions,
  query: ListQuery,
  { base, isLinked, isKnown }: Pick<Listed, 'base' | 'isLinked' | 'isKnown'>,
): LeftOut[] {
  const leftOut: LeftOut[] = [];
  const leaveOut = (sql: string, how: Partial<LeftOut> = {}): void => {
    conditions.check(`not (${sql})`);
    leftOut.push({ plain: sql, set: setOf(`select p.id from posts p where ${base} and ${sql}`), ...how });
  };
  const among = (column: string, list: readonly number[] | undefined, how?: Partial<LeftOut>): void => {
    if (list && list.length > 0) leaveOut(`p.${column} = any(${conditions.value(list)}::bigint[])`, how);
  };
  if (query.include.length === 0) among('id', query.exclude);
  if (query.author_exclude && query.author_exclude.length > 0)
    among('author', query.author_exclude, withoutAuthors(conditions, base, query.author_exclude, isKnown));
  among('parent', query.parent_exclude);
  for (const list of ['categories', 'tags'] as const) {
    const ids = query[`${list}_exclude`];
    if (!ids || ids.length === 0) continue;
    const unwanted = `${conditions.value(ids)}::bigint[]`;
    leaveOut(
      ids.length > MANY_TERMS
        ? `exists (select from unnest(p.${list}) as term where term = any(${unwanted}))`
        : `p.${list} && ${unwanted}`,
      isLinked ? { set: namingTerms(conditions, list, ids) } : undefined,
    );
  }
  if (query.sticky === false) leaveOut('p.sticky');
  return leftOut;
}

function addFilters(conditions: Conditions, query: ListQuery, timezone: string): void {
  const among = (column: string, list: readonly unknown[] | undefined, cast = 'bigint[]'): void => {
    if (!list || list.length === 0) return;
    // A single value as an equation lets an index give the order as well.
    if (list.length === 1) conditions.add(`p.${column} = ?`, list[0]);
    else conditions.add(`p.${column} = any(?::${cast})`, list);
  };
  among('id', query.include);
  among('author', query.author);
  if (query.slug && query.slug.length > 0) {
    const slugs = query.slug.map(slugify).filter((slug) => slug !== '');
    if (slugs.length === 0) conditions.add('false');
    else among('slug', slugs, 'text[]');
  }
  among('parent', query.parent);
  if (query.menu_order !== undefined) conditions.check('p.menu_order = ?', query.menu_order);
  if (query.sticky) conditions.add('p.sticky');
  const after = query.after === undefined ? undefined : readMoment(query.after, timezone);
  const before = query.before === undefined ? undefined : readMoment(query.before, timezone);
  if (after) conditions.add('p.date_gmt > ?::timestamptz', after.toISOString());
  if (before) conditions.add('p.date_gmt < ?::timestamptz', before.toISOString());
}

function addTerms(conditions: Conditions, query: ListQuery): void {
  for (const name of ['categories', 'tags'] as const) {
    const wanted = query[name];
    if (wanted && wanted.length > 0) conditions.add(`p.${name} && ?::bigint[]`, wanted);
  }
}

const SEARCHED: Searched = { text: 'p.search_text', title: 'p.title_raw' };

/** Answers whether there was anything to look for. */
function addSearchOf(
  conditions: Conditions,
  actor: Actor,
  type: PostTypeName,
  search: string | undefined,
): boolean {
  if (!addSearch(conditions, search, SEARCHED)) return false;
  // Otherwise searching word by word would read out what a password hides.
  if (!may(actor, type, 'edit_others'))
    conditions.add(`p.password = '' or (p.author = ? and p.author <> 0)`, actor.id);
  return true;
}

function orderOf(conditions: Conditions, type: PostTypeName, query: ListQuery): OrderKey[] {
  const direction = query.order;
  const key = (sql: string, towards: 'asc' | 'desc' = direction): OrderKey => ({ sql, direction: towards });
  const byDate = [key('p.date_gmt'), key('p.id')];
  switch (query.orderby) {
    case 'id':
      return [key('p.id')];
    case 'modified':
      return [key('p.modified_gmt'), key('p.id')];
    case 'title':
      return [key('p.title_key'), key('p.id')];
    case 'slug':
      return [key('p.slug'), key('p.id')];
    case 'author':
      return [key('p.author'), ...byDate];
    case 'parent':
      // Posts have no parent: the key would only keep the index from giving the order.
      return type === 'post' ? byDate : [key('p.parent'), ...byDate];
    case 'menu_order':
      return [key('p.menu_order'), ...byDate];
    case 'include':
      return [key(`array_position(${conditions.value(query.include)}::bigint[], p.id)`, 'asc')];
    case 'include_slugs':
      if (!query.slug || query.slug.length === 0) return byDate;
      return [
        key(`array_position(${conditions.value(query.slug.map(slugify))}::text[], p.slug)`, 'asc'),
        key('p.id'),
      ];
    case 'relevance':
      return [
        key(relevanceSql(conditions, query.search ?? ''), 'asc'),
        key('p.date_gmt', 'desc'),
        key('p.id', 'desc'),
      ];
    default:
      return byDate;
  }
}

/** Whole phrase in the title, all words in the title, any word in the title, phrase in the rest; then the others. */
function relevanceSql(conditions: Conditions, search: string): string {
  const { include, phrases } = parseSearch(search);
  const terms = [...phrases, ...include];
  if (terms.length === 0) return '0::integer';
  const has = (column: string, term: string): string => containing(conditions, column, term);
  const whole = search.trim().replace(/^"|"$/g, '');
  const first = has('p.title_key', whole);
  // What matches one word and not by its title matches by the rest.
  if (terms.length === 1) return `case when ${first} then 1 else 4 end`;
  const words = terms.map((term) => has('p.title_key', term));
  // Where the title has the phrase is settled before the last line asks for the rest of the text.
  return `case when ${first} then 1 when ${words.join(' and ')} then 2 when ${words.join(' or ')} then 3
    when ${has('p.search_text', whole)} then 4 else 5 end`;
}
