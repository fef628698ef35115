/** Free slugs for many new rows at once. The unique index has the last word: who loses there asks again. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { boundsOf } from '@sevenfold/publishing/slugs';
import { freeSlugsOf } from '@sevenfold/text/slug';

type Table = 'events' | 'venues' | 'organizers';

/** One for each that is wanted, in order. */
export async function freeSlugs(tx: Db, table: Table, wanted: readonly string[]): Promise<string[]> {
  const bases = [...new Set(wanted)];
  const bounds = bases.map((base) => ({ base, ...boundsOf(base) }));
  const rows = await tx.rows<{ slug: string }>(
    `select t.slug
     from json_to_recordset($1::json) as w (base text, low text, high text)
     cross join lateral (
       select slug from ${table} where slug <> '' and slug collate "C" = w.base
       union
       select slug from ${table} where slug <> '' and slug collate "C" >= w.low and slug collate "C" < w.high) as t`,
    [JSON.stringify(bounds)],
  );
  // What is given counts as taken for all: `talk-2` may itself be wanted by another row of this batch.
  const taken = new Set(rows.map(({ slug }) => slug));
  // Each base goes on where it stopped: a thousand events may have the title of ten thousand that are there.
  const free = new Map(bases.map((base) => [base, freeSlugsOf(base, taken)]));
  return wanted.map((base) => {
    const slug = free.get(base)?.next().value as string;
    taken.add(slug);
    return slug;
  });
}
