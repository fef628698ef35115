/** Which slug a term gets when the one it would have is taken. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { nextFreeSlug } from '@sevenfold/text/slug';
import * as store from './store';
import type { Taxonomy } from './taxonomies';

const LONGEST = 200;

/**
 * `base` if it is free; else with the slugs of the parent and, if need be, of those above it appended, as long as that
 * fits; else numbered. `except` is the term that asks.
 */
export async function freeSlug(
  tx: Db,
  taxonomy: Taxonomy,
  base: string,
  parent: number,
  except = 0,
): Promise<string> {
  let candidate = base;
  const taken = new Set(await store.slugsLike(tx, taxonomy.name, base, except));
  if (!taken.has(base)) return base;
  if (taxonomy.hierarchical && parent !== 0) {
    for (const { slug } of await store.listLine(tx, parent)) {
      if (candidate.length + 1 + slug.length > LONGEST) break;
      candidate += `-${slug}`;
      if (!taken.has(candidate)) return candidate;
    }
  }
  const copies = candidate === base ? taken : await store.slugsLike(tx, taxonomy.name, candidate, except);
  return nextFreeSlug(candidate, copies);
}
