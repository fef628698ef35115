/** Who may manage imports. Senders need no right: the hash they were given speaks for them. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { type Denial } from '@sevenfold/chassis/http/route';
import { deny } from '../errors';

export const mayManage = (actor: Actor): boolean => can(actor, 'manage_imports');

export const refuseManaging = ({ actor }: { readonly actor: Actor }): Denial | undefined =>
  mayManage(actor) ? undefined : deny('rest_forbidden', 'Sorry, you are not allowed to manage imports.');
