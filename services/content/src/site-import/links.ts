/** Sets the links whose other end has come by now, and tells of those that still wait. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import * as comments from '../comments/store';
import * as media from '../media/store';
import { changed, movePathsBelow } from '../posts/aftermath';
import { orderShownIn } from '../posts/attached';
import { lockPageTree, pagePath, usableParent } from '../posts/page-tree';
import { spaceOf } from '../posts/slugs';
import * as posts from '../posts/store';
import { retrying } from '../posts/transactions';
import { updateTerm } from '../terms/actions';
import * as terms from '../terms/store';
import { taxonomies } from '../terms/taxonomies';
import { alone } from './alone';
import { askCalendar, resolve } from './calendar';
import type { ImportCall } from './call';
import { findImported } from './identities';
import { type Pending, forgetSlug, pendingOf, settlePending } from './pending';

export async function finishLinks(call: ImportCall): Promise<void> {
  for await (const pending of pendingOf(call.deps.db, call.site)) {
    const title = `${pending.object} ${pending.id}`;
    const isSet = await alone(call.report, { kind: 'link', title, line: 0 }, () => finish(call, pending));
    if (isSet === false)
      call.report.skip({
        kind: 'link',
        title: `${title}: ${pending.target}`,
        line: 0,
        reason: `its ${pending.link} is not here; it is linked as soon as that moves in${pending.status === '' ? '' : ', and private until then'}`,
      });
  }
}

/** Whether it waits no more. */
function finish(call: ImportCall, pending: Pending): Promise<boolean> {
  switch (pending.object) {
    case 'term':
      return finishTerm(call, pending);
    case 'comment':
      return finishComment(call, pending);
    case 'post':
      return pending.link === 'parent' ? finishParent(call, pending) : finishPicture(call, pending);
    default:
      return finishCalendar(call, pending);
  }
}

/** A parent that is the term itself or below it would make a loop: it counts as none. */
async function finishTerm(call: ImportCall, pending: Pending): Promise<boolean> {
  const { deps } = call;
  const [row] = await terms.findMany(deps.db, [pending.id], 0);
  if (row && row.parent === 0 && taxonomies[row.taxonomy].hierarchical) {
    const parent = await termNamed(call, row.taxonomy, pending.target);
    if (parent === undefined) return false;
    await updateTerm(deps, taxonomies[row.taxonomy], row.id, { parent });
  }
  await settlePending(deps.db, pending);
  return true;
}

/** By its slug, or by `#` and its number there. */
const termNamed = async (
  { deps, site }: ImportCall,
  taxonomy: terms.TermRow['taxonomy'],
  target: string,
): Promise<number | undefined> =>
  target.startsWith('#')
    ? findImported(deps.db, site, 'term', target.slice(1))
    : (await terms.findBySlug(deps.db, taxonomy, target))?.id;

/** An answer whose question came later. */
async function finishComment({ deps, site }: ImportCall, pending: Pending): Promise<boolean> {
  const parent = await findImported(deps.db, site, 'comment', pending.target);
  if (parent === undefined) return false;
  return deps.db.transaction(async (tx) => {
    await comments.setParent(tx, pending.id, parent);
    await settlePending(tx, pending);
    return true;
  });
}

async function finishParent(call: ImportCall, pending: Pending): Promise<boolean> {
  const { deps, site } = call;
  const above = await findImported(deps.db, site, 'post', pending.target);
  return retrying(deps, async (tx) => {
    await lockPageTree(tx);
    const row = await posts.lockById(tx, pending.id);
    // Gone, or somebody gave it a place meanwhile.
    const isMoved = !row || row.parent !== 0;
    if (row?.type === 'attachment' && !isMoved) return finishFile(tx, call, row, pending, above);
    if (!isMoved && above === undefined) {
      // So long it stands at the top.
      if (pending.slug !== '') await place(tx, row, 0, pending.slug);
      await forgetSlug(tx, pending);
      return false;
    }
    if (row && !isMoved) await place(tx, row, await usable(tx, row, above as number), pending.slug);
    if (row?.type === 'attachment') await showFile(tx, row, pending);
    await settlePending(tx, pending);
    return true;
  });
}

async function usable(tx: Db, row: posts.FullPostRow, above: number): Promise<number> {
  const parent = await posts.findById(tx, above);
  return parent?.type === 'page' ? ((await usableParent(tx, row.id, above)) ?? 0) : 0;
}

/** `row` is locked and hangs on nothing. It is shown again with what it hangs on, unless somebody gave it another status meanwhile. */
async function finishFile(
  tx: Db,
  { open }: ImportCall,
  row: posts.FullPostRow,
  pending: Pending,
  above: number | undefined,
): Promise<boolean> {
  const parent = above === undefined ? undefined : await posts.findById(tx, above);
  if (!parent && !open.has(pending.target)) return false;
  await place(tx, await shown(tx, row, pending), parent?.id ?? 0, row.slug);
  // Texts that moved in are made anew at the end; those that were written here may show it as well.
  await orderShownIn(tx, row.id, [parent?.id ?? 0]);
  await media.announce(tx, row.id, row.status);
  await settlePending(tx, pending);
  return true;
}

/** Somebody hung it on something here meanwhile: it is shown with that. */
async function showFile(tx: Db, row: posts.FullPostRow, pending: Pending): Promise<void> {
  if ((await shown(tx, row, pending)) === row) return;
  await orderShownIn(tx, row.id, [row.parent]);
  await media.announce(tx, row.id, row.status);
}

/** The same row where its status stays. */
async function shown(tx: Db, row: posts.FullPostRow, pending: Pending): Promise<posts.FullPostRow> {
  const status = row.status === 'private' && pending.status !== '' ? pending.status : row.status;
  if (status === row.status) return row;
  await posts.update(tx, row.id, { status });
  return { ...row, status };
}

/** `waiting`: the slug that it was to have; empty when it has one. */
async function place(tx: Db, row: posts.FullPostRow, parent: number, waiting: string): Promise<void> {
  const wanted = row.slug || waiting;
  if (parent === 0 && wanted === row.slug) return;
  const slug = await uniqueSlug(tx, spaceOf({ type: row.type, parent, id: row.id }), wanted);
  const at = { parent, slug, path: slug === '' ? '' : await pagePath(tx, parent, slug) };
  await posts.update(tx, row.id, at);
  // Whether it stands below its post hangs on that one's own address.
  if (row.type === 'attachment') return void (await movePathsBelow(tx, [parent]));
  await emit(tx, 'content.post.changed', changed({ ...row, ...at }, row.status));
  await movePathsBelow(tx, [row.id]);
}

async function finishPicture({ deps, site }: ImportCall, pending: Pending): Promise<boolean> {
  const picture = await findImported(deps.db, site, 'post', pending.target);
  if (picture === undefined) return false;
  return retrying(deps, async (tx) => {
    const row = await posts.lockById(tx, pending.id);
    const target = await posts.findById(tx, picture);
    if (row && row.featuredMedia === 0 && target?.type === 'attachment') {
      await posts.update(tx, row.id, { featuredMedia: picture });
      await emit(tx, 'content.post.changed', changed(row, row.status));
    }
    await settlePending(tx, pending);
    return true;
  });
}

async function finishCalendar(call: ImportCall, pending: Pending): Promise<boolean> {
  const found = await resolve(call, pending);
  if (!found || !call.calendar) return false;
  const links = { venue: 0, organizers: [], image: 0, parent: 0, ...found };
  await askCalendar(call.calendar, (remote, options) =>
    remote.linkItem({ kind: pending.object, id: pending.id, links }, options),
  );
  await settlePending(call.deps.db, pending);
  return true;
}
