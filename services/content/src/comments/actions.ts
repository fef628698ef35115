/**
 * Changing and deleting comments. Everything that depends on others (the post, the comment as it is now) is decided
 * inside the transaction, under locks, so that two requests at once cannot both pass. create.ts does the same for new ones.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { denied } from '@sevenfold/chassis/http/allow';
import type { ContentCall } from '../deps';
import { errors } from '../errors';
import { commentNotFound } from './embed';
import {
  authorById,
  checkLengths,
  contentOf,
  dateOf,
  noContent,
  ownWords,
  refused,
  userAgent,
} from './fields';
import * as filterStore from './filter-store';
import { teach } from './lessons';
import { refuseMoving } from './policy';
import type { updateArgs } from './schema';
import { applyStatusWord } from './status';
import * as store from './store';

type UpdateCall = ContentCall<ArgsOf<typeof updateArgs>, store.CommentSubject>;

export async function update(call: UpdateCall): Promise<store.CommentSubject> {
  const { args, actor, deps, sent, subject } = call;
  if (args.type !== undefined && args.type !== subject.type)
    throw refused('rest_comment_invalid_type', 'The type of a comment cannot be changed.', 404);
  if (args.parent === subject.id) throw invalidParam('parent', 'A comment cannot answer itself.');
  const settings = await deps.settings.get();
  const { timezone, language } = settings;
  const content = sent.has('content') ? (contentOf(args.content, actor, settings) ?? noContent()) : {};
  checkLengths(args);
  const date = dateOf(args, timezone);
  const author =
    args.author !== undefined && args.author !== subject.author
      ? await authorById(deps, args.author)
      : undefined;
  const changes: Partial<store.CommentValues> = {
    ...(author && {
      author: author.author,
      authorName: author.authorName,
      authorEmail: author.authorEmail,
      authorUrl: author.authorUrl,
    }),
    ...ownWords(args),
    ...(args.author_ip !== undefined && { authorIp: args.author_ip }),
    ...(args.author_user_agent !== undefined && { authorUserAgent: userAgent(args.author_user_agent) }),
    ...(date && { dateLocal: date.local, dateGmt: date.utc.toISOString() }),
    ...(args.parent !== undefined && { parent: args.parent }),
    ...content,
  };
  return deps.db.transaction(async (tx) => {
    const target = args.post ?? subject.post;
    const comment = await store.lockById(tx, subject.id, [subject.post, target]);
    if (!comment) throw commentNotFound();
    const moved = target === comment.post ? {} : await moveTo(call, tx, target);
    const state = (args.status !== undefined && applyStatusWord(comment, args.status)) || {};
    // Whoever says where it belongs has decided, also when it is there already.
    if (args.status !== undefined) await filterStore.settle(tx, comment.id);
    const all = { ...changes, ...moved, ...state };
    if (Object.keys(all).length === 0) return comment;
    await store.update(tx, comment.id, all);
    const changed = (await store.findById(tx, comment.id)) as store.CommentSubject;
    await emit(tx, 'content.comment.changed', announced(changed, comment.status));
    await teach(tx, deps, language, comment, changed);
    return changed;
  });
}

async function moveTo(call: UpdateCall, tx: Db, target: number): Promise<{ post: number }> {
  const [post] = await store.findPosts(tx, [target]);
  if (!post)
    throw refused('rest_comment_invalid_post_id', 'There is no such post to move the comment to.', 403);
  const denial = refuseMoving(call.actor, post);
  if (denial) throw denied(denial, call.actor);
  return { post: target };
}

type DeleteCall = ContentCall<{ readonly force: boolean }, store.CommentSubject>;

export async function trash(call: DeleteCall): Promise<store.CommentSubject> {
  const { deps, subject } = call;
  if (!deps.config.TRASH_ENABLED) throw errors.trashNotSupported('comment');
  return deps.db.transaction(async (tx) => {
    const comment = await store.lockById(tx, subject.id, [subject.post]);
    if (!comment) throw commentNotFound();
    const state = applyStatusWord(comment, 'trash');
    if (!state) throw refused('rest_already_trashed', 'The comment is in the trash already.', 410);
    await store.update(tx, comment.id, state);
    await filterStore.settle(tx, comment.id);
    await emit(tx, 'content.comment.changed', announced({ ...comment, ...state }, comment.status));
    return { ...comment, ...state };
  });
}

/** Answers the comment as it was. */
export async function remove(call: DeleteCall): Promise<store.CommentSubject> {
  const { deps, subject } = call;
  return deps.db.transaction(async (tx) => {
    const comment = await store.lockById(tx, subject.id, [subject.post]);
    if (!comment) throw commentNotFound();
    await removeLocked(tx, comment);
    return comment;
  });
}

export async function removeLocked(tx: Db, comment: store.CommentSubject): Promise<void> {
  await store.remove(tx, comment);
  await emit(tx, 'content.comment.deleted', announced(comment, comment.status));
}

export const announced = ({ id, post, status }: store.CommentSubject, before: string): object => ({
  id,
  post,
  status,
  before,
});
