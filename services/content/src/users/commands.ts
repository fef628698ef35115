/**
 * What the command line does with users. It acts with every right, by the rules of the routes; printing is the
 * caller's business.
 */
import { readArgs } from '@sevenfold/chassis/http/read-args';
import type { Deps } from '../deps';
import { endAll, endOne, sessionNotFound } from '../sessions/sessions';
import * as sessions from '../sessions/store';
import * as actions from './actions';
import * as passwords from './application-passwords';
import { createArgs } from './schema';
import { grouped } from './secrets';
import * as store from './store';

type CommandDeps = Pick<Deps, 'db'>;

export interface CreateUserOptions {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  readonly roles?: readonly string[];
  readonly name?: string;
}

/** Throws the ApiError that the route would answer with. */
export async function createUser(
  deps: { readonly db: actions.Writable },
  options: CreateUserOptions,
): Promise<store.UserRow> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const { args } = readArgs(createArgs, given);
  return actions.createUser(deps, args as actions.CreateArgs);
}

export interface ListUsersOptions {
  readonly search?: string;
  readonly roles?: readonly string[];
  readonly page?: number;
  readonly perPage?: number;
}

/** Throws for a role that there is not: a slip of the pen must not read like «nobody has it». */
export async function listUsers(
  deps: CommandDeps,
  options: ListUsersOptions = {},
): Promise<{ rows: store.UserRow[]; total: number }> {
  const perPage = options.perPage ?? 100;
  return store.list(deps.db, {
    search: options.search,
    searchEmail: true,
    roles: options.roles && actions.checkRoles(options.roles),
    orderBy: 'id',
    order: 'asc',
    limit: perPage,
    offset: ((options.page ?? 1) - 1) * perPage,
  });
}

export interface OfUser {
  /** User name or e-mail address. */
  readonly username: string;
}

/** The secret, in groups of four, is told this once. */
export async function createApplicationPassword(
  deps: CommandDeps,
  options: OfUser & { readonly name: string },
): Promise<{ applicationPassword: passwords.ApplicationPassword; secret: string }> {
  const owner = await ownerOf(deps, options);
  const { password, secret } = await passwords.create(deps.db, owner.id, options.name);
  return { applicationPassword: password, secret: grouped(secret) };
}

export async function listApplicationPasswords(
  deps: CommandDeps,
  options: OfUser,
): Promise<passwords.ApplicationPassword[]> {
  return passwords.list(deps.db, (await ownerOf(deps, options)).id);
}

export async function revokeApplicationPassword(
  deps: CommandDeps,
  options: OfUser & { readonly id: string },
): Promise<void> {
  const owner = await ownerOf(deps, options);
  await deps.db.transaction((tx) => passwords.revoke(tx, owner.id, options.id));
}

export async function listSessions(deps: CommandDeps, options: OfUser): Promise<sessions.SessionRow[]> {
  return sessions.list(deps.db, (await ownerOf(deps, options)).id);
}

/** One of them, or all; answers how many have ended. */
export async function endSessions(
  deps: CommandDeps,
  options: OfUser & { readonly id?: string },
): Promise<number> {
  const { id: owner } = await ownerOf(deps, options);
  const { id } = options;
  if (id === undefined) return deps.db.transaction((tx) => endAll(tx, owner, 'user'));
  if (!(await deps.db.transaction((tx) => endOne(tx, owner, id)))) throw sessionNotFound();
  return 1;
}

async function ownerOf(deps: CommandDeps, { username }: OfUser): Promise<store.UserRow> {
  const user = await store.findByLogin(deps.db, username);
  if (!user) throw actions.userNotFound();
  return user;
}
