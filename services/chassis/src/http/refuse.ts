/** The commonest permissions: what one capability is enough for, or being logged in. */
import { type Actor, can, isLoggedIn } from '../actor';
import { deny } from '../errors';
import type { Denial } from './route';

/** `message` is for whoever is known and may not; strangers may be told something else, such as to log in. */
export const refuseWithout =
  (capability: string, message: string, toStrangers = message) =>
  ({ actor }: { readonly actor: Actor }): Denial | undefined =>
    can(actor, capability) ? undefined : deny('rest_forbidden', isLoggedIn(actor) ? message : toStrangers);

/** For what is the caller's own. */
export const refuseStrangers =
  (message: string) =>
  ({ actor }: { readonly actor: Actor }): Denial | undefined =>
    isLoggedIn(actor) ? undefined : deny('rest_forbidden', message);
