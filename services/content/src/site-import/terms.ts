/** Terms of an export: the slug within the taxonomy is the identity. Parents may come after their children. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { slugify } from '@sevenfold/text/slug';
import { shorten, stripControl } from '@sevenfold/text/text';
import { announce } from '../terms/actions';
import { LONGEST_NAME, cleanDescription, cleanName, slugOfName } from '../terms/clean';
import * as store from '../terms/store';
import { type TaxonomyName, isTaxonomy } from '../terms/taxonomies';
import type { ImportCall } from './call';
import type { ExportedTerm } from './exported';
import { notePending } from './pending';
import { numberOf } from './survey';

/** Taxonomies of this interface by the names that exports use. */
export const taxonomyOf = (name: string): TaxonomyName | undefined =>
  isTaxonomy(name) ? name : name.endsWith('_events_cat') ? 'calendar_events_cat' : undefined;

export async function importTerm(call: ImportCall, term: ExportedTerm): Promise<void> {
  const taxonomy = taxonomyOf(term.taxonomy);
  if (!taxonomy) return skipTaxonomy(call, term);
  await ensureTerm(call, taxonomy, term);
}

export const skipTaxonomy = (
  { report }: ImportCall,
  { taxonomy, name, slug, line }: Pick<ExportedTerm, 'taxonomy' | 'name' | 'slug' | 'line'>,
): void =>
  report.skip({
    kind: 'term',
    title: name || slug,
    line,
    reason: `this interface has no taxonomy ${taxonomy}`,
  });

export interface WantedTerm {
  readonly slug: string;
  readonly name: string;
  readonly foreignId?: string;
  readonly description?: string;
  readonly parentSlug?: string;
}

/** Id of the term with the slug, made when it is not there; undefined when it has neither name nor slug. */
export async function ensureTerm(
  call: ImportCall,
  taxonomy: TaxonomyName,
  wanted: WantedTerm,
): Promise<number | undefined> {
  const name = shorten(cleanName(wanted.name || wanted.slug), LONGEST_NAME);
  if (name === '') return undefined;
  const slug = slugify(wanted.slug) || slugOfName(name);
  const key = `${taxonomy}/${slug}`;
  const seen = call.terms.get(key);
  if (seen !== undefined) return seen;
  const { id, created } = await call.deps.db.transaction((tx) =>
    findOrInsert(tx, call, taxonomy, { ...wanted, slug, name }),
  );
  if (created) call.report.countCreated(taxonomy);
  else call.report.countKnown(taxonomy);
  call.terms.set(key, id);
  return id;
}

async function findOrInsert(
  tx: Db,
  { site }: ImportCall,
  taxonomy: TaxonomyName,
  { slug, name, description = '', foreignId = '', parentSlug = '' }: WantedTerm,
): Promise<{ id: number; created: boolean }> {
  const id = numberOf(foreignId);
  const isFree = isKeepable(id) && !(await isTaken(tx, ['terms'], id));
  const made = await store.insert(tx, {
    ...(isFree && { id }),
    taxonomy,
    name,
    slug,
    description: cleanDescription(stripControl(description)),
    parent: 0,
  });
  if (!made) {
    const known = (await store.findBySlug(tx, taxonomy, slug)) as store.TermRow;
    return { id: known.id, created: false };
  }
  if (parentSlug !== '') await notePending(tx, site, 'term', made.id, 'parent', slugify(parentSlug));
  await announce(tx, [made]);
  return { id: made.id, created: true };
}
