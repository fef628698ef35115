/**
 * Who may read, edit and delete posts, pages and attachments: pure functions of the actor and the row. Lists ask the
 * same rules as a condition for SQL, so that totals count exactly what the caller may see.
 */
import { type Access, admits, everybody } from '@sevenfold/chassis/access';
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, deny } from '@sevenfold/chassis/http/route';
import { isPublic, isUnfinished } from './statuses';
import { type PostType, type PostTypeName, postTypes } from './types';

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
  can(actor, capabilityOf(type, right));

const capabilityOf = (type: PostTypeName, right: string): string => `${right}_${postTypes[type].plural}`;

const isAuthor = (actor: Actor, post: PostSubject): boolean => isLoggedIn(actor) && post.author === actor.id;

/**
 * Who may read it, as data: other services judge by it what they show of a picture. The password does not matter here:
 * it hides the text (presenter), not the post.
 */
export function readersOf(post: PostSubject): Access {
  if (post.status === 'inherit') return post.parentPost ? readersOf(post.parentPost) : everybody;
  if (isPublic(post.status)) return everybody;
  const rights = post.status === 'private' ? ['read_private'] : rightsToChange(post, 'edit', false);
  const readers = [{ user: 0, capabilities: rights.map((right) => capabilityOf(post.type, right)) }];
  if (post.author > 0) readers.push({ user: post.author, capabilities: [] });
  return { public: false, readers };
}

export const canReadPost = (actor: Actor, post: PostSubject): boolean => admits(readersOf(post), actor);

export const canEditPost = (actor: Actor, post: PostSubject): boolean => canChange(actor, post, 'edit');
export const canDeletePost = (actor: Actor, post: PostSubject): boolean => canChange(actor, post, 'delete');

type Verb = 'edit' | 'delete';

const canChange = (actor: Actor, post: PostSubject, verb: Verb): boolean =>
  rightsToChange(post, verb, isAuthor(actor, post)).every((right) => may(actor, post.type, right));

function rightsToChange(post: PostSubject, verb: Verb, isOwn: boolean): string[] {
  const status = post.status === 'trash' ? (post.statusBeforeTrash ?? '') : post.status;
  const rights = [status === 'publish' || status === 'future' ? `${verb}_published` : verb];
  if (isOwn) return rights;
  if (status === 'private') rights.push(`${verb}_private`);
  return [...rights, `${verb}_others`];
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

/** What a write asks for beyond changing texts. */
export interface WantedChanges {
  readonly author?: number;
  readonly status?: string;
  readonly sticky?: boolean;
}

export function refuseCreate(actor: Actor, type: PostType, input: WantedChanges): Denial | undefined {
  const what = type.plural;
  if (!may(actor, type.name, 'edit'))
    return deny('rest_cannot_create', `You are not allowed to create ${what}.`);
  return refuseChanges(actor, type, input, undefined);
}

export function refuseUpdate(
  actor: Actor,
  type: PostType,
  current: PostSubject,
  input: WantedChanges,
): Denial | undefined {
  if (!canEditPost(actor, current))
    return deny('rest_cannot_edit', `You are not allowed to edit this ${type.name}.`);
  return refuseChanges(actor, type, input, current);
}

export const refuseDelete = (actor: Actor, post: PostSubject): Denial | undefined =>
  canDeletePost(actor, post)
    ? undefined
    : deny('rest_cannot_delete', `You are not allowed to delete this ${post.type}.`);

function refuseChanges(
  actor: Actor,
  type: PostType,
  input: WantedChanges,
  current: PostSubject | undefined,
): Denial | undefined {
  const author = current?.author ?? actor.id;
  if (input.author !== undefined && input.author !== author && !may(actor, type.name, 'edit_others'))
    return deny('rest_cannot_edit_others', `You are not allowed to give ${type.plural} to another author.`);
  if (type.blog && input.sticky && !may(actor, type.name, 'edit_others') && !may(actor, type.name, 'publish'))
    return deny('rest_cannot_assign_sticky', 'You are not allowed to pin posts.');
  const status = input.status;
  if (
    status !== undefined &&
    status !== current?.status &&
    !isUnfinished(status) &&
    !may(actor, type.name, 'publish')
  )
    return deny('rest_cannot_publish', `You are not allowed to give ${type.plural} the status ${status}.`);
  return undefined;
}
