/** The identity of users for the gateway, the console and other services (IdentityService). */
import { toMessage } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import type { RpcPermission } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { untilAny } from '@sevenfold/chassis/joined-signals';
import {
  type ApplicationPassword,
  IdentityServiceService,
  type IdentityServiceServer,
  type User,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { versionLimit, versionsOf } from '../common/versions';
import type { Deps } from '../deps';
import { userNotFound } from './actions';
import * as passwords from './application-passwords';
import { brief } from '../common/description';
import { AUTHORS } from './embed';
import { canManageCredentials, editorsOf } from './policy';
import { userLink } from './presenter';
import { capabilitiesOf } from './roles';
import { grouped } from './secrets';
import * as store from './store';
import { apiError, deny } from '../errors';

const MOST_IDS = 1_000;

export const identityService = (deps: Deps): RpcService =>
  rpcService<IdentityServiceServer>(IdentityServiceService, {
    authenticate: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ username, applicationPassword, address }, { signal }) => {
        const verified = await deps.identity.authenticate(username, applicationPassword, address, signal);
        return verified
          ? { ok: true, user: toUser(verified.user), credentialId: verified.credentialId }
          : { ok: false, user: undefined, credentialId: '' };
      },
    },
    streamIdentityNews: {
      callers: ['gateway'],
      permission: anyone,
      handle: (_, { signal, stopping }) => untilAny([signal, stopping], (over) => deps.identity.news(over)),
    },
    getUsers: {
      callers: ['calendar', 'cli', 'gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, { show }) => {
        show([...ids.map((id) => `user:${id}`), AUTHORS]);
        if (ids.length > MOST_IDS)
          throw apiError('rest_invalid_param', 400, `At most ${MOST_IDS} users can be asked for at once.`);
        const users = await store.findMany(deps.db, ids);
        return { users: users.map((row) => toPublicUser(deps.siteUrl, row)) };
      },
    },
    listUserVersions: {
      callers: ['cli', 'seo'],
      permission: anyone,
      handle: async ({ afterId, limit }) =>
        versionsOf(await store.listVersions(deps.db, afterId, versionLimit(limit))),
    },
    createApplicationPassword: {
      callers: ['gateway'],
      permission: managesCredentials,
      handle: async ({ userId, name }, { actor }) => {
        const owner = ownerOf(actor, userId);
        const { password, secret } = await passwords.create(deps.db, owner, name, actor.username);
        return { applicationPassword: toApplicationPassword(password), secret: grouped(secret) };
      },
    },
    listApplicationPasswords: {
      callers: ['gateway'],
      permission: managesCredentials,
      handle: async ({ userId }, { actor }) => {
        const owner = ownerOf(actor, userId);
        if (!(await store.findById(deps.db, owner))) throw userNotFound();
        return { applicationPasswords: (await passwords.list(deps.db, owner)).map(toApplicationPassword) };
      },
    },
    revokeApplicationPassword: {
      callers: ['gateway'],
      permission: managesCredentials,
      handle: async ({ userId, id }, { actor }) => {
        const owner = ownerOf(actor, userId);
        await deps.db.transaction((tx) => passwords.revoke(tx, owner, id));
        deps.identity.forget(owner);
        return {};
      },
    },
  });

/** 0 is the actor. */
export const ownerOf = (actor: Actor, userId: number): number => (userId === 0 ? actor.id : userId);

const managesCredentials: RpcPermission<{ readonly userId: number }> = ({ actor, request }) =>
  canManageCredentials(actor, ownerOf(actor, request.userId))
    ? undefined
    : deny(
        'rest_cannot_manage_application_passwords',
        'Application passwords belong to their user and to those who may edit users.',
      );

export const toUser = (row: store.UserRow): User => ({
  id: row.id,
  username: row.username,
  name: row.name,
  email: row.email,
  url: row.url,
  slug: row.slug,
  roles: [...row.roles],
  capabilities: [...capabilitiesOf(row.roles)],
  description: '',
  link: '',
  published: row.published,
  version: '',
});

/** What everybody may know. Names to log in with, mail addresses and rights are not among it. */
const toPublicUser = (siteUrl: string, row: store.UserRow & { readonly version: string }): User => ({
  ...toUser(row),
  username: '',
  email: '',
  roles: [],
  capabilities: [],
  description: brief(row.description),
  link: userLink(siteUrl, row),
  version: row.version,
  editors: toMessage(editorsOf(row)),
});

const toApplicationPassword = (row: passwords.ApplicationPassword): ApplicationPassword => ({
  id: row.id,
  name: row.name,
  createdAt: iso(row.createdAt),
  lastUsedAt: row.lastUsedAt === null ? '' : iso(row.lastUsedAt),
  lastAddress: row.lastAddress,
});

export const iso = (timestamp: string): string => `${timestamp.slice(0, 10)}T${timestamp.slice(11, 19)}Z`;
