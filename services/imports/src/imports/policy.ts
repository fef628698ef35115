/** Who may manage imports. Senders need no right: the hash they were given speaks for them. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';

const MANAGE = 'manage_imports';

export const mayManage = (actor: Actor): boolean => can(actor, MANAGE);

export const refuseManaging = refuseWithout(MANAGE, 'Sorry, you are not allowed to manage imports.');
