/**
 * Slugs, unique among the rows of one table. Two writers that want the same slug meet at a lock on its name, so that
 * the second one sees what the first one took; the unique indexes stand behind it.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { nextFreeSlug, slugify, trashedSlug } from '@sevenfold/text/slug';
import { isUnfinished } from '@sevenfold/publishing/statuses';

export interface SlugSpace {
  readonly table: 'events' | 'venues' | 'organizers';
  /** The row that gets the slug; 0 when there is none yet. */
  readonly id: number;
}

/** `wanted`, or the first of `wanted-2`, `wanted-3` … that is free. It stays reserved until the transaction ends. */
async function uniqueSlug(tx: Db, space: SlugSpace, wanted: string): Promise<string> {
  if (wanted === '') return '';
  let candidate = wanted;
  for (;;) {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${space.table}:${candidate}`]);
    const free = nextFreeSlug(wanted, await takenSlugs(tx, space, wanted));
    if (free === candidate) return candidate;
    candidate = free;
  }
}

async function takenSlugs(tx: Db, { table, id }: SlugSpace, wanted: string): Promise<string[]> {
  // A long slug is cut to make room for its number.
  const long = wanted.length > 180;
  const prefix = wanted.slice(0, 180);
  const rows = await tx.rows<{ slug: string }>(
    `select slug from ${table}
      where slug <> '' and id <> $1 and (slug collate "C" = $2 or (slug collate "C" >= $3 and slug collate "C" < $4))`,
    [id, wanted, long ? prefix : `${prefix}-`, long ? `${prefix}~` : `${prefix}.`],
  );
  return rows.map((row) => row.slug);
}

export interface SlugState {
  readonly status: string;
  readonly slug: string;
}

/**
 * The slug after a write. `asked` is the one of the body; drafts without one have none until they are finished; the
 * trash frees a slug for others, and what leaves it takes its own back.
 */
export async function settleSlug(
  tx: Db,
  space: SlugSpace,
  current: SlugState | undefined,
  status: string,
  asked: string | undefined,
  title: string,
): Promise<string> {
  const inTrash = current?.status === 'trash';
  const before = inTrash ? slugBeforeTrash(current.slug) : (current?.slug ?? '');
  let wanted = asked === undefined ? before : slugify(asked) || before;
  if (wanted === '' && !isUnfinished(status) && status !== 'trash')
    wanted = slugify(title) || String(space.id);
  if (status === 'trash') {
    if (inTrash && asked === undefined) return current.slug;
    return wanted === '' ? '' : uniqueSlug(tx, space, trashedSlug(wanted));
  }
  return wanted === current?.slug ? wanted : uniqueSlug(tx, space, wanted);
}

/** The slug as it was before the trash, where a number may have been added for uniqueness. */
const slugBeforeTrash = (slug: string): string => slug.replace(/__trashed(-\d+)?$/, '');
