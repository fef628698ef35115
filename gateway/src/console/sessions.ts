/**
 * Sessions: a log-in with a password gets an access token for some minutes and a refresh token for the next one. Tokens are
 * only ever in bodies, never in cookies or addresses, so no page of another site can use what a browser remembers.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { ApiError, invalidParams } from '@sevenfold/chassis/errors';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { refuseStrangers } from '@sevenfold/chassis/http/refuse';
import {
  type Call,
  type Reply,
  type RequestInfo,
  type Resource,
  anyone,
  reply,
  route,
} from '@sevenfold/chassis/http/route';
import type { Grant, Session } from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import { decodeJwt } from 'jose';
import { errors } from '../edge/errors';
import { bearerOf } from '../identity/bearer';
import type { ConsoleDeps } from './deps';
import { endedSession, endedSessions, grant, sessionList } from './session-shapes';

type ConsoleCall<A> = Call<ConsoleDeps, A, undefined>;

// Checks of passwords wait for their turn.
const LOG_IN_MS = 10_000;
const DEADLINE_MS = 5_000;

const LONGEST_SECRET = 4_096;
const PRIVATE = { 'Cache-Control': 'no-store' };

const logInArgs = {
  username: {
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: 320,
    description: 'User name, or e-mail address.',
  },
  password: {
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: LONGEST_SECRET,
    description: "The user's password, or one of the user's application passwords.",
  },
  name: {
    type: 'string',
    default: '',
    maxLength: 100,
    description: 'What the client calls itself, for the list of sessions.',
  },
} as const satisfies ArgTable;

const refreshArgs = {
  refresh_token: {
    type: 'string',
    required: true,
    minLength: 1,
    maxLength: 200,
    description: 'The last one that was given.',
  },
} as const satisfies ArgTable;

const id = {
  id: { type: 'string', required: true, description: 'Name of the session.' },
} as const satisfies ArgTable;

const COLLECTION = '/sessions';
const ITEM = '/sessions/(?P<id>[0-9a-f-]{36})';

const permission = refuseStrangers('Log in to see your sessions.');

/** Addresses are written down by whatever they pass: a secret in one is no secret. */
function refuseInAddress({ query }: RequestInfo, args: ArgTable): void {
  const named = Object.keys(parseQuery(query)).filter((name) => name in args);
  if (named.length > 0)
    throw invalidParams(
      named.map((param) => ({
        param,
        code: 'rest_invalid_param',
        message: `${param} must be sent in the body, as JSON.`,
      })),
    );
}

const asked = (actor: Actor): CallOptions => ({ actor, deadlineMs: DEADLINE_MS });

export const sessions: Resource<ConsoleDeps> = {
  name: 'sessions',
  description: 'Log-ins that give access tokens, and what renews and ends them.',
  routes: [
    route({
      methods: ['POST'],
      path: COLLECTION,
      summary:
        'Log in with a password or an application password: an access token for the interface, and a refresh token for the next one',
      description:
        'The access token opens the whole interface for some minutes, as `Authorization: Bearer …`; the refresh token is exchanged for the next ones. What is wrong too often, from an address or for an account, is refused for a while.',
      answers: { body: grant, refuses: [501] },
      args: logInArgs,
      permission: anyone,
      check: ({ request }) => refuseInAddress(request, logInArgs),
      handle: async ({ deps, args, request }: ConsoleCall<LogIn>) => {
        if (!deps.tokens.isOn) throw errors.noTokens();
        return answer(deps, await logIn(deps, args, request));
      },
    }),
    route({
      methods: ['POST'],
      path: `${COLLECTION}/refresh`,
      summary:
        'Exchange the refresh token for a new one and an access token; one that was exchanged before ends the session',
      description:
        'Each refresh token is good once. For ten seconds the one before gets the same answer again, since answers get lost; later it ends the session, because somebody else may hold the other one.',
      answers: { body: grant, refuses: [501] },
      args: refreshArgs,
      permission: anyone,
      check: ({ request }) => refuseInAddress(request, refreshArgs),
      handle: async ({ deps, args, request }: ConsoleCall<{ refresh_token: string }>) => {
        if (!deps.tokens.isOn) throw errors.noTokens();
        const { userAgent, address } = request;
        const signal = request.signal();
        // Nobody guesses 256 bits: what is limited are the requests of an address, and nobody who is right pays for his neighbours.
        const grant = await deps.sessions.refreshSession(
          { refreshToken: args.refresh_token, userAgent, address },
          { deadlineMs: DEADLINE_MS, signal, repeatable: true },
        );
        if (!grant.ok) throw errors.wrongRefreshToken(deps.realm);
        return answer(deps, grant);
      },
    }),
    route({
      methods: ['GET'],
      path: COLLECTION,
      summary: "List the caller's sessions, the newest first",
      description:
        'Those that last, of whoever asks: what began them, from where, and until when they are good.',
      answers: { body: sessionList },
      args: {},
      permission,
      handle: async ({ deps, actor, request }: ConsoleCall<object>) => {
        const { sessions: rows } = await deps.sessions.listSessions({ userId: 0 }, asked(actor));
        const current = currentOf(request);
        return reply.plain(rows.map((row) => ({ ...shown(row), current: row.id === current })));
      },
    }),
    route({
      methods: ['DELETE'],
      path: COLLECTION,
      summary: "End all of the caller's sessions, this one too",
      description: 'Within a second no token of any of them opens anything. Application passwords stay.',
      answers: { body: endedSessions },
      args: {},
      permission,
      handle: async ({ deps, actor }: ConsoleCall<object>) => {
        const { ended } = await deps.sessions.endSessions({ userId: 0 }, asked(actor));
        return reply.plain({ ended });
      },
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: "End a session of the caller's: within a second its tokens open nothing any more",
      description: 'A log-out. What it answers is the session as it was; the others go on.',
      answers: { body: endedSession },
      args: id,
      permission,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: string }>) => {
        const was = await deps.sessions.endSession({ userId: 0, id: args.id }, asked(actor));
        return reply.plain({ deleted: true, previous: shown(was) });
      },
    }),
  ],
};

interface LogIn {
  readonly username: string;
  readonly password: string;
  readonly name: string;
}

/**
 * Whose name it is must be known before the password is looked at. It is asked once and remembered, as a guess that the content
 * service holds against what is so: whoever logs in again asks it once.
 */
async function logIn(deps: ConsoleDeps, sent: LogIn, request: RequestInfo): Promise<Grant> {
  const { username } = sent;
  const guess = deps.accountNames.get(username);
  if (guess !== undefined)
    try {
      return await logInAs(guess, deps, sent, request);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    }
  const { userId } = await deps.signIn.findAccount(
    { username },
    { deadlineMs: DEADLINE_MS, signal: request.signal(), repeatable: true },
  );
  deps.accountNames.set(username, userId);
  return logInAs(userId, deps, sent, request);
}

const logInAs = (
  userId: number,
  { accounts, signIn, realm }: ConsoleDeps,
  sent: LogIn,
  { userAgent, address, signal }: RequestInfo,
): Promise<Grant> =>
  accounts.run({ name: sent.username, userId }, address, async () => {
    const given = await signIn.openSession(
      { ...sent, userAgent, address, countedAs: userId },
      { deadlineMs: LOG_IN_MS, signal: signal() },
    );
    if (!given.ok) throw errors.wrongLogIn(realm);
    return given;
  });

async function answer(
  { tokens }: ConsoleDeps,
  { user, sessionId, refreshToken, refreshSeconds }: Grant,
): Promise<Reply<never>> {
  if (!user) throw new Error('a session was granted to nobody');
  const { id: userId, username, name, email, roles, capabilities } = user;
  const told = {
    access_token: await tokens.sign(userId, sessionId),
    token_type: 'Bearer',
    expires_in: tokens.seconds,
    refresh_token: refreshToken,
    refresh_expires_in: refreshSeconds,
    session: sessionId,
    user: { id: userId, username, name, email, roles, capabilities },
  };
  return reply.plain(told, 200, PRIVATE);
}

/** The token that the gateway has let in is right. */
function currentOf({ headers }: RequestInfo): unknown {
  const token = bearerOf(headers.authorization);
  return token === undefined ? undefined : decodeJwt(token).sid;
}

const shown = (row: Session): object => ({
  id: row.id,
  name: row.name,
  user_agent: row.userAgent,
  network: row.network,
  created: row.createdAt,
  last_used: row.lastUsedAt,
  expires: row.endsAt,
  by_application_password: row.byApplicationPassword,
});
