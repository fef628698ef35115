/** Revisions follow their post: who may edit it reads them, who may delete it deletes them. */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Denial } from '@sevenfold/chassis/http/route';
import { type PostSubject, canDeletePost, canEditPost } from '../posts/policy';
import { deny } from '../errors';

export const refuseRead = (actor: Actor, parent: PostSubject | undefined): Denial | undefined =>
  parent && canEditPost(actor, parent)
    ? undefined
    : deny('rest_cannot_read', 'You are not allowed to read the revisions of this post.');

export const refuseDelete = (actor: Actor, parent: PostSubject | undefined): Denial | undefined =>
  parent && canDeletePost(actor, parent)
    ? undefined
    : deny('rest_cannot_delete', 'You are not allowed to delete the revisions of this post.');
