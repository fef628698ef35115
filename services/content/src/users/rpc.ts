/** The identity of users for the gateway, the console and other services (IdentityService). */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { ApiError } from '@sevenfold/chassis/errors';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/serve';
import {
  type ApplicationPassword,
  IdentityServiceService,
  type IdentityServiceServer,
  type User,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { Deps } from '../deps';
import { userNotFound } from './actions';
import * as passwords from './application-passwords';
import { canManageCredentials } from './policy';
import { capabilitiesOf } from './roles';
import { grouped } from './secrets';
import * as store from './store';

const MOST_IDS = 1_000;

export const identityService = (deps: Deps): RpcService =>
  rpcService<IdentityServiceServer>(IdentityServiceService, {
    authenticate: async ({ username, applicationPassword, address }) => {
      const verified = await deps.identity.authenticate(username, applicationPassword, address);
      return verified
        ? { ok: true, user: toUser(verified.user), credentialId: verified.credentialId }
        : { ok: false, user: undefined, credentialId: '' };
    },
    streamIdentityNews: async function* (_, { signal, stopping }) {
      for await (const userId of deps.identity.news(AbortSignal.any([signal, stopping]))) yield { userId };
    },
    checkPassword: async ({ username, password }) => {
      const user = await deps.identity.checkPassword(username, password);
      return { ok: user !== undefined, user: user && toUser(user) };
    },
    getUsers: async ({ ids }) => {
      if (ids.length > MOST_IDS)
        throw new ApiError('rest_invalid_param', 400, `At most ${MOST_IDS} users can be asked for at once.`);
      return { users: (await store.findMany(deps.db, ids)).map(toUser) };
    },
    createApplicationPassword: async ({ userId, name }, { actor }) => {
      const owner = ownerOf(actor, userId);
      const { password, secret } = await passwords.create(deps.db, owner, name);
      return { applicationPassword: toApplicationPassword(password), secret: grouped(secret) };
    },
    listApplicationPasswords: async ({ userId }, { actor }) => {
      const owner = ownerOf(actor, userId);
      if (!(await store.findById(deps.db, owner))) throw userNotFound();
      return { applicationPasswords: (await passwords.list(deps.db, owner)).map(toApplicationPassword) };
    },
    revokeApplicationPassword: async ({ userId, id }, { actor }) => {
      const owner = ownerOf(actor, userId);
      await deps.db.transaction((tx) => passwords.revoke(tx, owner, id));
      deps.identity.forget(owner);
      return {};
    },
  });

/** Whose passwords are meant, once it is sure that the actor may touch them. */
function ownerOf(actor: Actor, userId: number): number {
  const owner = userId === 0 ? actor.id : userId;
  if (!canManageCredentials(actor, owner))
    throw new ApiError(
      'rest_cannot_manage_application_passwords',
      isLoggedIn(actor) ? 403 : 401,
      'Application passwords belong to their user and to those who may edit users.',
    );
  return owner;
}

const toUser = (row: store.UserRow): User => ({
  id: row.id,
  username: row.username,
  name: row.name,
  email: row.email,
  url: row.url,
  slug: row.slug,
  roles: [...row.roles],
  capabilities: [...capabilitiesOf(row.roles)],
});

const toApplicationPassword = (row: passwords.ApplicationPassword): ApplicationPassword => ({
  id: row.id,
  name: row.name,
  createdAt: iso(row.createdAt),
  lastUsedAt: row.lastUsedAt === null ? '' : iso(row.lastUsedAt),
  lastAddress: row.lastAddress,
});

const iso = (timestamp: string): string => `${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}Z`;
