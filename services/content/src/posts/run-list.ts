/**
 * Runs a prepared list: one page of rows and the total, each on the road that is shortest for what was asked: first
 * pages along the index of the order, far pages by their ids alone, and filters that leave little without the order.
 */
import { checkWindow } from '@sevenfold/chassis/db/search';
import { type Db, withUsed } from '@sevenfold/chassis/db/sql';
import { ApiError } from '@sevenfold/chassis/errors';
import type { ListQuery, PreparedList } from './list';
import { orderText } from './order-text';
import type { Outline, PostOutlines } from './outlines';
import { searchOutline, searchPage } from './run-search';

export interface ListSource {
  /** Select list, over `p` and what is joined. */
  readonly columns: string;
  /** Text after `from posts p`, such as `join media m on m.post_id = p.id`. */
  readonly joins?: string;
}

// From here on finding the ids in the index first is cheaper than dragging whole rows along.
const FAR = 200;

// A filter that leaves no more than these: finding all of them beats walking along the order past all the others.
const FEW = 20_000;

// Ids remembered of a filtered list: the pages that are looked at.
const FIRST = 200;

const USUAL_SIZES: ReadonlySet<number> = new Set([10, 20, 50, 100]);

export interface ListDeps {
  readonly db: Db;
  readonly searches: Db;
  readonly postOutlines: PostOutlines;
}

export interface FoundPage<R> {
  readonly rows: R[];
  readonly total: number;
  /** There are more than the total says. */
  readonly more?: boolean;
}

/** One page and the total. Throws 400 when the page is beyond the last one. */
export async function runList<R extends object>(
  deps: ListDeps,
  source: ListSource,
  list: PreparedList,
  query: Pick<ListQuery, 'page' | 'per_page' | 'offset'>,
): Promise<FoundPage<R>> {
  const { postOutlines: outlines } = deps;
  const db = list.searched ? deps.searches : deps.db;
  const skip = query.offset ?? (query.page - 1) * query.per_page;
  if (list.searched) checkWindow(skip);
  if (skip === 0 && list.counted) {
    const [rows, { total }] = await Promise.all([
      selectRows<R>(db, source, list, { limit: query.per_page, skip: 0 }),
      outlineOf(db, outlines, source, list),
    ]);
    return { rows, total };
  }
  const outline = await outlineOf(db, outlines, source, list);
  const { total, first, more } = outline;
  if (query.offset === undefined && total > 0 && skip >= total)
    throw new ApiError(
      'rest_post_invalid_page_number',
      400,
      `There are only ${Math.ceil(total / query.per_page)} pages of ${query.per_page}.`,
    );
  if (skip >= total) return { rows: [], total, more };
  const size = Math.min(query.per_page, total - skip);
  if (first && skip + size <= first.length)
    return { rows: await rowsById<R>(db, source, list, first.slice(skip, skip + size)), total, more };
  if (list.searched) {
    const search = { ...list, searched: list.searched };
    const ids = await searchPage(db, search, source.joins ?? '', outline, { skip, size });
    return { rows: await rowsById<R>(db, source, list, ids), total, more };
  }
  // Behind the middle, the way from the end is the shorter one.
  const fromEnd = total - skip - size;
  const few = isFew(list, total);
  const range =
    fromEnd < skip && skip >= FAR
      ? { limit: size, skip: fromEnd, few, reversed: true }
      : { limit: query.per_page, skip, few };
  return { rows: await selectRows<R>(db, source, list, range), total };
}

const isFew = (list: PreparedList, total: number): boolean => !list.counted && total <= FEW;

function outlineOf(db: Db, outlines: PostOutlines, source: ListSource, list: PreparedList): Promise<Outline> {
  const { conditions, counted, order } = list;
  if (counted)
    return outlines.get(JSON.stringify(counted), async () => {
      const row = await db.first<{ n: number }>(
        'select coalesce(sum(n), 0) as n from post_counts where type = $1 and status = any($2::text[])',
        [counted.type, counted.statuses],
      );
      return { total: row?.n ?? 0 };
    });
  const from = `from posts p ${source.joins ?? ''} where ${conditions.where}`;
  return outlines.get(JSON.stringify([from, order, conditions.values]), async () => {
    if (list.searched)
      return searchOutline(db, { ...list, searched: list.searched }, source.joins ?? '', FIRST);
    const count = withUsed(`select count(*) as n ${from}`, conditions.values);
    const total = (await db.first<{ n: number }>(count.text, count.values, { planFor: 'values' }))?.n ?? 0;
    if (total === 0) return { total };
    const columns = order.map(({ sql }, place) => `${sql} as key${place}`).join(', ');
    const by = order.map(({ direction }, place) => `key${place} ${direction}`).join(', ');
    // `offset 0` keeps PostgreSQL from walking the index of the order through rows that do not match.
    const text = isFew(list, total)
      ? `select id from (select p.id, ${columns} ${from} offset 0) as found order by ${by} limit ${FIRST}`
      : `select p.id ${from} order by ${orderText(order)} limit ${FIRST}`;
    const found = await db.rows<{ id: number }>(text, conditions.values, { planFor: 'values' });
    return { total, first: found.map(({ id }) => id) };
  });
}

/**
 * The conditions stand here as well: what has changed since the outline was made must not be shown to whoever may not
 * see it. `is true` hides them from the planner, which would take other indexes than that of the ids for them.
 */
function rowsById<R extends object>(
  db: Db,
  source: ListSource,
  { conditions }: PreparedList,
  ids: readonly number[],
): Promise<R[]> {
  const wanted = `$${conditions.values.length + 1}::bigint[]`;
  const { text, values } = withUsed(
    `select ${source.columns} from posts p ${source.joins ?? ''}
      where p.id = any(${wanted}) and (${conditions.where}) is true order by array_position(${wanted}, p.id)`,
    [...conditions.values, ids],
  );
  return db.rows<R>(text, values, { planFor: 'values' });
}

interface Range {
  readonly limit: number;
  readonly skip: number;
  /** The filter leaves so few rows that finding all of them beats walking along the order. */
  readonly few?: boolean;
  readonly reversed?: boolean;
}

async function selectRows<R extends object>(
  db: Db,
  source: ListSource,
  list: PreparedList,
  { limit, skip, few, reversed }: Range,
): Promise<R[]> {
  const { conditions } = list;
  const order = orderText(list.order, reversed);
  const joins = source.joins ?? '';
  const values = [...conditions.values];
  // The first page is the one that counts: its text has no parameters but those of filters, and stays prepared.
  let range = `limit ${limit}`;
  if (skip > 0) {
    values.push(skip);
    range += ` offset $${values.length}`;
  }
  const where = `where ${conditions.where}`;
  let text: string;
  if (few) {
    text = `select ${source.columns} from (select p.id as found from posts p ${joins} ${where} offset 0) as few
      join posts p on p.id = few.found ${joins} order by ${order} ${range}`;
  } else if (skip < FAR) {
    text = `select ${source.columns} from posts p ${joins} ${where} order by ${order} ${range}`;
  } else {
    text = `select ${source.columns} from (select p.id as found from posts p ${joins} ${where} order by ${order} ${range}) as page
      join posts p on p.id = page.found ${joins} order by ${order}`;
  }
  // Only the texts most clients ask for: each prepared one takes memory in every connection.
  const usual = values.length === 0 && USUAL_SIZES.has(limit);
  const rows = await db.rows<R>(text, values, usual ? undefined : { planFor: 'values' });
  return reversed ? rows.reverse() : rows;
}
