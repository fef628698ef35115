/**
 * Who may read and write comments: pure functions of the actor, the comment and its post. A comment is as visible as
 * its post; what is not approved is for its writer, for those who edit the post, and for moderators. list.ts says the
 * same as conditions for SQL.
 */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, type Subject } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { canEditPost, canReadPost, opens } from '../posts/policy';
import type { CommentSubject, CommentedPost } from './store';
import { deny } from '../errors';

export const isModerator = (actor: Actor): boolean => can(actor, 'moderate_comments');

/** The posts that a list or a new comment names; those that do not exist are missing. */
export interface Posts {
  readonly posts: readonly CommentedPost[];
}

type ListAsked = Pick<Subject<Deps, Posts | undefined>, 'actor' | 'args' | 'sent' | 'subject'>;
type CreateAsked = ListAsked & Pick<Subject<Deps, unknown>, 'deps'>;
type ItemAsked = Pick<Subject<Deps, CommentSubject | undefined>, 'actor' | 'args' | 'sent' | 'subject'>;

/** A password opens the comments of one post; whoever edits the post needs none. */
export function canReadComments(actor: Actor, post: CommentedPost, password: unknown): boolean {
  if (post.password === '' || opens(post, password)) return canReadPost(actor, post);
  return canEditPost(actor, post);
}

const canEditComment = (actor: Actor, comment: CommentSubject): boolean =>
  isModerator(actor) || (comment.commentedPost !== undefined && canEditPost(actor, comment.commentedPost));

export const cannotReadPost = (): Denial =>
  deny(
    'rest_cannot_read_post',
    'You may not read the post of this comment, or its password is missing or wrong.',
  );

const cannotRead = (): Denial => deny('rest_cannot_read', 'You may not read this comment.');

const FILTERS_OF_WRITERS = ['author', 'author_exclude', 'author_email', 'type', 'status'] as const;
const OPEN_TO_ALL: Readonly<Record<string, unknown>> = { type: 'comment', status: 'approve' };

export function refuseListComments({ actor, args, subject }: ListAsked): Denial | undefined {
  const ids = Array.isArray(args.post) ? (args.post as number[]) : [];
  const password = ids.length === 1 ? args.password : undefined;
  if (subject?.posts.some((post) => !canReadComments(actor, post, password))) return cannotReadPost();
  if (ids.includes(0) && !isModerator(actor))
    return deny('rest_cannot_read', 'Comments without a post are for moderators only.');
  if (args.context === 'edit' && !isModerator(actor))
    return deny('rest_forbidden_context', 'The edit context of comments is for moderators only.');
  if (can(actor, 'edit_posts')) return undefined;
  const forbidden = FILTERS_OF_WRITERS.filter((name) => {
    const value = args[name];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
    return value !== OPEN_TO_ALL[name];
  });
  if (forbidden.length === 0) return undefined;
  return {
    ...deny('rest_forbidden_param', `These parameters take the right to edit posts: ${forbidden.join(', ')}`),
    data: { params: forbidden },
  };
}

export function refuseReadComment({ actor, args, subject: comment }: ItemAsked): Denial | undefined {
  if (args.context === 'edit' && !isModerator(actor))
    return deny('rest_forbidden_context', 'The edit context of comments is for moderators only.');
  return comment && refuseReading(actor, comment, args.password);
}

/** Without the question of the context: what embedding asks, too. */
export function refuseReading(actor: Actor, comment: CommentSubject, password?: unknown): Denial | undefined {
  if (isModerator(actor)) return undefined;
  const post = comment.commentedPost;
  if (!post) return cannotRead();
  const isOwn = isLoggedIn(actor) && comment.author === actor.id;
  if (canReadComments(actor, post, password)) {
    if (comment.status === 'approved' || isOwn || canEditPost(actor, post)) return undefined;
    return cannotRead();
  }
  return isOwn ? cannotReadPost() : cannotRead();
}

export function refuseCreateComment({ actor, args, sent, subject, deps }: CreateAsked): Denial | undefined {
  if (!isLoggedIn(actor) && deps.config.COMMENT_REGISTRATION)
    return deny('rest_comment_login_required', 'Only users who are logged in may comment.');
  return (
    refuseForeignFields(actor, args, sent) ??
    refuseStatus(actor, sent) ??
    refuseCommenting(actor, subject?.posts[0], args.password)
  );
}

function refuseForeignFields(
  actor: Actor,
  args: Readonly<Record<string, unknown>>,
  sent: ReadonlySet<string>,
  comment?: CommentSubject,
): Denial | undefined {
  if (isModerator(actor)) return undefined;
  if (sent.has('author') && args.author !== actor.id && args.author !== comment?.author)
    return deny(
      'rest_comment_invalid_author',
      'Setting another author takes the right to moderate comments.',
    );
  // The one that is there as well: he is not told of it, and what is let in would tell him.
  if (sent.has('author_ip'))
    return deny('rest_comment_invalid_author_ip', 'Setting author_ip takes the right to moderate comments.');
  return undefined;
}

const refuseStatus = (actor: Actor, sent: ReadonlySet<string>): Denial | undefined =>
  sent.has('status') && !isModerator(actor)
    ? deny('rest_comment_invalid_status', 'Setting the status takes the right to moderate comments.')
    : undefined;

/** Whether the post takes comments of this caller. Asked again inside the transaction, with the post locked. */
export function refuseCommenting(
  actor: Actor,
  post: CommentedPost | undefined,
  password: unknown,
): Denial | undefined {
  if (!post) return deny('rest_comment_invalid_post_id', 'There is no such post to comment on.', 403);
  if (post.status === 'draft') return deny('rest_comment_draft_post', 'Drafts cannot be commented on.', 403);
  if (post.status === 'trash')
    return deny('rest_comment_trash_post', 'Posts in the trash cannot be commented on.', 403);
  if (!canReadComments(actor, post, password)) return cannotReadPost();
  if (post.commentStatus !== 'open')
    return deny('rest_comment_closed', 'This post is closed for comments.', 403);
  return undefined;
}

export function refuseUpdateComment({ actor, args, sent, subject: comment }: ItemAsked): Denial | undefined {
  if (comment ? !canEditComment(actor, comment) : !isModerator(actor))
    return deny('rest_cannot_edit', 'You may not edit this comment.');
  return refuseForeignFields(actor, args, sent, comment);
}

/** A comment may only be moved to where the mover could edit it, too. */
export const refuseMoving = (actor: Actor, target: CommentedPost): Denial | undefined =>
  isModerator(actor) || canEditPost(actor, target)
    ? undefined
    : deny('rest_cannot_edit', 'You may not move comments to this post.');

export function refuseDeleteComment({ actor, subject: comment }: ItemAsked): Denial | undefined {
  return (comment ? canEditComment(actor, comment) : isModerator(actor))
    ? undefined
    : deny('rest_cannot_delete', 'You may not delete this comment.');
}
