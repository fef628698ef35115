/**
 * Writes of users. The routes, the command line and the set-up of a site share them, so that a user is made by the same
 * rules whoever asks.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { type ApiError, isPostgresError } from '@sevenfold/chassis/errors';
import { openFaults } from '@sevenfold/chassis/faults';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { nextFreeSlug, slugify } from '@sevenfold/text/slug';
import { cleanText } from '@sevenfold/text/text';
import { cleanUrl } from '../common/clean-url';
import type { Deps } from '../deps';
import { endAll } from '../sessions/sessions';
import { announceChange, announceRemoval } from './announce';
import { depart } from './departures';
import { describe } from '../common/description';
import { capabilitiesOf, isRole, roles } from './roles';
import type { createArgs, meUpdateArgs } from './schema';
import { hashSecret } from './secrets';
import * as store from './store';
import { type CodedFault, apiError, argumentError, faulty } from '../errors';

/** A database, or a transaction in the part of one. */
export type Writable = Db & Pick<Database, 'transaction'>;
export type WriteDeps = { readonly db: Writable } & Pick<Deps, 'identity'>;
export type CreateArgs = ArgsOf<typeof createArgs>;
export type UpdateArgs = ArgsOf<typeof meUpdateArgs>;

export const userNotFound = (): ApiError => apiError('rest_user_invalid_id', 404, 'There is no such user.');

/** `by` is the log-in name of whoever asks, empty where that is the site itself. */
export async function createUser(
  deps: { readonly db: Writable },
  args: CreateArgs,
  by = '',
): Promise<store.UserRow> {
  if (args.id !== undefined && args.id !== null && args.id !== '')
    throw argumentError(
      'id',
      'rest_user_exists',
      400,
      'A new user gets its id from the service: leave id out.',
    );
  const { username, email } = args;
  const { collect, refuse } = openFaults();
  const givenRoles = await collect(() => checkRoles(args.roles ?? ['subscriber']));
  await collect(() => refuseTaken(deps.db, { username, email }));
  refuse();
  const firstName = cleanText(args.first_name ?? '');
  const lastName = cleanText(args.last_name ?? '');
  const user: store.NewUser = {
    username,
    email,
    slug: slugify(args.slug ?? '') || slugify(username) || 'user',
    name: cleanText(args.name ?? '') || cleanText(`${firstName} ${lastName}`) || username,
    firstName,
    lastName,
    nickname: cleanText(args.nickname ?? '') || username,
    url: cleanUrl(args.url ?? ''),
    description: describe(args.description ?? ''),
    locale: args.locale ?? '',
    roles: givenRoles as string[],
    passwordHash: await hashSecret(args.password, by),
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.db.transaction((tx) => insertUser(tx, user));
    } catch (error) {
      const constraint = isPostgresError(error) ? error.constraint : undefined;
      if (constraint === 'users_username_key' || constraint === 'users_email_key')
        throw duplicate(await store.findTaken(deps.db, { username, email }));
      // One with another name took the numbered slug, without asking for our lock: look again.
      if (constraint !== 'users_slug_key') throw error;
      if (attempt === MOST_TRIES) throw slugTaken();
    }
  }
}

const MOST_TRIES = 5;

const slugTaken = (): ApiError =>
  apiError('conflict', 409, 'Others took this slug at the same time. Try again.');

async function refuseTaken(
  db: Db,
  { username, email }: Pick<store.NewUser, 'username' | 'email'>,
): Promise<void> {
  const taken = await store.findTaken(db, { username, email });
  if (taken.username || taken.email) throw duplicate(taken);
}

async function insertUser(tx: Db, user: store.NewUser): Promise<store.UserRow> {
  await store.lockLogIns(tx, [user.username, user.email]);
  await refuseTaken(tx, user);
  await store.lockSlug(tx, user.slug);
  const slug = nextFreeSlug(user.slug, await store.slugsLike(tx, user.slug));
  const row = await store.insert(tx, { ...user, slug });
  await announceChange(tx, row.id);
  return row;
}

/** Changes what was sent and nothing else. */
export async function updateUser(
  deps: WriteDeps,
  actor: Actor,
  user: store.UserRow,
  args: UpdateArgs,
): Promise<store.UserRow> {
  const changes = await changesOf(actor, user, args);
  // What is there already was allowed once: clients send back what they were given.
  const email = changes.email === user.email ? undefined : changes.email;
  const taken = await store.findTaken(deps.db, { email, slug: changes.slug, except: user.id });
  const otherName = Boolean(args.username) && args.username !== user.username;
  if (taken.email || taken.slug || otherName) throw refusedUpdate({ ...taken, username: otherName });
  if (Object.keys(changes).length === 0) return user;
  try {
    const updated = await deps.db.transaction(async (tx) => {
      if (email !== undefined) {
        await store.lockLogIns(tx, [email]);
        if ((await store.findTaken(tx, { email, except: user.id })).email) throw emailTaken();
      }
      // By what the user is by now, which was another thing when the request came.
      if (changes.roles && !changes.roles.includes('administrator'))
        await keepAnAdministrator(tx, [user.id], user.id);
      const row = await store.update(tx, user.id, changes);
      if (!row) throw userNotFound();
      // Whoever had the password before is out.
      if (changes.passwordHash !== undefined) await endAll(tx, user.id, 'password');
      await announceChange(tx, user.id);
      return row;
    });
    deps.identity.forget(user.id);
    return updated;
  } catch (error) {
    const constraint = isPostgresError(error) ? error.constraint : undefined;
    if (constraint === 'users_email_key') throw emailTaken();
    if (constraint === 'users_slug_key') throw refusedUpdate({ email: false, slug: true, username: false });
    throw error;
  }
}

async function changesOf(actor: Actor, user: store.UserRow, args: UpdateArgs): Promise<store.UserChanges> {
  const changes: { -readonly [K in keyof store.UserChanges]: store.UserChanges[K] } = {};
  if (args.name !== undefined) changes.name = cleanText(args.name) || user.username;
  if (args.first_name !== undefined) changes.firstName = cleanText(args.first_name);
  if (args.last_name !== undefined) changes.lastName = cleanText(args.last_name);
  if (args.email !== undefined) changes.email = args.email;
  if (args.url !== undefined) changes.url = cleanUrl(args.url);
  if (args.description !== undefined) changes.description = describe(args.description);
  if (args.locale !== undefined) changes.locale = args.locale;
  if (args.nickname !== undefined) changes.nickname = cleanText(args.nickname) || user.username;
  if (args.slug !== undefined) changes.slug = slugify(args.slug) || user.slug;
  if (args.roles !== undefined) {
    changes.roles = checkRoles(args.roles);
    // Administrators cannot lock themselves out by mistake; another one can take the role away.
    if (actor.id === user.id && !capabilitiesOf(changes.roles).has('edit_users'))
      throw apiError('rest_user_invalid_role', 403, 'You cannot take your own administrator role away.');
  }
  if (args.password !== undefined) changes.passwordHash = await hashSecret(args.password, actor.username);
  return changes;
}

/** `reassign` undefined: the posts go to the trash, with the author they had. Many do so when the user is gone already. */
export async function deleteUser(
  deps: WriteDeps & Pick<Deps, 'settings'>,
  actor: Actor,
  user: store.UserRow,
  reassign: number | undefined,
): Promise<void> {
  if (reassign === user.id) throw invalidReassign('The posts of a user cannot go to the same user.');
  const { timezone } = await deps.settings.get();
  await deps.db.transaction(async (tx) => {
    const ids = reassign === undefined ? [user.id] : [user.id, reassign];
    const present = await keepAnAdministrator(tx, ids, user.id);
    if (!present.has(user.id)) throw userNotFound();
    if (reassign !== undefined && !present.has(reassign))
      throw invalidReassign('There is no user with the id given in reassign.');
    await store.remove(tx, user.id);
    await depart(tx, { author: user.id, heir: reassign ?? null, editor: actor.id }, timezone);
    await announceRemoval(tx, user.id, reassign ?? 0);
  });
  deps.identity.forget(user.id);
}

/** Locks the users named and all administrators; 409 when without the one there would be none. */
async function keepAnAdministrator(tx: Db, ids: readonly number[], without: number): Promise<Set<number>> {
  const locked = await store.lockWithAdministrators(tx, ids);
  const administrators = locked.filter((row) => row.roles.includes('administrator'));
  if (administrators.length === 1 && administrators[0]?.id === without)
    throw apiError(
      'rest_user_last_administrator',
      409,
      'This is the only administrator. Make another one first.',
    );
  return new Set(locked.map((row) => row.id));
}

/** Each of them once. Throws for a name that no role has. */
export function checkRoles(names: readonly string[]): string[] {
  const unknown = names.filter((name) => !isRole(name));
  if (unknown.length > 0) {
    const message = `There is no role ${unknown.join(', ')}. Roles are ${Object.keys(roles).join(', ')}.`;
    throw argumentError('roles', 'rest_user_invalid_role', 400, message);
  }
  return [...new Set(names)];
}

function duplicate(taken: Pick<store.Taken, 'username' | 'email'>): ApiError {
  const faults: CodedFault[] = [];
  if (taken.username)
    faults.push({
      param: 'username',
      code: 'existing_user_login',
      message: 'Another user logs in with this name.',
    });
  if (taken.email || faults.length === 0)
    faults.push({
      param: 'email',
      code: 'existing_user_email',
      message: 'Another user logs in with this e-mail address.',
    });
  return faulty(409, faults);
}

function refusedUpdate(wrong: store.Taken): ApiError {
  const faults: CodedFault[] = [];
  if (wrong.email)
    faults.push({
      param: 'email',
      code: 'rest_user_invalid_email',
      message: 'Another user logs in with this e-mail address.',
    });
  if (wrong.username)
    faults.push({
      param: 'username',
      code: 'rest_user_invalid_argument',
      message: 'A user name never changes.',
    });
  if (wrong.slug)
    faults.push({ param: 'slug', code: 'rest_user_invalid_slug', message: 'Another user has this slug.' });
  return faulty(400, faults);
}

const emailTaken = (): ApiError => refusedUpdate({ email: true, slug: false, username: false });

const invalidReassign = (message: string): ApiError =>
  argumentError('reassign', 'rest_user_invalid_reassign', 400, message);
