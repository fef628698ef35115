/**
 * Runs a prepared list: one page of rows and the total, each on the road that is shortest for what was asked: first
 * pages along the index of the order, far pages by their ids alone, and filters that leave little without the order.
 */
import type { Conditions, Db } from '@sevenfold/chassis/db/sql';
import { ApiError } from '@sevenfold/chassis/errors';
import type { ListQuery, PreparedList } from './list';
import type { PostTotals } from './totals';

export interface ListSource {
  /** Select list, over `p` and what is joined. */
  readonly columns: string;
  /** Text after `from posts p`, such as `join media m on m.post_id = p.id`. */
  readonly joins?: string;
}

// From here on finding the ids in the index first is cheaper than dragging whole rows along.
const FAR = 200;

const FEW = 2000;

const USUAL_SIZES: ReadonlySet<number> = new Set([10, 20, 50, 100]);

/** One page and the total. Throws 400 when the page is beyond the last one. */
export async function runList<R extends object>(
  db: Db,
  totals: PostTotals,
  source: ListSource,
  list: PreparedList,
  query: Pick<ListQuery, 'page' | 'per_page' | 'offset'>,
): Promise<{ rows: R[]; total: number }> {
  const skip = query.offset ?? (query.page - 1) * query.per_page;
  if (skip === 0 && list.counted) {
    const [rows, total] = await Promise.all([
      selectRows<R>(db, source, list, { limit: query.per_page, skip: 0 }),
      totalOf(db, totals, source, list),
    ]);
    return { rows, total };
  }
  const total = await totalOf(db, totals, source, list);
  if (query.offset === undefined && total > 0 && skip >= total)
    throw new ApiError(
      'rest_post_invalid_page_number',
      400,
      `There are only ${Math.ceil(total / query.per_page)} pages of ${query.per_page}.`,
    );
  if (skip >= total) return { rows: [], total };
  const size = Math.min(query.per_page, total - skip);
  const few = !list.counted && total <= FEW;
  // Behind the middle, the way from the end is the shorter one.
  const fromEnd = total - skip - size;
  const range =
    fromEnd < skip && skip >= FAR
      ? { limit: size, skip: fromEnd, few, reversed: true }
      : { limit: query.per_page, skip, few };
  return { rows: await selectRows<R>(db, source, list, range), total };
}

function totalOf(db: Db, totals: PostTotals, source: ListSource, list: PreparedList): Promise<number> {
  const { conditions, counted } = list;
  if (counted) {
    const key = JSON.stringify(counted);
    return totals.get(key, async () => {
      const row = await db.first<{ n: number }>(
        'select coalesce(sum(n), 0) as n from post_counts where type = $1 and status = any($2::text[])',
        [counted.type, counted.statuses],
      );
      return row?.n ?? 0;
    });
  }
  const { text, values } = countQuery(source, conditions);
  return totals.get(JSON.stringify([text, values]), async () => {
    const row = await db.first<{ n: number }>(text, values, { planFor: 'values' });
    return row?.n ?? 0;
  });
}

/** Values that only the order uses have no place in the count: PostgreSQL refuses parameters of unknown type. */
function countQuery(source: ListSource, conditions: Conditions): { text: string; values: unknown[] } {
  const used = new Map<string, string>();
  const values: unknown[] = [];
  const where = conditions.where.replace(/\$(\d+)/g, (name, index: string) => {
    let renamed = used.get(name);
    if (renamed === undefined) {
      values.push(conditions.values[Number(index) - 1]);
      used.set(name, (renamed = `$${values.length}`));
    }
    return renamed;
  });
  return { text: `select count(*) as n from posts p ${source.joins ?? ''} where ${where}`, values };
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
  const flip = { asc: 'desc', desc: 'asc' } as const;
  const order = list.order
    .map(({ sql, direction }) => `${sql} ${reversed ? flip[direction] : direction}`)
    .join(', ');
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
    // `offset 0` keeps PostgreSQL from walking the index of the order through rows that do not match.
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
