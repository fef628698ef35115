/** Who may manage imports. Senders need no right: the hash they were given speaks for them. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { deny } from '@sevenfold/chassis/errors';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import type { Denial } from '@sevenfold/chassis/http/route';

const MANAGE = 'manage_imports';

/** What is told to whoever brings another hash than the one that was given last, or the hash of another import. */
export const refuseSender = (actor: Actor): Denial | undefined =>
  mayManage(actor)
    ? undefined
    : deny(
        'rest_forbidden',
        'Only those who may manage imports are told of this one, and its sender with the last hash that it was given.',
      );

export const mayManage = (actor: Actor): boolean => can(actor, MANAGE);

export const refuseManaging = refuseWithout(MANAGE, 'Sorry, you are not allowed to manage imports.');
