/** Runs a prepared list of posts, pages or media: one page of rows and the total. */
import type { Actor } from '@sevenfold/chassis/actor';
import { readsOf } from '@sevenfold/chassis/db/lanes';
import { type Found, type Outlines, planOf, runList } from '@sevenfold/chassis/db/list';
import type { Selection } from '@sevenfold/chassis/db/selection';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { ListQuery } from './args';
import { type PreparedList, countSql } from './list';
import { isIndexed } from './indexed-orders';
import { searchOf } from './run-search';
import { argumentError } from '../errors';

/** What is shown of the rows `p`: the select list, and text behind `posts p`. */
export type ListSource = Pick<Selection, 'columns' | 'joins'>;

export interface ListDeps {
  readonly db: Database;
  readonly searches: Db;
  readonly lists: Db;
  readonly postOutlines: Outlines;
}

/** Throws 400 when the page is beyond the last one. */
export function listPosts<R extends object>(
  deps: ListDeps,
  actor: Actor,
  source: ListSource,
  { conditions, order, counted, track, searched }: PreparedList,
  query: Pick<ListQuery, 'page' | 'per_page' | 'offset'>,
): Promise<Found<R>> {
  const { page, per_page: size, offset } = query;
  const { where, values } = conditions;
  const selection = { ...source, table: 'posts', as: 'p', where, values, order };
  const reads = searched ? { quick: deps.searches, costly: deps.searches } : readsOf(deps, actor);
  const plan = planOf<R>(reads, selection, {
    counted: counted && (() => countOf(reads.quick, counted)),
    track,
    finder: searched && searchOf(reads.costly, selection, searched),
    // What is not published has the index of dates alone.
    indexed: order[0]?.sql === 'p.date_gmt' || (isIndexed(order) && counted?.statuses.join() === 'publish'),
  });
  return runList(deps.postOutlines, plan, {
    skip: offset ?? (page - 1) * size,
    size,
    by: offset === undefined ? 'page' : 'offset',
    beyond: (total) => (offset === undefined && total > 0 ? noSuchPage(total, size) : undefined),
  });
}

async function countOf(db: Db, { type, statuses }: NonNullable<PreparedList['counted']>): Promise<number> {
  const row = await db.first<{ n: number }>(`select (${countSql('$1', '$2')}) as n`, [type, statuses]);
  return row?.n ?? 0;
}

const noSuchPage = (total: number, size: number): ApiError =>
  argumentError(
    'page',
    'rest_post_invalid_page_number',
    400,
    `There are only ${Math.ceil(total / size)} pages of ${size}.`,
  );
