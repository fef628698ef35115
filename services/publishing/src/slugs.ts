/**
 * Slugs that are unique in their space. Two writers that want the same slug meet at a lock on its name, so that the
 * second one sees what the first one took; the unique indexes stand behind it. The trash frees a slug for others, and
 * what leaves it takes its own back.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { nextFreeSlug, slugify, trashedSlug } from '@sevenfold/text/slug';
import { isUnfinished } from './statuses';

export interface SlugSpace {
  /** Writers of this space, and of others of the same name, wait for each other. */
  readonly lock: string;
  readonly table: string;
  /** The row that gets the slug. */
  readonly id: number;
  /** Which rows of the table share the space, as SQL; all of them without. */
  readonly among?: string;
  /** `$5` in it. */
  readonly amongValue?: number;
  /** Names that no row may have. */
  readonly isReserved?: (slug: string) => boolean;
  /** Unfinished ones have a slug, too. Otherwise they stay without until they are finished or are given one. */
  readonly fromTheStart: boolean;
}

// A long slug is cut to make room for its number.
const LONG = 180;

/** Between which words all numbered forms of a slug lie, for an index of bytes (`collate "C"`). */
export const boundsOf = (slug: string): { low: string; high: string } =>
  slug.length > LONG
    ? { low: slug.slice(0, LONG), high: `${slug.slice(0, LONG)}~` }
    : { low: `${slug}-`, high: `${slug}.` };

/** `wanted`, or the first of `wanted-2`, `wanted-3` … that is free. It stays reserved until the transaction ends. */
export async function uniqueSlug(tx: Db, space: SlugSpace, wanted: string): Promise<string> {
  if (wanted === '') return '';
  let candidate = wanted;
  for (;;) {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${space.lock}:${candidate}`]);
    const free = nextFreeSlug(wanted, await takenSlugs(tx, space, wanted));
    if (free === candidate) return candidate;
    candidate = free;
  }
}

/** As uniqueSlug, without taking it: what it would be at this moment. */
export const freeSlug = async (db: Db, space: SlugSpace, wanted: string): Promise<string> =>
  nextFreeSlug(wanted, await takenSlugs(db, space, wanted));

async function takenSlugs(tx: Db, space: SlugSpace, wanted: string): Promise<string[]> {
  const { table, id, among = 'true', amongValue = 0, isReserved } = space;
  const { low, high } = boundsOf(wanted);
  const rows = await tx.rows<{ slug: string }>(
    `select slug from ${table}
      where slug <> '' and id <> $1 and (${among}) and $5::bigint is not null
        and (slug collate "C" = $2 or (slug collate "C" >= $3 and slug collate "C" < $4))`,
    [id, wanted, low, high, amongValue],
  );
  const taken = rows.map((row) => row.slug);
  return isReserved?.(wanted) ? [...taken, wanted] : taken;
}

export interface SlugWish {
  /** The row before the write; undefined for a new one. */
  readonly current?: { readonly status: string; readonly slug: string };
  /** Its status after the write. */
  readonly status: string;
  /** The slug of the body; one without a letter asks for one from the title. */
  readonly asked?: string;
  readonly title: string;
  /** The space is another one than before. */
  readonly isMoved?: boolean;
}

/** The slug after a write. Without a title it is the number of the row. */
export async function settleSlug(tx: Db, space: SlugSpace, wish: SlugWish): Promise<string> {
  const { current, status, asked, isMoved = false } = wish;
  const isInTrash = current?.status === 'trash';
  const before = isInTrash ? slugBeforeTrash(current.slug) : (current?.slug ?? '');
  const isTrashed = status === 'trash';
  let wanted = asked === undefined ? before : slugify(asked);
  if (wanted === '' && (space.fromTheStart || !(isUnfinished(status) || isTrashed)))
    wanted = slugify(wish.title) || String(space.id);
  // What was made in the trash has never had a slug to give away (REFERENCE.md 14).
  if (isTrashed && current) {
    if (isInTrash && asked === undefined && !isMoved) return current.slug;
    wanted = trashedSlug(wanted);
  }
  return wanted === current?.slug && !isMoved ? wanted : uniqueSlug(tx, space, wanted);
}

/** The slug as it was before the trash, where a number may have been added for uniqueness. */
const slugBeforeTrash = (slug: string): string => slug.replace(/__trashed(-\d+)?$/, '');
