/**
 * The pages of a collection, one at a time. Totals of the other side are hints: it ends where nothing comes any more or the
 * same comes again. Where they fall, rows may have moved into pages that were read, and these are read again. A page that is
 * too large, or that the site breaks on, is asked for in smaller pieces, down to the one thing that cannot be had.
 */
import { type Answer, type Asker, TooLarge } from './ask';
import type { Interface } from './root';
import { type Raw, idOf, isRecord, listOf, recordOf, textOf } from './values';

export interface Collection {
  readonly namespace: string;
  readonly route: string;
  /** Where the list lies in its answer; without it the answer is the list. */
  readonly key?: string;
  readonly query: Readonly<Record<string, string>>;
  /** How many at once, the most first; each a part of the one before. */
  readonly sizes: readonly number[];
  /** Numbers ascend from row to row. */
  readonly isById: boolean;
}

export interface Page {
  readonly items: readonly Raw[];
  /** As the site says. */
  readonly total: number;
}

/** The site does not show the collection: not so, or not at all. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** No site has that many. */
const MOST_PAGES = 1_000_000;
const MOST_EMPTY = 50;
/** A list that never rests, or says so, is read on all the same. */
const MOST_RETREATS = 3;

export interface Walker {
  readonly ask: Asker;
  readonly face: Interface;
  /** What is left out, and why. */
  readonly skip: (reason: string) => void;
}

/** The total, and the first page of one. */
export async function look({ ask, face }: Walker, collection: Collection): Promise<Page> {
  const answer = await ask.json(addressOf(face, collection, { per_page: '1', page: '1' }));
  const items = itemsIn(answer, collection);
  if (answer.status === 200 && items) return { items, total: totalOf(answer, 'rows') };
  // A calendar without anything says that there is no such page.
  if (answer.status === 404 && collection.key !== undefined && codeOf(answer).includes('-not-found'))
    return { items: [], total: 0 };
  const { message } = recordOf(answer.body);
  throw new Refused(answer.status, textOf(message).slice(0, 200) || `status ${answer.status}`);
}

export async function* walk(walker: Walker, collection: Collection): AsyncGenerator<Page> {
  const { skip } = walker;
  const { sizes } = collection;
  const retreat = openRetreat(walker, collection);
  let at = 0;
  let before = '';
  let [reached, behind] = [0, 0];
  let empty = 0;
  for (let offset = 0, pages = 0; pages < MOST_PAGES; pages++) {
    const size = sizes[at] as number;
    const answer = await pageAt(walker, collection, offset, size);
    const items = answer && itemsIn(answer, collection);
    const back = answer && (await retreat(answer, offset, size));
    if (back !== undefined) {
      // These pages may well be as they were.
      [offset, before] = [back, ''];
      continue;
    }
    if (answer && isBeyond(answer)) return;
    if (!answer || answer.status !== 200 || !items) {
      if (at < sizes.length - 1) at += 1;
      else {
        skip(
          answer
            ? `it answers with status ${answer.status} instead of it`
            : 'it is larger than anything that is taken',
        );
        if (++empty > MOST_EMPTY) throw new Refused(answer?.status ?? 0, 'page after page cannot be read');
        offset += size;
      }
      continue;
    }
    const isLast = offset / size + 1 >= totalOf(answer, 'pages');
    const mark = markOf(items, collection);
    if (items.length > 0) {
      if (isRepeated(before, mark, collection)) return skip('its pages repeat: the rest is not read');
      before = mark;
      empty = 0;
      // By their numbers those that were given are known; others are given twice.
      const isAgain = collection.isById && offset < behind;
      yield {
        items: isAgain ? items.filter(({ id }) => Number(idOf(id)) > reached) : items,
        total: totalOf(answer, 'rows'),
      };
      reached = Math.max(reached, Number(mark) || 0);
      behind = Math.max(behind, offset + size);
    } else if (isLast || ++empty > MOST_EMPTY) return;
    if (items.length < size && isLast) return;
    offset += size;
    // Back to larger ones as soon as that is a whole page.
    if (at > 0 && offset % (sizes[at - 1] as number) === 0) at -= 1;
  }
}

/** Where to read again from, if anywhere: as many rows before as have gone since the total before. */
function openRetreat(walker: Walker, collection: Collection) {
  let [last, furthest, times] = [0, 0, 0];
  return async (answer: Answer, offset: number, size: number): Promise<number | undefined> => {
    if (offset > furthest) [furthest, times] = [offset, 0];
    // Behind the end nothing says how many there still are.
    const now = !isBeyond(answer)
      ? totalOf(answer, 'rows')
      : offset < last
        ? await totalNow(walker, collection)
        : 0;
    const gone = now > 0 ? last - now : 0;
    if (now > 0) last = now;
    if (gone <= 0 || offset === 0) return undefined;
    if (++times > MOST_RETREATS) {
      walker.skip(
        'it lost rows again and again while it was read: some of the others may not have been read',
      );
      return undefined;
    }
    return Math.max(0, offset - Math.ceil(gone / size) * size);
  };
}

async function totalNow(walker: Walker, collection: Collection): Promise<number> {
  try {
    return (await look(walker, collection)).total;
  } catch (error) {
    if (error instanceof Refused) return 0;
    throw error;
  }
}

async function pageAt(
  { ask, face }: Walker,
  collection: Collection,
  offset: number,
  size: number,
): Promise<Answer | undefined> {
  try {
    return await ask.json(
      addressOf(face, collection, { per_page: String(size), page: String(offset / size + 1) }),
    );
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

const addressOf = (
  face: Interface,
  { namespace, route, query }: Collection,
  more: Readonly<Record<string, string>>,
): URL => face.address(namespace, route, { ...query, ...more });

const codeOf = ({ body }: Answer): string => textOf(recordOf(body).code);

/** What the two kinds of lists say behind their last page. */
const isBeyond = (answer: Answer): boolean =>
  (answer.status === 400 && /invalid_page_number/.test(codeOf(answer))) ||
  (answer.status === 404 && /page|not-found/.test(codeOf(answer)));

function itemsIn({ body }: Answer, { key }: Collection): Raw[] | undefined {
  const list = key === undefined ? body : recordOf(body)[key];
  return Array.isArray(list) ? listOf(list).filter(isRecord) : undefined;
}

const TOTALS = {
  rows: { headers: ['x-wp-total', 'x-tec-total', 'x-total'], field: 'total' },
  pages: { headers: ['x-wp-totalpages', 'x-tec-totalpages', 'x-total-pages'], field: 'total_pages' },
} as const;

function totalOf({ headers, body }: Answer, what: keyof typeof TOTALS): number {
  const { headers: names, field } = TOTALS[what];
  const said =
    names.map((name) => textOf(headers[name])).find((text) => text !== '') ?? textOf(recordOf(body)[field]);
  return /^\d{1,9}$/.test(said) ? Number(said) : 0;
}

const markOf = (items: readonly Raw[], { isById }: Collection): string =>
  isById ? idOf(items.at(-1)?.id) : items.map(({ id }) => idOf(id)).join();

const isRepeated = (before: string, now: string, { isById }: Collection): boolean =>
  before !== '' && (isById ? Number(now) <= Number(before) : now === before);
