/** The slug that a title would give, as editors are shown it: free among the others (REFERENCE.md 14). */
import type { Db } from '@sevenfold/chassis/db/sql';
import { freeSlug } from '@sevenfold/publishing/slugs';
import { slugify } from '@sevenfold/text/slug';
import { spaceOf } from './slugs';
import type { FullPostRow } from './store';

/** What it follows from. */
type Titled = Pick<FullPostRow, 'id' | 'type' | 'parent' | 'slug' | 'titleRaw'>;

export type WithGeneratedSlug<R> = R & { readonly generatedSlug: string };

/** Most titles give the slug that is there already; only the others are looked up. */
export async function withGeneratedSlug<R extends Titled>(db: Db, row: R): Promise<WithGeneratedSlug<R>> {
  const wanted = slugify(row.titleRaw) || String(row.id);
  const generatedSlug = wanted === row.slug ? wanted : await freeSlug(db, spaceOf(row), wanted);
  return { ...row, generatedSlug };
}

/** Rows of an answer in edit context, one after the other: a page of drafts is no reason to take all connections. */
export async function withGeneratedSlugs<R extends Titled>(
  db: Db,
  rows: readonly R[],
): Promise<WithGeneratedSlug<R>[]> {
  const all: WithGeneratedSlug<R>[] = [];
  for (const row of rows) all.push(await withGeneratedSlug(db, row));
  return all;
}
