/**
 * Slugs that are unique in their space: posts among posts, pages below one parent (together with attachments there),
 * attachments among everything. Two writers that want the same slug meet at a lock on its name, so that the second one
 * sees what the first one took; the unique indexes stand behind it.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { nextFreeSlug, trashedSlug } from '@sevenfold/text/slug';
import type { PostTypeName } from './types';

export interface SlugSpace {
  readonly type: PostTypeName;
  readonly parent: number;
  /** The row that gets the slug; 0 when there is none yet. */
  readonly id: number;
}

// Addresses of feeds and embeds hang below a post's own; pages must not look like page numbers or ids.
const FEEDS: ReadonlySet<string> = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);
const isReserved = (type: PostTypeName, slug: string): boolean =>
  FEEDS.has(slug) || (type === 'page' && /^(page)?\d+$/.test(slug));

/** `wanted`, or the first of `wanted-2`, `wanted-3` … that is free. The slug stays reserved until the transaction ends. */
export async function uniqueSlug(tx: Db, space: SlugSpace, wanted: string): Promise<string> {
  if (wanted === '') return '';
  let candidate = wanted;
  for (;;) {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`slug:${candidate}`]);
    const free = nextFreeSlug(wanted, await takenSlugs(tx, space, wanted));
    if (free === candidate) return candidate;
    candidate = free;
  }
}

async function takenSlugs(tx: Db, { type, parent, id }: SlugSpace, wanted: string): Promise<string[]> {
  const among = {
    post: `type = 'post' and $5::bigint is not null`,
    page: `type in ('page', 'attachment') and parent = $5`,
    attachment: '$5::bigint is not null',
  }[type];
  // A long slug is cut to make room for its number.
  const prefix = wanted.slice(0, 180);
  const rows = await tx.rows<{ slug: string }>(
    `select slug from posts
      where slug <> '' and id <> $1 and ${among}
        and (slug collate "C" = $2 or (slug collate "C" >= $3 and slug collate "C" < $4))`,
    [
      id,
      wanted,
      wanted.length > 180 ? prefix : `${prefix}-`,
      wanted.length > 180 ? `${prefix}~` : `${prefix}.`,
      parent,
    ],
  );
  const taken = rows.map((row) => row.slug);
  if (isReserved(type, wanted)) taken.push(wanted);
  return taken;
}

/** The slug in the trash, where it blocks nobody; a post without slug stays without. */
export const slugInTrash = (slug: string): string => (slug === '' ? '' : trashedSlug(slug));

/** The slug as it was before the trash, where a number may have been added for uniqueness. */
export const slugBeforeTrash = (slug: string): string => slug.replace(/__trashed(-\d+)?$/, '');
