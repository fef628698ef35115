/** Terms of an export: the slug within the taxonomy is the identity. Parents may come after their children. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { slugify } from '@sevenfold/text/slug';
import { shorten, stripControl } from '@sevenfold/text/text';
import { announce, updateTerm } from '../terms/actions';
import { LONGEST_NAME, cleanDescription, cleanName, slugOfName } from '../terms/clean';
import * as store from '../terms/store';
import { type TaxonomyName, isTaxonomy, taxonomies } from '../terms/taxonomies';
import { LONGEST as LONGEST_DESCRIPTION } from '../common/description';
import { within } from '../common/within';
import type { ImportCall } from './call';
import type { ExportedTerm } from './exported';
import { findImported, findKnown, noteHere, noteImported } from './identities';
import { CHANGED_HERE, compareSeen, leftAs, seenOfText } from './marks';
import { dropPending, notePending } from './pending';
import { numberOf } from './survey';

/** Taxonomies of this interface by the names that exports use. */
export const taxonomyOf = (name: string): TaxonomyName | undefined =>
  isTaxonomy(name) ? name : name.endsWith('_events_cat') ? 'calendar_events_cat' : undefined;

export async function importTerm(call: ImportCall, term: ExportedTerm): Promise<void> {
  const taxonomy = taxonomyOf(term.taxonomy);
  if (!taxonomy) return skipTaxonomy(call, term);
  const id = (await knownTerm(call, taxonomy, term)) ?? (await ensureTerm(call, taxonomy, term));
  if (call.isLive && id !== undefined) call.terms.set(`#${term.foreignId}`, id);
}

/** That of a number there, which moved in before what carries it. */
export async function movedTerm(call: ImportCall, foreignId = ''): Promise<number | undefined> {
  if (foreignId === '') return undefined;
  const key = `#${foreignId}`;
  const id = call.terms.get(key) ?? (await findImported(call.deps.db, call.site, 'term', foreignId));
  if (id !== undefined) call.terms.set(key, id);
  return id;
}

/** From an earlier look at a site that lives on, with what changed there since. */
async function knownTerm(
  call: ImportCall,
  taxonomy: TaxonomyName,
  term: ExportedTerm,
): Promise<number | undefined> {
  const { deps, report, site, isLive } = call;
  if (!isLive) return undefined;
  const known = await findKnown(deps.db, site, 'term', term.foreignId);
  const row = known && (await store.findById(deps.db, taxonomy, known.id));
  if (!known || !row) return undefined;
  if (known.leftAs === '' || compareSeen(known.seen, seenOfTerm(term)) === 'same') {
    report.countKnown(taxonomy);
    return row.id;
  }
  if (markOf(row) !== known.leftAs) {
    report.countKnown(taxonomy);
    report.skip({ kind: taxonomy, title: term.name, line: term.line, reason: CHANGED_HERE });
    return row.id;
  }
  await deps.db.transaction(async (tx) => {
    const above = await findImported(tx, site, 'term', term.parentId ?? '');
    const { name, slug, description } = term;
    const after = await updateTerm({ db: within(tx) }, taxonomies[taxonomy], row.id, {
      name,
      slug,
      // Cut as where it came for the first time: what is longer than a client may send is refused.
      description: shorten(cleanDescription(stripControl(description)), LONGEST_DESCRIPTION),
      ...(taxonomies[taxonomy].hierarchical && { parent: above ?? 0 }),
    });
    await note(tx, site, term, after, markOf(after));
    await dropPending(tx, 'term', row.id);
    // It is still below this one where the two changed places there.
    if (after.parent !== above) await waitForParent(tx, site, row.id, term);
  });
  report.countUpdated(taxonomy);
  return row.id;
}

const note = (
  tx: Db,
  site: string,
  term: ExportedTerm,
  { id, taxonomy }: Pick<store.TermRow, 'id' | 'taxonomy'>,
  leftAs: string,
): Promise<void> =>
  noteImported(tx, site, {
    kind: 'term',
    type: taxonomy,
    foreignId: term.foreignId,
    id,
    seen: seenOfTerm(term),
    leftAs,
  });

const seenOfTerm = ({ line: _line, ...said }: ExportedTerm): string => seenOfText(false, said);

const markOf = ({ name, slug, description }: store.TermRow): string => leftAs(name, slug, description);

async function waitForParent(tx: Db, site: string, id: number, wanted: WantedTerm): Promise<void> {
  const { parentSlug = '', parentId = '' } = wanted;
  if (numberOf(parentId) !== 0) await notePending(tx, site, 'term', id, 'parent', `#${parentId}`);
  else if (parentSlug !== '') await notePending(tx, site, 'term', id, 'parent', slugify(parentSlug));
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
  readonly parentId?: string;
  /** A record of its own, not only named by what carries it. */
  readonly kind?: 'term';
}

const isWhole = (wanted: WantedTerm): wanted is ExportedTerm => wanted.kind === 'term';

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
  if (seen !== undefined && !call.isLive) return seen;
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
  { site, isLive }: ImportCall,
  taxonomy: TaxonomyName,
  wanted: WantedTerm,
): Promise<{ id: number; created: boolean }> {
  const { slug, name, description = '', foreignId = '' } = wanted;
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
    if (isLive && isWhole(wanted))
      await noteHere(tx, site, { kind: 'term', type: taxonomy, foreignId: wanted.foreignId, id: known.id });
    return { id: known.id, created: false };
  }
  if (isLive && isWhole(wanted)) await note(tx, site, wanted, made, markOf(made));
  await waitForParent(tx, site, made.id, wanted);
  await announce(tx, [made]);
  return { id: made.id, created: true };
}
