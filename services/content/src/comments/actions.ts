/**
 * Changing and deleting comments. Everything that depends on others (the post, the comment as it is now) is decided
 * inside the transaction, under locks, so that two requests at once cannot both pass. create.ts does the same for new ones.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import type { Denial } from '@sevenfold/chassis/http/route';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { isShown } from '@sevenfold/publishing/dates';
import type { ContentCall } from '../deps';
import { apiError, argumentError, errors } from '../errors';
import { commentNotFound } from './embed';
import { authorById, checkLengths, contentOf, dateOf, noContent, ownWords, userAgent } from './fields';
import * as filterStore from './filter-store';
import { teach } from './lessons';
import * as policy from './policy';
import type { updateArgs } from './schema';
import { type StatusState, applyStatusWord, fromPost, withPost } from './status';
import * as store from './store';

type WriteCall<A> = ContentCall<A, store.CommentSubject>;

/**
 * `write` gets the comment as it is by now, locked after its post; what was loaded may have been moved to a post of
 * somebody else meanwhile. Where it was, this begins again, so that posts are still locked before comments.
 */
async function onLocked<A>(
  call: WriteCall<A>,
  refuseFor: (now: WriteCall<A>) => Denial | undefined,
  write: (tx: Db, comment: store.CommentSubject) => Promise<store.CommentSubject>,
  besides: readonly number[] = [],
): Promise<store.CommentSubject> {
  const { deps, actor } = call;
  let { post } = call.subject;
  for (;;) {
    const outcome = await deps.db.transaction(async (tx) => {
      const comment = await store.lockById(tx, call.subject.id, [post, ...besides]);
      if (!comment) throw commentNotFound();
      if (comment.post !== post && !besides.includes(comment.post)) return { movedTo: comment.post };
      throwDenial(refuseFor({ ...call, subject: comment }), actor);
      return { written: await write(tx, comment) };
    });
    if (outcome.written) return outcome.written;
    post = outcome.movedTo;
  }
}

type UpdateCall = WriteCall<ArgsOf<typeof updateArgs>>;

export async function update(call: UpdateCall): Promise<store.CommentSubject> {
  const { args, actor, deps, sent, subject } = call;
  if (args.type !== undefined && args.type !== subject.type)
    throw argumentError('type', 'rest_comment_invalid_type', 404, 'The type of a comment cannot be changed.');
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
    ...(args.parent !== undefined && { parent: args.parent }),
    ...content,
  };
  const write = async (tx: Db, comment: store.CommentSubject): Promise<store.CommentSubject> => {
    if (args.parent && (await store.isAnswerTo(tx, comment.id, args.parent)))
      throw invalidParam('parent', 'A comment cannot answer itself, nor what answers it.');
    const target = args.post ?? comment.post;
    const moved = target === comment.post ? undefined : await moveTo(call, tx, comment, target);
    const word = args.status !== undefined && applyStatusWord({ ...comment, ...moved }, args.status);
    const state = word || {};
    // Whoever says where it belongs has decided, also when it is there already.
    if (args.status !== undefined) await filterStore.settle(tx, comment.id);
    // Clients send back whole objects: the clock that they were shown is no choice, whatever zone the site has by now.
    const dated = date &&
      !isShown(date, { dateLocal: comment.dateLocal, dateUtc: comment.dateGmt }) && {
        dateLocal: date.local,
        dateGmt: date.utc.toISOString(),
      };
    const all = { ...changes, ...dated, ...moved, ...state };
    if (Object.keys(all).length === 0) return comment;
    await store.update(tx, comment.id, all);
    const changed = (await store.findById(tx, comment.id)) as store.CommentSubject;
    await emit(tx, 'content.comment.changed', announced(changed, comment.status));
    await teach(tx, deps, language, comment, changed);
    return changed;
  };
  return onLocked(call, policy.refuseUpdateComment, write, args.post === undefined ? [] : [args.post]);
}

/** Below a post in the trash it is there with that post, whatever it was; elsewhere it is what it was (BEHAVIOUR.md 26). */
async function moveTo(
  call: UpdateCall,
  tx: Db,
  comment: StatusState,
  target: number,
): Promise<StatusState & { post: number }> {
  const [post] = await store.findPosts(tx, [target]);
  if (!post)
    throw argumentError(
      'post',
      'rest_comment_invalid_post_id',
      403,
      'There is no such post to move the comment to.',
    );
  throwDenial(policy.refuseMoving(call.actor, post), call.actor);
  return { ...(post.status === 'trash' ? withPost(comment) : fromPost(comment)), post: target };
}

type DeleteCall = WriteCall<{ readonly force: boolean }>;

export async function trash(call: DeleteCall): Promise<store.CommentSubject> {
  if (!call.deps.config.TRASH_ENABLED) throw errors.trashNotSupported('comment');
  return onLocked(call, policy.refuseDeleteComment, async (tx, comment) => {
    const state = applyStatusWord(comment, 'trash');
    if (!state) throw apiError('rest_already_trashed', 410, 'The comment is in the trash already.');
    await store.update(tx, comment.id, state);
    await filterStore.settle(tx, comment.id);
    await emit(tx, 'content.comment.changed', announced({ ...comment, ...state }, comment.status));
    return { ...comment, ...state };
  });
}

/** Answers the comment as it was. */
export const remove = (call: DeleteCall): Promise<store.CommentSubject> =>
  onLocked(call, policy.refuseDeleteComment, async (tx, comment) => {
    await removeLocked(tx, comment);
    return comment;
  });

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
