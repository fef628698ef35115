/** The terms that posts and files of an export carry. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { formats } from '../posts/schema';
import type { PostTypeName } from '../posts/types';
import * as termStore from '../terms/store';
import type { ImportCall } from './call';
import type { ExportedItem } from './exported';
import { ensureTerm, movedTerm, skipTaxonomy, taxonomyOf } from './terms';

export interface ItemTerms {
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  readonly format: string;
}

export async function termsOf(call: ImportCall, item: ExportedItem, type: PostTypeName): Promise<ItemTerms> {
  if (type !== 'post') return { categories: [], tags: [], format: 'standard' };
  const format = item.terms.find(({ taxonomy }) => taxonomy === 'post_format')?.slug;
  const name = format?.replace(/^post-format-/, '');
  const found = await importTerms(call, item);
  return {
    categories: found.get('category') ?? [],
    tags: found.get('post_tag') ?? [],
    // Themes had formats of their own: what is in no list here could be shown and sent back by nobody.
    format: formats.find((known) => known === name) ?? 'standard',
  };
}

/** Ids by taxonomy of the terms that an item carries; they are made where the export describes them nowhere else. */
export async function importTerms(call: ImportCall, item: ExportedItem): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const term of item.terms) {
    if (term.taxonomy === 'post_format') continue;
    const taxonomy = taxonomyOf(term.taxonomy);
    if (!taxonomy) {
      skipTaxonomy(call, { ...term, line: item.line });
      continue;
    }
    const id = (await movedTerm(call, term.foreignId)) ?? (await ensureTerm(call, taxonomy, term));
    if (id !== undefined) found.set(taxonomy, [...(found.get(taxonomy) ?? []), id]);
  }
  return found;
}

export async function categoriesOf(call: ImportCall, tx: Db, ids: readonly number[]): Promise<number[]> {
  const existing = await termStore.existingInNameOrder(tx, 'category', [...ids]);
  // Exports leave the list away where a site that is asked says that there are none.
  if (existing.length > 0 || call.isLive) return existing;
  const { default_category: fallback } = await call.deps.settings.within(tx);
  return termStore.existingInNameOrder(tx, 'category', [fallback]);
}
