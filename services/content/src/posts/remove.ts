/** Moving posts and pages to the trash, and deleting them for good. */
import type { Actor } from '@sevenfold/chassis/actor';
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { settleSlug, uniqueSlug } from '@sevenfold/publishing/slugs';
import { denied } from '@sevenfold/chassis/http/allow';
import { toLocal } from '@sevenfold/text/dates';
import * as comments from '../comments/store';
import type { Deps } from '../deps';
import * as terms from '../terms/store';
import { settle, termDeltas } from './aftermath';
import { sqlUtc } from '@sevenfold/publishing/dates';
import { errors } from './errors';
import { pathOfPost } from './links';
import { lockPageTree, pagePath, refreshPathsBelow } from './page-tree';
import { refuseDelete } from './policy';
import { spaceOf } from './slugs';
import * as store from './store';
import type { FullPostRow } from './store';
import { retrying } from './transactions';
import { type PostType, postTypes } from './types';

/** 410 when it is there already. */
export async function trashPost(deps: Deps, actor: Actor, type: PostType, id: number): Promise<FullPostRow> {
  const { timezone } = await deps.settings.get();
  return retrying(deps, async (tx) => {
    const row = await lockForDelete(tx, actor, type, id);
    if (row.status === 'trash') throw errors.alreadyTrashed();
    return trash(tx, row, timezone);
  });
}

/** Puts a locked row into the trash; pages need the lock of their tree. */
export async function trash(tx: Db, row: FullPostRow, timezone: string): Promise<FullPostRow> {
  const now = new Date();
  const slug = await settleSlug(tx, spaceOf(row), {
    current: row,
    status: 'trash',
    title: row.titleRaw,
    fromTheStart: false,
  });
  const path = postTypes[row.type].hierarchical
    ? await pagePath(tx, row.parent, slug)
    : pathOfPost(row.dateLocal, slug);
  await store.update(tx, row.id, {
    status: 'trash',
    statusBeforeTrash: row.status,
    slug,
    path,
    modifiedLocal: toLocal(now, timezone),
    modifiedGmt: sqlUtc(now),
  });
  await comments.trashForPost(tx, row.id);
  const after = (await store.findFullById(tx, row.id)) as FullPostRow;
  await settle(tx, row, after);
  return after;
}

/** Deletes for good, with its comments and revisions. Answers the row as it was. */
export async function removePost(deps: Deps, actor: Actor, type: PostType, id: number): Promise<FullPostRow> {
  return retrying(deps, async (tx) => {
    const row = await lockForDelete(tx, actor, type, id);
    await comments.removeForPost(tx, [id]);
    await moveChildrenUp(tx, row);
    await terms.adjustOwnCounts(tx, termDeltas([row], []));
    await store.remove(tx, id);
    await emit(tx, 'content.post.deleted', { id, type: row.type, status: row.status });
    return row;
  });
}

async function lockForDelete(tx: Db, actor: Actor, type: PostType, id: number): Promise<FullPostRow> {
  if (type.hierarchical) await lockPageTree(tx);
  const row = await store.lockById(tx, id);
  if (!row || row.type !== type.name) throw errors.notFound();
  const denial = refuseDelete(actor, row);
  if (denial) throw denied(denial, actor);
  return row;
}

/** Pages below go to the grandparent, where their slugs must be free; so do attachments, whose slugs are free anywhere. */
async function moveChildrenUp(tx: Db, row: FullPostRow): Promise<void> {
  for (const child of await store.childrenOf(tx, row.id)) {
    const slug =
      child.type === 'page'
        ? await uniqueSlug(tx, spaceOf({ ...child, parent: row.parent }), child.slug)
        : child.slug;
    await store.update(tx, child.id, { parent: row.parent, slug, path: slug });
    if (row.parent === 0) await refreshPathsBelow(tx, child.id);
  }
  if (row.parent !== 0) await refreshPathsBelow(tx, row.parent);
}
