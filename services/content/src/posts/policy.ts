/**
 * Who may read, edit and delete posts, pages and attachments: pure functions of the actor and the row. Lists ask the
 * same rules as a condition for SQL, so that totals count exactly what the caller may see.
 */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { isPublic } from './statuses';
import { type PostTypeName, postTypes } from './types';

/** What the rules look at; any row of `posts` has it. */
export interface PostSubject {
  readonly type: PostTypeName;
  readonly status: string;
  readonly author: number;
  readonly password: string;
  /** Only of posts in the trash. */
  readonly statusBeforeTrash?: string;
  /** Of an attachment that belongs to something: it is as visible as that is. */
  readonly parentPost?: PostSubject;
}

/** Has a capability of the type: `may(actor, 'page', 'publish')` asks for `publish_pages`. */
export const may = (actor: Actor, type: PostTypeName, right: string): boolean =>
  can(actor, `${right}_${postTypes[type].plural}`);

const isAuthor = (actor: Actor, post: PostSubject): boolean => isLoggedIn(actor) && post.author === actor.id;

/** The password does not matter here: it hides the text (presenter), not the post. */
export function canReadPost(actor: Actor, post: PostSubject): boolean {
  if (post.status === 'inherit') return post.parentPost === undefined || canReadPost(actor, post.parentPost);
  if (isPublic(post.status) || isAuthor(actor, post)) return true;
  if (post.status === 'private') return may(actor, post.type, 'read_private');
  return canEditPost(actor, post);
}

export const canEditPost = (actor: Actor, post: PostSubject): boolean => canChange(actor, post, 'edit');
export const canDeletePost = (actor: Actor, post: PostSubject): boolean => canChange(actor, post, 'delete');

function canChange(actor: Actor, post: PostSubject, verb: 'edit' | 'delete'): boolean {
  const status = post.status === 'trash' ? (post.statusBeforeTrash ?? '') : post.status;
  const has = (right: string): boolean => may(actor, post.type, right);
  if (!isAuthor(actor, post)) {
    if (!has(`${verb}_others`)) return false;
    if (status === 'private' && !has(`${verb}_private`)) return false;
  }
  return status === 'publish' || status === 'future' ? has(`${verb}_published`) : has(verb);
}

/** Which rows of a status the caller gets in lists. */
export type Reach = 'all' | 'own' | 'none';

/** Asks the rules above about two made-up posts: somebody else's, and one of the caller. */
export function reachOf(
  actor: Actor,
  type: PostTypeName,
  status: string,
  rule: typeof canReadPost,
  statusBeforeTrash = '',
): Reach {
  const post = { type, status, password: '', statusBeforeTrash };
  if (rule(actor, { ...post, author: -1 })) return 'all';
  return isLoggedIn(actor) && rule(actor, { ...post, author: actor.id }) ? 'own' : 'none';
}
