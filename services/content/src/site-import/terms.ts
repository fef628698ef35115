/** Terms of an export: the slug within the taxonomy is the identity. Parents may come after their children. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { slugify } from '@sevenfold/text/slug';
import { cleanText } from '@sevenfold/text/text';
import type { ImportCall } from './call';
import type { ExportedTerm } from './read-export';

/** Taxonomies of this interface by the names that exports use. */
const taxonomies: Readonly<Record<string, string>> = {
  category: 'category',
  post_tag: 'post_tag',
  calendar_events_cat: 'calendar_events_cat',
};

export const taxonomyOf = (name: string): string | undefined =>
  Object.hasOwn(taxonomies, name)
    ? taxonomies[name]
    : name.endsWith('_events_cat')
      ? 'calendar_events_cat'
      : undefined;

export async function importTerm(call: ImportCall, term: ExportedTerm): Promise<void> {
  const taxonomy = taxonomyOf(term.taxonomy);
  if (!taxonomy) {
    call.report.skip(`term ${term.name || term.slug}`, `this interface has no taxonomy ${term.taxonomy}`);
    return;
  }
  const id = await ensureTerm(call, taxonomy, term.slug, term.name, term.description);
  if (id !== undefined && term.parentSlug !== '')
    call.pendingTermParents.push({ id, taxonomy, parentSlug: term.parentSlug });
}

/** Id of the term with the slug, made when it is not there; undefined when it has neither name nor slug. */
export async function ensureTerm(
  call: ImportCall,
  taxonomy: string,
  slugText: string,
  nameText: string,
  description = '',
): Promise<number | undefined> {
  const name = cleanText(nameText || slugText);
  const slug = slugify(slugText || nameText);
  if (name === '' || slug === '') return undefined;
  const key = `${taxonomy}/${slug}`;
  const seen = call.terms.get(key);
  if (seen !== undefined) return seen;
  const { id, created } = await call.deps.db.transaction((tx) =>
    findOrInsert(tx, taxonomy, slug, name, description),
  );
  if (created) call.report.countCreated(taxonomy);
  else call.report.countKnown(taxonomy);
  call.terms.set(key, id);
  return id;
}

async function findOrInsert(
  tx: Db,
  taxonomy: string,
  slug: string,
  name: string,
  description: string,
): Promise<{ id: number; created: boolean }> {
  const made = await tx.first<{ id: number }>(
    `insert into terms (taxonomy, name, slug, description) values ($1, $2, $3, $4)
     on conflict (taxonomy, slug) do nothing returning id`,
    [taxonomy, name, slug, description],
  );
  if (made) {
    await emit(tx, 'content.term.changed', { id: made.id, taxonomy, name, slug });
    return { id: made.id, created: true };
  }
  const known = await tx.first<{ id: number }>('select id from terms where taxonomy = $1 and slug = $2', [
    taxonomy,
    slug,
  ]);
  return { id: (known as { id: number }).id, created: false };
}

/** Sets the parents that were kept back; a parent that would close a loop is left out. */
export async function finishTerms(call: ImportCall): Promise<void> {
  for (const { id, taxonomy, parentSlug } of call.pendingTermParents.splice(0)) {
    const changed = await call.deps.db.run(
      `with recursive parent as (select id, parent from terms where taxonomy = $2 and slug = $3),
         above as (select id, parent from parent union select t.id, t.parent from terms t join above a on t.id = a.parent)
       update terms set parent = (select id from parent)
       where id = $1 and parent = 0 and exists (select 1 from parent) and not exists (select 1 from above where above.id = $1)`,
      [id, taxonomy, slugify(parentSlug)],
    );
    if (
      changed === 0 &&
      !(await call.deps.db.first('select 1 from terms where id = $1 and parent <> 0', [id]))
    )
      call.report.skip(
        `parent ${parentSlug} of a term`,
        'the parent is not in the export, or would close a loop',
      );
  }
}
