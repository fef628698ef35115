/** Lists of terms, in any order that is asked for, and searches among them. */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Lane, readsOf } from '@sevenfold/chassis/db/lanes';
import type { Found } from '@sevenfold/chassis/db/list';
import { type OrderKey, type SkippedBy, FAR } from '@sevenfold/chassis/db/selection';
import { type WholeList, listWhole, searchFor } from '@sevenfold/chassis/db/page';
import type { Searched } from '@sevenfold/chassis/db/search';
import { Conditions, type Database } from '@sevenfold/chassis/db/sql';
import { escapeHtml } from '@sevenfold/text/html';
import { slugify } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import type { TaxonomyName } from './taxonomies';
import { type TermRow, COLUMNS } from './store';

export type TermOrder =
  'id' | 'include' | 'name' | 'slug' | 'include_slugs' | 'term_group' | 'description' | 'count';

interface TermFilter {
  readonly taxonomy: TaxonomyName;
  readonly search?: string;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  readonly parent?: number;
  readonly hideEmpty?: boolean;
  /** Only these, even when there are none: the terms of one post. */
  readonly only?: readonly number[];
  readonly orderBy: TermOrder;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly skippedBy?: SkippedBy;
}

interface ListDeps {
  readonly db: Database;
  readonly lists: Lane;
  readonly searches: Lane;
}

/** One page, and how many there are in all, in one round trip. */
export function listTerms(deps: ListDeps, actor: Actor, filter: TermFilter): Promise<Found<TermRow>> {
  const conditions = conditionsOf(filter);
  const order = orderOf(filter, conditions);
  const [base] = conditions.parts;
  // Names are stored as HTML: `R&D` is to be found as it reads.
  const term = escapeHtml(searchOf(filter));
  const first = orderOf({ orderBy: 'name', order: 'asc' }, conditions);
  const search =
    term === ''
      ? undefined
      : searchFor(conditions, order, {
          term,
          columns: SEARCHED,
          base,
          indexed: INDEXED,
          first,
          text: 't.name',
        });
  const along = search ? undefined : bySize(filter, conditions);
  const { quick, costly } = readsOf(deps, actor);
  const isNear = filter.offset < FAR && INDEXED.has(order[0]?.sql ?? '');
  return listWhole<TermRow>(
    search ? deps.searches : isNear ? quick : costly,
    { table: 'terms', as: 't', columns: COLUMNS, conditions, order, search, along, planFor: 'values' },
    { skip: filter.offset, size: filter.limit, by: filter.skippedBy },
  );
}

const OF_SIZES: Readonly<Record<string, string>> = {
  id: 's.term_id',
  taxonomy: 's.taxonomy',
  filled: 's.count > 0',
};

/** The order by count stands in a table beside the terms; undefined where that does not know what is asked. */
function bySize({ orderBy, order }: TermFilter, conditions: Conditions): WholeList['along'] {
  const where = conditions.where.replace(/\bt\.(\w+)/g, (name, column: string) => OF_SIZES[column] ?? name);
  if (orderBy !== 'count' || /\bt\./.test(where)) return undefined;
  return {
    from: `from term_sizes s where ${where}`,
    id: 's.term_id',
    order: ['s.count', 's.term_id'].map((sql) => ({ sql, direction: order })),
  };
}

/** Orders whose index knows which terms come first. */
const INDEXED: ReadonlySet<string> = new Set(['lower(t.name)', 't.slug', 't.id']);
function conditionsOf(filter: TermFilter): Conditions {
  const conditions = new Conditions();
  // In the text, as one of few: lists by default have no values then, and stay prepared.
  conditions.add(`t.taxonomy = '${filter.taxonomy}'`);
  if (filter.only) conditions.add('t.id = any(?::bigint[])', filter.only);
  if (filter.include && filter.include.length > 0) conditions.add('t.id = any(?::bigint[])', filter.include);
  if (filter.exclude && filter.exclude.length > 0)
    conditions.check('t.id <> all(?::bigint[])', filter.exclude);
  if (filter.slugs && filter.slugs.length > 0) conditions.add('t.slug = any(?)', filter.slugs.map(slugify));
  if (filter.parent !== undefined) conditions.add('t.parent = ?', filter.parent);
  if (filter.hideEmpty) conditions.check('t.filled');
  return conditions;
}

const searchOf = ({ search }: TermFilter): string => stripControl(search ?? '').trim();

const SEARCHED: readonly Searched[] = [
  { text: 'lower(t.name)', title: 't.name' },
  { text: 't.slug', title: 't.slug' },
];

/** Equal keys are in the order of ids. Orders of a list that was not sent fall back to the name. */
function orderOf(
  { orderBy, order, include, slugs }: Pick<TermFilter, 'orderBy' | 'order' | 'include' | 'slugs'>,
  conditions: Conditions,
): OrderKey[] {
  const by = (...keys: string[]): OrderKey[] => [...keys, 't.id'].map((sql) => ({ sql, direction: order }));
  switch (orderBy) {
    case 'id':
      return by();
    case 'slug':
      return by('t.slug');
    case 'count':
      return by('t.count');
    case 'description':
      return by('t.description_key');
    case 'term_group':
      // Terms have no groups here: all are in the same one.
      return by();
    case 'include':
      if (include && include.length > 0)
        return by(`array_position(${conditions.value(include)}::bigint[], t.id)`);
      break;
    case 'include_slugs':
      if (slugs && slugs.length > 0)
        return by(`array_position(${conditions.value(slugs.map(slugify))}::text[], t.slug)`);
      break;
    case 'name':
      break;
  }
  return by('lower(t.name)');
}
