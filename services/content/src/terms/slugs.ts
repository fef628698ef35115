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
  const candidates = [base];
  let candidate = base;
  if (taxonomy.hierarchical && parent !== 0)
    for (const { slug } of await store.listLine(tx, parent)) {
      if (candidate.length + 1 + slug.length > LONGEST) break;
      candidate += `-${slug}`;
      candidates.push(candidate);
    }
  const taken = await store.takenSlugs(tx, taxonomy.name, candidates, except);
  const free = candidates.find((one) => !taken.has(one));
  return free ?? nextFreeSlug(candidate, await store.takenCopies(tx, taxonomy.name, candidate, except));
}
