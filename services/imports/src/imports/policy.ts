/** Who may manage imports. Senders need no right: the hash they were given speaks for them. */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { errors } from '../errors';

export const mayManage = (actor: Actor): boolean => can(actor, 'manage_imports');

export function requireManager(actor: Actor): void {
  if (!mayManage(actor)) throw errors.forbidden(isLoggedIn(actor) ? 403 : 401);
}
