/** The slug that a title would give, as editors are shown it: free among the others (REFERENCE.md 14). */
import type { Remembered } from '@sevenfold/chassis/db/memory';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type SlugQuestion, freeSlugs } from '@sevenfold/publishing/slugs';
import { slugify } from '@sevenfold/text/slug';
import { spaceOf } from './slugs';
import type { FullPostRow } from './store';

/** What it follows from. */
export type Titled = Pick<FullPostRow, 'id' | 'type' | 'parent' | 'slug' | 'titleRaw'>;

export type WithGeneratedSlug<R> = R & { readonly generatedSlug: string };

export const withGeneratedSlug = async <R extends Titled>(db: Db, row: R): Promise<WithGeneratedSlug<R>> =>
  (await withGeneratedSlugs(db, [row]))[0] as WithGeneratedSlug<R>;

/** Rows of one type. Most titles give the slug that is there already; the others are looked up together. */
export const withGeneratedSlugs = <R extends Titled>(
  db: Db,
  rows: readonly R[],
): Promise<WithGeneratedSlug<R>[]> => answered(rows, (open) => freeSlugs(db, open));

export type GeneratedSlugs = Remembered<readonly string[]>;

/** The same for lists, which are asked for again and again: known until any post changes. */
export const withKnownSlugs = <R extends Titled>(
  { db, generatedSlugs }: { readonly db: Db; readonly generatedSlugs: GeneratedSlugs },
  rows: readonly R[],
): Promise<WithGeneratedSlug<R>[]> =>
  answered(rows, (open) => generatedSlugs.get(nameOf(open), () => freeSlugs(db, open)));

/** `ask` is given what the rows do not answer themselves. */
async function answered<R extends Titled>(
  rows: readonly R[],
  ask: (open: readonly SlugQuestion[]) => Promise<readonly string[]>,
): Promise<WithGeneratedSlug<R>[]> {
  const questions = rows.map((row) => ({
    space: spaceOf(row),
    wanted: slugify(row.titleRaw) || String(row.id),
    own: row.slug,
  }));
  const open = questions.filter(({ wanted, own }) => wanted !== own);
  const found = open.length === 0 ? [] : await ask(open);
  const slugs = new Map(open.map((question, place) => [question, found[place] as string]));
  return rows.map((row, place) => {
    const question = questions[place] as SlugQuestion;
    return { ...row, generatedSlug: slugs.get(question) ?? question.own };
  });
}

/** An id names one thing, and so its space. */
const nameOf = (open: readonly SlugQuestion[]): string =>
  JSON.stringify(open.map(({ space: { id, amongValue }, wanted, own }) => [id, amongValue, wanted, own]));
