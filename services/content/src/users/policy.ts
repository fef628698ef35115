/**
 * Who may see and change users. Readers of the site see who has published something; all users see and edit
 * themselves; the rest takes the rights of administrators.
 */
import type { Access } from '@sevenfold/chassis/access';
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { type Denial, type Subject } from '@sevenfold/chassis/http/route';
import { deny } from '../errors';

type Asked = Pick<Subject<unknown, unknown>, 'actor' | 'args' | 'sent'>;
interface Person {
  readonly id: number;
  /** Whether something of this user is published. */
  readonly published: boolean;
}

export const canViewUser = (actor: Actor, user: Person): boolean =>
  user.published || user.id === actor.id || can(actor, 'list_users') || can(actor, 'edit_users');

const canEdit = (actor: Actor, user: Person): boolean => user.id === actor.id || can(actor, 'edit_users');

/** As data: other services judge by it who may change what they keep of a user. */
export const editorsOf = ({ id }: Pick<Person, 'id'>): Access => ({
  public: false,
  readers: [
    { user: id, capabilities: [] },
    { user: 0, capabilities: ['edit_users'] },
  ],
});

const ORDERS_OF_LISTERS: readonly unknown[] = ['email', 'registered_date'];

export function refuseListUsers({ actor, args }: Asked): Denial | undefined {
  if (!can(actor, 'list_users')) {
    if (Array.isArray(args.roles) && args.roles.length > 0)
      return deny('rest_user_cannot_view', 'Filtering users by role takes the right to list users.');
    if (args.context === 'edit')
      return deny(
        'rest_forbidden_context',
        'Listing users in the edit context takes the right to list users.',
      );
    if (ORDERS_OF_LISTERS.includes(args.orderby))
      return deny(
        'rest_forbidden_orderby',
        `Ordering users by ${args.orderby as string} takes the right to list users.`,
      );
  }
  if (args.who === 'authors' && !can(actor, 'edit_posts'))
    return deny('rest_forbidden_who', 'Asking for authors takes the right to edit posts.');
  return undefined;
}

export function refuseViewUser({
  actor,
  args,
  subject,
}: Asked & { subject: Person | undefined }): Denial | undefined {
  if (!subject) return undefined;
  if (args.context === 'edit' && !canEdit(actor, subject))
    return deny(
      'rest_forbidden_context',
      'Reading another user in the edit context takes the right to edit users.',
    );
  return canViewUser(actor, subject) ? undefined : cannotView();
}

export const cannotView = (): Denial =>
  deny(
    'rest_user_cannot_view',
    'This user has published nothing; seeing such a user takes the right to list users.',
  );

export function refuseCreateUser({ actor, sent }: Asked): Denial | undefined {
  if (!can(actor, 'create_users'))
    return deny('rest_cannot_create_user', 'Creating users takes the right to do so.');
  return sent.has('roles') ? refuseRoles(actor) : undefined;
}

export function refuseUpdateUser({
  actor,
  sent,
  subject,
}: Asked & { subject: Person | undefined }): Denial | undefined {
  if (subject ? !canEdit(actor, subject) : !can(actor, 'edit_users'))
    return deny('rest_cannot_edit', 'Editing another user takes the right to edit users.');
  return sent.has('roles') ? refuseRoles(actor) : undefined;
}

const refuseRoles = (actor: Actor): Denial | undefined =>
  can(actor, 'promote_users')
    ? undefined
    : deny('rest_cannot_edit_roles', 'Giving roles takes the right to promote users.');

export const refuseDeleteUser = ({ actor }: Asked): Denial | undefined =>
  can(actor, 'delete_users')
    ? undefined
    : deny('rest_user_cannot_delete', 'Deleting a user takes the right to delete users.');

// ---- /users/me: without a log-in there is nobody to speak of -----------------------------------------------------

const nobody = (): Denial =>
  deny('rest_user_invalid_id', 'Nobody is logged in, so there is no such user.', 404);

export const refuseUpdateMe = ({ actor, sent }: Asked): Denial | undefined =>
  !isLoggedIn(actor) ? nobody() : sent.has('roles') ? refuseRoles(actor) : undefined;

export const refuseDeleteMe = (asked: Asked): Denial | undefined =>
  isLoggedIn(asked.actor) ? refuseDeleteUser(asked) : nobody();

// ---- application passwords ---------------------------------------------------------------------------------------

export const canManageCredentials = (actor: Actor, userId: number): boolean =>
  isLoggedIn(actor) && (actor.id === userId || can(actor, 'edit_users'));
