/**
 * Who may read, edit and delete posts, pages and attachments: the rights of published things, by the capabilities of the
 * type, and what a write asks for beyond.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Access, admits, everybody } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { type Denial } from '@sevenfold/chassis/http/route';
import * as rights from '@sevenfold/publishing/rights';
import { needsPublishRight } from '@sevenfold/publishing/statuses';
import { type PostType, type PostTypeName, postTypes } from './types';
import { deny } from '../errors';

/** What the rules look at; any row of `posts` has it. */
export interface PostSubject extends rights.Owned {
  readonly type: PostTypeName;
  readonly password: string;
  /** Of an attachment that belongs to something: it is as visible as that is. */
  readonly parentPost?: PostSubject;
}

/** Has a capability of the type: `may(actor, 'page', 'publish')` asks for `publish_pages`. */
export const may = (actor: Actor, type: PostTypeName, right: rights.Right): boolean =>
  rights.may(actor, postTypes[type].plural, right);

/**
 * Who may read it, as data: other services judge by it what they show of a picture. The password does not matter here:
 * it hides the text (presenter), not the post. What is attached is as visible as what it hangs on.
 */
export function readersOf(post: PostSubject): Access {
  if (post.type === 'attachment' && post.status === 'inherit')
    return post.parentPost ? readersOf(post.parentPost) : everybody;
  return rights.readersOf(postTypes[post.type].plural, post);
}

export const canReadPost = (actor: Actor, post: PostSubject): boolean => admits(readersOf(post), actor);
export const canEditPost = (actor: Actor, post: PostSubject): boolean =>
  rights.canEdit(actor, postTypes[post.type].plural, post);
/** As data: other services judge by it who may change what they keep of it. */
export const editorsOf = (post: PostSubject): Access => rights.editorsOf(postTypes[post.type].plural, post);
export const canDeletePost = (actor: Actor, post: PostSubject): boolean =>
  rights.canDelete(actor, postTypes[post.type].plural, post);

/** Whether the password that was sent opens the post. Compared in constant time. */
export function opens(post: { password: string }, given: unknown): boolean {
  if (typeof given !== 'string' || given === '' || post.password === '') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(post.password)];
  return a.length === b.length && timingSafeEqual(a, b);
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
    needsPublishRight(status) &&
    !may(actor, type.name, 'publish')
  )
    return deny('rest_cannot_publish', `You are not allowed to give ${type.plural} the status ${status}.`);
  return undefined;
}
