/** Moving posts and pages to the trash, and deleting them for good. */
import type { Actor } from '@sevenfold/chassis/actor';
import { emit, emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { follow } from '@sevenfold/publishing/course';
import { isPublic } from '@sevenfold/publishing/statuses';
import { type SlugMove, hinderedMoves, uniqueSlug } from '@sevenfold/publishing/slugs';
import { numberedSlug, trashedSlug, untrashedSlug } from '@sevenfold/text/slug';
import * as comments from '../comments/of-posts';
import type { Deps } from '../deps';
import * as terms from '../terms/store';
import { changed, movePathsBelow, orderNaming, settle, termDeltas } from './aftermath';
import { errors } from './errors';
import { pathOfPost } from './links';
import { lockPageTree, lockPost, pagePath } from './page-tree';
import { refuseDelete } from './policy';
import { settleRow } from './settle-row';
import { spaceOf } from './slugs';
import * as store from './store';
import type { Child, FullPostRow } from './store';
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
      lock: async () => {
        // What hangs on a post goes where pages are named. Before the row, as all who write pages.
        if (await store.hasChildren(tx, id)) await lockPageTree(tx);
        return lockPost(tx, type, id);
      },
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
  if (children.length === 0) return;
  // Where the first child came while the row was waited for.
  await lockPageTree(tx);
  const wasHidden = !isPublic(row.status === 'trash' ? row.statusBeforeTrash : row.status);
  // A file that hangs on nothing is everybody's: what was kept from others is not theirs now. In the trash a post is what it was.
  const shown = children.map((child) =>
    wasHidden && child.status === 'inherit' ? { ...child, status: 'private' } : child,
  );
  const moved = await placeBelow(tx, row.parent, shown);
  if (row.parent === 0) {
    const before = new Map(children.map(({ id, status }) => [id, status]));
    await emitAll(
      tx,
      'content.post.changed',
      moved.map((child) => changed({ ...child, path: child.slug }, before.get(child.id) ?? '')),
    );
  }
  // Below another parent, those that moved up are among what is below it, and are told of where they find another path.
  await movePathsBelow(tx, row.parent === 0 ? moved.map(({ id }) => id) : [row.parent]);
  // What hangs on another one is seen by whoever sees that.
  const files = children.filter(({ type }) => type === 'attachment').map(({ id }) => id);
  await orderNaming(tx, files);
}

/** Each takes a lock of its own, and PostgreSQL has some thousands for everybody. */
const MOST_NAMES = 500;

/**
 * Those whose names are free there keep them, all at once. They need no locks of names: pages get theirs under the lock of the
 * tree, and whoever names a file looks at all names, wherever they are.
 */
async function placeBelow(tx: Db, parent: number, children: readonly Child[]): Promise<readonly Child[]> {
  const move = (child: Child): SlugMove => ({ space: spaceOf({ ...child, parent }), slug: child.slug });
  const hindered = new Set<number>();
  for (const type of ['page', 'attachment'])
    for (const id of await hinderedMoves(tx, children.filter((child) => child.type === type).map(move)))
      hindered.add(id);
  const others = children.filter(({ id }) => hindered.has(id));
  const moved = [
    ...children.filter(({ id }) => !hindered.has(id)),
    // Nothing else has the number of a row.
    ...others.slice(MOST_NAMES).map((child) => ({ ...child, slug: numberedSlug(nameOf(child), child.id) })),
  ];
  await store.moveBelow(tx, parent, moved);
  for (const child of others.slice(0, MOST_NAMES)) {
    const renamed = { ...child, slug: await uniqueSlug(tx, move(child).space, nameOf(child)) };
    await store.moveBelow(tx, parent, [renamed]);
    moved.push(renamed);
  }
  return moved;
}

/** A number that it got in the trash makes way for the next one: behind another, the mark would be there for good. */
function nameOf({ status, slug }: Child): string {
  const name = untrashedSlug(slug);
  return status === 'trash' && name !== slug ? trashedSlug(name) : slug;
}
