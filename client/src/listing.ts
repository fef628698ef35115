/**
 * A list as what it is read for: one item after the other, or single pages with totals. Only one page is in memory, and
 * the keys of the last few items: where rows come and go meanwhile, pages shift, and what is left is neither skipped nor
 * told twice.
 */
import { SevenfoldError, objectOf } from './errors.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Its number, from 1 on. */
  readonly page: number;
  /** Of all pages together. */
  readonly total: number;
  readonly totalPages: number;
  /** There are at least as many as `total` says: searches count no further. */
  readonly isLowerBound: boolean;
}

export interface Listing<T> extends AsyncIterable<T> {
  /** A single page, from 1 on. */
  page(number: number): Promise<Page<T>>;
}

/** What asks for a page: its number means nothing where so many are skipped. */
export const placeOf = (number: number, size: number, skipped?: number): Record<string, number> =>
  skipped === undefined ? { page: number } : { offset: skipped + (number - 1) * size };

interface Place {
  readonly number: number;
  readonly size: number;
  /** Before the first page. */
  readonly skipped: number | undefined;
}

/** The page that came as an answer. Totals of the site count what was skipped. */
export function pageOf({ status, headers }: Response, items: unknown, place: Place): Page<unknown> {
  const total = Number(headers.get('X-Total') ?? NaN) - (place.skipped ?? 0);
  const totalPages =
    place.skipped === undefined
      ? Number(headers.get('X-Total-Pages') ?? NaN)
      : Math.max(0, Math.ceil(total / place.size));
  if (!Array.isArray(items) || Number.isNaN(total) || Number.isNaN(totalPages)) throw noPage(status);
  return {
    items,
    page: place.number,
    total: Math.max(0, total),
    totalPages,
    isLowerBound: headers.get('X-Total-Relation') === 'gte',
  };
}

const noPage = (status: number): SevenfoldError =>
  new SevenfoldError({ code: 'invalid_answer', status, message: 'The answer is no page of a list.' });

export type ReadPage<T> = (page: number) => Promise<Page<T>>;

/** That there is no such page. */
const NO_PAGE = /^(rest_post_invalid_page_number|[a-z]+-archive-page-not-found)$/;

const isNoPage = (error: unknown): boolean => error instanceof SevenfoldError && NO_PAGE.test(error.code);

/** How many items are known to have been told; so far back it can go. */
const REMEMBERED = 10_000;
/** How often in a row it goes back without finding anything. */
const MOST_BACK = 3;

interface Items {
  /** How many of them a full page has. */
  readonly size: number;
  /** The name of what tells them apart. */
  readonly id: string;
}

/** `step` reads the pages of a walk. */
export const listingOf = <T>(read: ReadPage<T>, step: ReadPage<T>, of: Items): Listing<T> => ({
  page: read,
  [Symbol.asyncIterator]: () => items(step, of),
});

/**
 * Where there are fewer in all than a page before, rows that were told may have gone, and the next ones stand where those
 * were: it goes back as far as that may be.
 */
async function* items<T>(read: ReadPage<T>, { size, id }: Items): AsyncGenerator<T, void, undefined> {
  const isNew = createMemory(id);
  let total: number | undefined;
  let back = 0;
  for (let number = 1; ;) {
    const page = await readIfThere(read, number);
    const fresh = page?.items.filter(isNew) ?? [];
    if (fresh.length > 0) back = 0;
    yield* fresh;

    const now = page ?? (await read(1));
    const gone = Math.max(0, (total ?? now.total) - now.total);
    total = now.total;
    const steps = Math.ceil(Math.min(gone, REMEMBERED - size) / size);
    if (number > 1 && (steps > 0 || !page) && back < MOST_BACK) {
      back += 1;
      number = Math.max(1, Math.min(number - steps, now.totalPages));
    } else if (!page || page.items.length === 0 || number >= page.totalPages) return;
    else number += 1;
  }
}

const readIfThere = <T>(read: ReadPage<T>, number: number): Promise<Page<T> | undefined> =>
  read(number).catch((error: unknown) => {
    if (isNoPage(error)) return undefined;
    throw error;
  });

/** Answers whether an item was not asked about before; what has no id is always new. */
function createMemory(name: string): (item: unknown) => boolean {
  const keys = new Set<unknown>();
  return (item) => {
    const { [name]: id } = item as Record<string, unknown>;
    if (id === undefined) return true;
    if (keys.has(id)) return false;
    keys.add(id);
    if (keys.size > REMEMBERED) keys.delete(keys.values().next().value);
    return true;
  };
}

/** A list whose pages are not counted: each says where the next one begins. */
export interface Walk<T, P> extends AsyncIterable<T> {
  /** A single page: the first, or that after the one whose `next` is given. */
  page(next?: number | null): Promise<P>;
}

export type ReadNext = (next: number) => Promise<unknown>;

/** `key` names the items of a page. Keys only go down: a list has an end whatever comes and goes. */
export const walkOf = (read: ReadNext, key: string): Walk<unknown, unknown> => ({
  page: (next) => read(next ?? 0),
  [Symbol.asyncIterator]: () => walk(read, key),
});

async function* walk(read: ReadNext, key: string): AsyncGenerator<unknown, void, undefined> {
  for (let place = Infinity; ;) {
    const { next, [key]: items } = objectOf(await read(Number.isFinite(place) ? place : 0));
    const isGoingDown = typeof next === 'number' && next > 0 && next < place;
    if (!Array.isArray(items) || !(next === null || isGoingDown)) throw noPage(200);
    yield* items as unknown[];
    if (next === null) return;
    place = Number(next);
  }
}
