/** Sessions for the gateway, which makes access tokens of them (SessionService). */
import type { ApiError } from '@sevenfold/chassis/errors';
import type { RpcPermission } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import {
  type Grant,
  type Session,
  type SessionServiceServer,
  SessionServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import type { Deps } from '../deps';
import { apiError, deny } from '../errors';
import { canManageCredentials } from '../users/policy';
import { iso, ownerOf, toUser } from '../users/rpc';
import { type Granted, sessionNotFound } from './sessions';
import * as store from './store';

export const sessionService = (deps: Deps): RpcService =>
  rpcService<SessionServiceServer>(SessionServiceService, {
    findAccount: {
      callers: ['gateway'],
      permission: anyone,
      handle: async (named) => ({ userId: await accountOf(deps, named) }),
    },
    openSession: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ countedAs, ...logIn }, { signal }) => {
        if (countedAs !== undefined && countedAs !== (await accountOf(deps, logIn))) throw renamed();
        return toGrant(await deps.sessions.open(logIn, signal));
      },
    },
    refreshSession: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ refreshToken, ...asking }) =>
        toGrant(await deps.sessions.refresh(refreshToken, asking)),
    },
    authenticateSession: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ sessionId, userId, address }) => {
        const user = await deps.sessions.authenticate(sessionId, userId, address);
        return { ok: user !== undefined, user: user && toUser(user), credentialId: user ? sessionId : '' };
      },
    },
    listSessions: {
      callers: ['gateway'],
      permission: managesSessions,
      handle: async ({ userId }, { actor }) => ({
        sessions: (await store.list(deps.db, ownerOf(actor, userId))).map(toSession),
      }),
    },
    endSession: {
      callers: ['gateway'],
      permission: managesSessions,
      handle: async ({ userId, id }, { actor }) => {
        const ended = await deps.sessions.end(ownerOf(actor, userId), id);
        if (!ended) throw sessionNotFound();
        return toSession(ended);
      },
    },
    endSessions: {
      callers: ['gateway'],
      permission: managesSessions,
      handle: async ({ userId }, { actor }) => ({
        ended: await deps.sessions.endAll(ownerOf(actor, userId)),
      }),
    },
  });

/** 0 is nobody's. */
const accountOf = async ({ identity }: Deps, { username }: { readonly username: string }): Promise<number> =>
  (await identity.findAccount(username)) ?? 0;

const renamed = (): ApiError => apiError('conflict', 409, 'The name is that of another account than it was.');

const managesSessions: RpcPermission<{ readonly userId: number }> = ({ actor, request }) =>
  canManageCredentials(actor, ownerOf(actor, request.userId))
    ? undefined
    : deny('rest_cannot_manage_sessions', 'Sessions belong to their user and to those who may edit users.');

const toGrant = (granted: Granted | undefined): Grant =>
  granted
    ? {
        ok: true,
        user: toUser(granted.user),
        sessionId: granted.id,
        refreshToken: granted.refreshToken,
        refreshSeconds: granted.refreshSeconds,
      }
    : { ok: false, user: undefined, sessionId: '', refreshToken: '', refreshSeconds: 0 };

const toSession = (row: store.SessionRow): Session => ({
  id: row.id,
  name: row.name,
  userAgent: row.userAgent,
  network: row.network,
  createdAt: iso(row.createdAt),
  lastUsedAt: iso(row.lastUsedAt),
  endsAt: iso(row.endsAt),
  byApplicationPassword: row.byApplicationPassword,
});
