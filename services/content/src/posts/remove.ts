/** Moving posts and pages to the trash, and deleting them for good. */
import type { Actor } from '@sevenfold/chassis/actor';
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { follow } from '@sevenfold/publishing/course';
import { isPublic } from '@sevenfold/publishing/statuses';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import * as comments from '../comments/of-posts';
import type { Deps } from '../deps';
import * as terms from '../terms/store';
import { changed, movePathsBelow, orderNaming, settle, termDeltas } from './aftermath';
import { errors } from './errors';
import { pathOfPost } from './links';
import { lockPost, pagePath } from './page-tree';
import { refuseDelete } from './policy';
import { settleRow } from './settle-row';
import { spaceOf } from './slugs';
import * as store from './store';
import type { FullPostRow } from './store';
import { retrying } from './transactions';
import { type PostType, postTypes } from './types';

/** 410 when it is there already. */
export async function trashPost(deps: Deps, actor: Actor, type: PostType, id: number): Promise<FullPostRow> {
  const { timezone } = await deps.settings.get();
  return retrying(deps, (tx) =>
    follow(tx, actor, {
      lock: () => lockPost(tx, type, id),
      gone: errors.notFound,
      refuse: (row) => refuseDelete(actor, row),
      settle: (_tx, row) => {
        if (row.status === 'trash') throw errors.alreadyTrashed();
        return moveToTrash(tx, row, actor.id, timezone);
      },
      announce: settle,
    }),
  );
}

/** Puts a locked row into the trash; pages need the lock of their tree. `editor` is the user who does it. */
export async function trash(tx: Db, row: FullPostRow, editor: number, timezone: string): Promise<void> {
  await settle(tx, row, await moveToTrash(tx, row, editor, timezone));
}

async function moveToTrash(tx: Db, row: FullPostRow, editor: number, timezone: string): Promise<FullPostRow> {
  const clock = { now: new Date(), timezone };
  const settled = await settleRow(tx, row, row, { status: 'trash', title: row.titleRaw }, clock);
  const path = postTypes[row.type].hierarchical
    ? await pagePath(tx, row.parent, settled.slug)
    : pathOfPost(row.dateLocal, settled.slug);
  await store.revise(tx, row.id, { ...settled, path, sticky: false }, editor);
  await comments.trashForPost(tx, row.id);
  return (await store.findFullById(tx, row.id)) as FullPostRow;
}

/** Deletes for good, with its comments and revisions. Answers the row as it was. */
export async function removePost(deps: Deps, actor: Actor, type: PostType, id: number): Promise<FullPostRow> {
  return retrying(deps, (tx) =>
    follow(tx, actor, {
      lock: () => lockPost(tx, type, id),
      gone: errors.notFound,
      refuse: (row) => refuseDelete(actor, row),
      settle: async (_tx, row) => {
        await comments.removeForPost(tx, [id]);
        await moveChildrenUp(tx, row);
        await terms.adjustOwnCounts(tx, termDeltas([row], []));
        await store.remove(tx, id);
        return row;
      },
      announce: (_tx, { status }) => emit(tx, 'content.post.deleted', { id, type: type.name, status }),
    }),
  );
}

/**
 * Pages and attachments below go to the grandparent, where their slugs must be free: an attachment's was when it was given, and
 * a page may have taken it since.
 */
async function moveChildrenUp(tx: Db, row: FullPostRow): Promise<void> {
  const children = await store.childrenOf(tx, row.id);
  const wasHidden = !isPublic(row.status === 'trash' ? row.statusBeforeTrash : row.status);
  for (const child of children) {
    const slug = await uniqueSlug(tx, spaceOf({ ...child, parent: row.parent }), child.slug);
    // A file that hangs on nothing is everybody's: what was kept from others is not theirs now. In the trash a post is what it was.
    const hidden = wasHidden && child.status === 'inherit' ? { status: 'private' } : {};
    // Below another parent the old path stays until movePathsBelow, which tells of those that it finds to be others.
    if (row.parent !== 0) {
      await store.update(tx, child.id, { parent: row.parent, slug, ...hidden });
      continue;
    }
    await store.update(tx, child.id, { parent: 0, slug, path: slug, ...hidden });
    await emit(tx, 'content.post.changed', changed({ ...child, slug, path: slug, ...hidden }, child.status));
    await movePathsBelow(tx, child.id);
  }
  // Those that moved up are among them.
  if (row.parent !== 0) await movePathsBelow(tx, row.parent);
  // What hangs on another one is seen by whoever sees that.
  const files = children.filter(({ type }) => type === 'attachment').map(({ id }) => id);
  await orderNaming(tx, files);
}
