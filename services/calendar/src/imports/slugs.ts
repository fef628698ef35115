/** Free slugs for many new rows at once. The unique index has the last word: who loses there asks again. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { boundsOf } from '@sevenfold/publishing/slugs';
import { nextFreeSlug } from '@sevenfold/text/slug';

type Table = 'events' | 'venues' | 'organizers';

/** One for each that is wanted, in order. */
export async function freeSlugs(tx: Db, table: Table, wanted: readonly string[]): Promise<string[]> {
  const bases = [...new Set(wanted)];
  const bounds = bases.map((base) => ({ base, ...boundsOf(base) }));
  const rows = await tx.rows<{ base: string; slug: string }>(
    `select w.base, t.slug
     from json_to_recordset($1::json) as w (base text, low text, high text)
     cross join lateral (
       select slug from ${table} where slug <> '' and slug collate "C" = w.base
       union
       select slug from ${table} where slug <> '' and slug collate "C" >= w.low and slug collate "C" < w.high) as t`,
    [JSON.stringify(bounds)],
  );
  const taken = new Map<string, Set<string>>(bases.map((base) => [base, new Set()]));
  for (const row of rows) taken.get(row.base)?.add(row.slug);
  const given = new Set<string>();
  return wanted.map((base) => {
    const all = taken.get(base) as Set<string>;
    let slug = nextFreeSlug(base, all);
    // `talk-2` may itself be wanted by another row of this batch.
    while (given.has(slug)) {
      all.add(slug);
      slug = nextFreeSlug(base, all);
    }
    given.add(slug);
    all.add(slug);
    return slug;
  });
}
