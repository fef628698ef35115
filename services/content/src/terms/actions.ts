/**
 * Making, changing and deleting terms, for the routes and for other services alike. Each is one transaction with the
 * event that tells of it. The caller has the right; this file keeps the rules of names, slugs and parents.
 */
import { type ApiError, invalidParam, mapConstraint } from '@sevenfold/chassis/errors';
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { doAll } from '@sevenfold/chassis/queue/pieces';
import { slugify } from '@sevenfold/text/slug';
import type { Deps } from '../deps';
import { LONGEST as LONGEST_DESCRIPTION } from '../common/description';
import { refuseDeep } from '../common/paths';
import { LONGEST_NAME, cleanDescription, cleanName, slugOfName } from './clean';
import { termErrors } from './errors';
import { fallbackOf, reorderLater, takeOffLater } from './many-posts';
import * as onPosts from './on-posts';
import { termLink } from './presenter';
import { freeSlug } from './slugs';
import * as store from './store';
import type { Taxonomy } from './taxonomies';

/** As sent; what is absent keeps its value, or is empty in a new term. */
export interface TermInput {
  readonly name?: string;
  readonly slug?: string;
  readonly description?: string;
  readonly parent?: number;
}

// A loser of a race for a slug looks again. With n writers of one slug the last needs n looks at most.
const MOST_TRIES = 50;

export async function createTerm(
  { db }: Pick<Deps, 'db'>,
  taxonomy: Taxonomy,
  input: TermInput,
): Promise<store.TermRow> {
  const parent = wantedParent(taxonomy, input.parent) ?? 0;
  const name = nameOf(taxonomy, input.name ?? '');
  const given = slugify(input.slug ?? '');
  return db.transaction(async (tx) => {
    if (parent !== 0) {
      await store.lockTree(tx, taxonomy.name, 'shared');
      await checkParent(tx, taxonomy, parent);
    }
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const slug = await freeSlug(tx, taxonomy, given || slugOfName(name), parent);
      // In this order: a twin that has just taken the plain slug is there by now, one that will take it is met on insert.
      const twin = await findTwin(tx, taxonomy, parent, name, given);
      if (twin !== undefined) throw termErrors.exists(twin, taxonomy);
      const description = descriptionOf(input.description ?? '');
      const term = await store.insert(tx, { taxonomy: taxonomy.name, name, slug, description, parent });
      if (!term) continue;
      await announce(tx, [term]);
      return term;
    }
    throw termErrors.busy();
  });
}

/** The term that the new one would repeat: same name on the same level, unless a slug of its own sets it apart. */
async function findTwin(
  tx: Db,
  taxonomy: Taxonomy,
  parent: number,
  name: string,
  given: string,
): Promise<number | undefined> {
  const namesake = await store.findByName(tx, taxonomy.name, parent, name);
  if (!namesake) return undefined;
  if (given === '' || given === namesake.slug) return namesake.id;
  const owner = await store.findBySlug(tx, taxonomy.name, given);
  return owner?.parent === parent ? owner.id : undefined;
}

export async function updateTerm(
  { db }: { readonly db: Pick<Deps['db'], 'transaction'> },
  taxonomy: Taxonomy,
  id: number,
  input: TermInput,
): Promise<store.TermRow> {
  const wanted = wantedParent(taxonomy, input.parent);
  const newName = input.name === undefined ? undefined : nameOf(taxonomy, input.name);
  const duplicate =
    (slug: string): (() => ApiError) =>
    () =>
      termErrors.duplicateSlug(slug, taxonomy);
  return db.transaction(async (tx) => {
    await store.lockTree(tx, taxonomy.name, 'alone');
    const before = await store.findById(tx, taxonomy.name, id);
    if (!before) throw termErrors.notFound(taxonomy);
    if (wanted && wanted !== before.parent) await checkParent(tx, taxonomy, wanted);
    const parent = wanted === undefined ? before.parent : await withoutLoop(tx, id, wanted);
    const name = newName ?? before.name;
    const slug = await slugAfter(tx, taxonomy, before, name, parent, input.slug);
    const renamed = name !== before.name;
    const column = renamed ? taxonomy.postsColumn : undefined;
    const isMuch = column !== undefined && (await onPosts.areMany(tx, column, id));
    if (column && !isMuch) await onPosts.lockPosts(tx, column, id);
    const description =
      input.description === undefined || input.description === before.description
        ? before.description
        : descriptionOf(input.description);
    // A slug that a new term takes at this very moment is found by the index.
    const after = await mapConstraint({ terms_slug_key: duplicate(slug) }, () =>
      store.update(tx, id, { name, slug, description, parent }),
    );
    if (!after) throw termErrors.notFound(taxonomy);
    if (isMuch) await reorderLater(tx, id, taxonomy.name);
    else if (column) await onPosts.reorderAll(tx, column, id);
    const moved = taxonomy.hierarchical ? await store.refreshPathsBelow(tx, [id]) : [];
    if (pathOf(after).length > pathOf(before).length)
      for (const { parentPath } of moved)
        refuseDeep('term', wanted === undefined ? 'slug' : 'parent', parentPath);
    await announce(tx, [after, ...moved]);
    return after;
  });
}

/** An empty slug asks for one made from the name; a new place may change a slug that is taken, nothing else does. */
async function slugAfter(
  tx: Db,
  taxonomy: Taxonomy,
  before: store.TermRow,
  name: string,
  parent: number,
  sent: string | undefined,
): Promise<string> {
  if (sent === undefined) return before.slug;
  const given = slugify(sent);
  const slug = given || slugOfName(name);
  if (slug === before.slug) return slug;
  const owner = await store.findBySlug(tx, taxonomy.name, slug);
  if (!owner || owner.id === before.id) return slug;
  if (given === '' || parent !== before.parent) return freeSlug(tx, taxonomy, slug, parent, before.id);
  throw termErrors.duplicateSlug(slug, taxonomy);
}

/** A parent that is the term itself or below it would make a loop: it counts as none. */
async function withoutLoop(tx: Db, id: number, parent: number): Promise<number> {
  if (parent === 0) return 0;
  const line = await store.listLine(tx, parent);
  return line.some((above) => above.id === id) ? 0 : parent;
}

/** Whether the settings give the term to posts that have no category. */
export const isDefaultTerm = async (
  { settings }: Pick<Deps, 'settings'>,
  taxonomy: Taxonomy,
  id: number,
): Promise<boolean> => taxonomy.name === 'category' && (await settings.get()).default_category === id;

/** Deletes for good. Children go to the grandparent, posts lose the term, many of them later. Answers the term as it was. */
export async function deleteTerm(
  deps: Pick<Deps, 'db' | 'settings'>,
  taxonomy: Taxonomy,
  id: number,
): Promise<store.TermRow> {
  return deps.db.transaction(async (tx) => {
    await store.lockTree(tx, taxonomy.name, 'alone');
    const term = await store.findById(tx, taxonomy.name, id);
    if (!term) throw termErrors.notFound(taxonomy);
    const fallback = await fallbackOf(deps, taxonomy, tx);
    // It may have become the default one since the caller's right was looked at: the settings wait for the tree.
    if (fallback === id) throw termErrors.isDefault();
    const { postsColumn: column } = taxonomy;
    const isMuch = column !== undefined && (await onPosts.areMany(tx, column, id));
    if (column && !isMuch) await onPosts.lockPosts(tx, column, id);
    const children = await store.remove(tx, term);
    const below =
      children.length > 0
        ? await store.refreshPathsBelow(
            tx,
            children.map((child) => child.id),
          )
        : [];
    if (isMuch) await takeOffLater(tx, id, taxonomy.name);
    else if (column) await doAll(onPosts.takingOff(tx, { id, taxonomy: taxonomy.name, column, fallback }));
    await emitAll(tx, 'content.term.deleted', [{ id, taxonomy: taxonomy.name }]);
    await announce(tx, [...children, ...below]);
    return term;
  });
}

/** Tells other services, in the transaction of the change. */
export const announce = (tx: Db, terms: readonly store.TermRow[]): Promise<void> =>
  emitAll(
    tx,
    'content.term.changed',
    terms.map((term) => {
      const { id, taxonomy, name, slug } = term;
      return { id, taxonomy, name, slug, link: termLink('', term) };
    }),
  );

function nameOf(taxonomy: Taxonomy, sent: string): string {
  if (sent.length > LONGEST_NAME)
    throw invalidParam('name', `name must be at most ${LONGEST_NAME} characters long.`);
  const name = cleanName(sent);
  if (name === '') throw termErrors.emptyName(taxonomy);
  return name;
}

function descriptionOf(sent: string): string {
  if (sent.length > LONGEST_DESCRIPTION)
    throw invalidParam('description', `description must be at most ${LONGEST_DESCRIPTION} characters long.`);
  return cleanDescription(sent);
}

function wantedParent(taxonomy: Taxonomy, parent: number | undefined): number | undefined {
  if (parent !== undefined && !taxonomy.hierarchical) throw termErrors.notHierarchical(taxonomy);
  return parent;
}

async function checkParent(tx: Db, taxonomy: Taxonomy, parent: number): Promise<void> {
  const above = await store.findById(tx, taxonomy.name, parent);
  if (!above) throw termErrors.parentNotFound(taxonomy);
  refuseDeep('term', 'parent', pathOf(above));
}

const pathOf = ({ parentPath, slug }: store.TermRow): string => `${parentPath}/${slug}`;
