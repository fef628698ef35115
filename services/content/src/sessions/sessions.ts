/**
 * Sessions: begun with a password, kept up with refresh tokens that are exchanged at each use (RFC 9700, 4.14.2). Of two who
 * hold the same token one comes second: to him it is no longer good, and since nobody can tell which of them is the thief, the session
 * ends for both. Only right after an exchange, and as long as the new token was not used, the old one gets the same new one again:
 * an answer was lost, or two windows of one client asked at once.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { neighbourhoodOf } from '@sevenfold/chassis/networks';
import { logFault } from '@sevenfold/chassis/outages';
import { openSealer } from '@sevenfold/chassis/seal';
import { cleanText, shorten } from '@sevenfold/text/text';
import { isUuid } from '../common/uuid';
import type { Config } from '../config';
import { apiError } from '../errors';
import { announceCredentials } from '../users/announce';
import type { Identity, LoggedIn, Verified } from '../users/identity';
import * as users from '../users/store';
import { type RefreshToken, digestOf, isDigestOf, makeToken, readToken } from './refresh-token';
import * as store from './store';

export interface Granted extends store.Given {
  readonly user: users.UserRow;
  readonly refreshToken: string;
}

/** Who asks, as he says himself. */
export interface Asking {
  readonly userAgent: string;
  readonly address: string;
}

export interface LogIn extends Asking {
  readonly username: string;
  readonly password: string;
  readonly name: string;
}

export interface Sessions {
  /** Undefined when name and password do not fit together. */
  open(logIn: LogIn, signal?: AbortSignal): Promise<Granted | undefined>;
  /** Undefined where the token is not good. One that was exchanged before ends its session. */
  refresh(token: string, asking: Asking): Promise<Granted | undefined>;
  /** Whose it is; undefined where it has ended. */
  authenticate(id: string, userId: number, address: string): Promise<users.UserRow | undefined>;
  end(userId: number, id: string): Promise<store.SessionRow | undefined>;
  /** Answers how many there were. */
  endAll(userId: number): Promise<number>;
}

export interface SessionsOptions {
  readonly db: Database;
  /** Connections that those who sign in need not share with others. */
  readonly signInDb: Database;
  readonly identity: Pick<Identity, 'logIn' | 'recall' | 'forget'>;
  readonly config: Pick<Config, 'REFRESH_TOKEN_SECONDS' | 'REFRESH_GRACE_SECONDS' | 'SESSION_SECONDS'>;
  readonly log: Log;
}

/** Those that were not used for the longest make room. */
const MOST_LASTING = 100;
const LONGEST_AGENT = 300;
const LONGEST_NAME = 100;

export function openSessions({ db, signInDb, identity, config, log }: SessionsOptions): Sessions {
  const times: store.Times = { idle: config.REFRESH_TOKEN_SECONDS, whole: config.SESSION_SECONDS };

  const begin = async (tx: Db, { user, ...by }: LoggedIn, logIn: LogIn): Promise<Granted | undefined> => {
    // Between the check and now the password may have been changed, which ends what it has opened.
    if (!(await store.lockOwner(tx, user.id, by.passwordHash))) return undefined;
    const token = makeToken();
    if ((await store.endOldest(tx, user.id, MOST_LASTING - 1, 'too many')) > 0)
      await announceCredentials(tx, user.id);
    const given = await store.insert(
      tx,
      {
        userId: user.id,
        applicationPassword: by.applicationPassword,
        name: shorten(cleanText(logIn.name), LONGEST_NAME),
        family: digestOf(token.family),
        current: digestOf(token.own),
        ...clientOf(logIn),
      },
      times,
    );
    return { ...given, user, refreshToken: token.text };
  };

  const exchange = async (tx: Db, token: RefreshToken, asking: Asking): Promise<Granted | undefined> => {
    const row = await store.lockFamily(tx, digestOf(token.family), config.REFRESH_GRACE_SECONDS);
    const user = row && (await users.findById(tx, row.userId));
    if (!user) return undefined;
    if (isDigestOf(row.current, token.own)) {
      const next = makeToken(token.family);
      const sealed = sealerOf(token).seal(next.text);
      const rotated = { current: digestOf(next.own), sealed, ...clientOf(asking) };
      return { ...(await store.rotate(tx, row.id, rotated, times)), user, refreshToken: next.text };
    }
    const again = row.isFresh && isDigestOf(row.previous, token.own) ? successorOf(row, token) : undefined;
    if (again !== undefined) {
      const { id, refreshSeconds } = row;
      return { id, refreshSeconds, user, refreshToken: again };
    }
    await store.end(tx, user.id, row.id, 'replayed');
    await announceCredentials(tx, user.id);
    log.warn(
      { session: row.id, user: user.id, network: clientOf(asking).network },
      'a refresh token came that was exchanged before: it was stolen from its client or from the thief; the session is ended',
    );
    return undefined;
  };

  const find = async (id: string, userId: number, address: string): Promise<Verified | undefined> => {
    const found = await store.findUser(signInDb, id, userId);
    if (!found) return undefined;
    const { isUnnoted, ...user } = found;
    if (isUnnoted) await note(id, address);
    return { user, credentialId: id };
  };
  const note = (id: string, address: string): Promise<unknown> =>
    store
      .touch(signInDb, id, networkFrom(address))
      .catch((error: unknown) => logFault(log, error, {}, 'the use of a session could not be noted'));

  return {
    open: async (logIn, signal) => {
      const loggedIn = await identity.logIn(logIn.username, logIn.password, logIn.address, signal);
      return loggedIn && db.transaction((tx) => begin(tx, loggedIn, logIn));
    },
    refresh: async (text, asking) => {
      const token = readToken(text);
      return token && db.transaction((tx) => exchange(tx, token, asking));
    },
    authenticate: async (id, userId, address) => {
      if (!isUuid(id)) return undefined;
      const found = await identity.recall(`session ${id} ${userId}`, () => find(id, userId, address));
      return found?.user;
    },
    end: async (userId, id) => {
      const ended = await db.transaction((tx) => endOne(tx, userId, id));
      identity.forget(userId);
      return ended;
    },
    endAll: async (userId) => {
      const ended = await db.transaction((tx) => endAll(tx, userId, 'user'));
      identity.forget(userId);
      return ended;
    },
  };
}

export const sessionNotFound = (): ApiError =>
  apiError('rest_session_not_found', 404, 'The user has no such session, or it has ended.');

/** Undefined where the user has no such session that lasts. */
export async function endOne(tx: Db, userId: number, id: string): Promise<store.SessionRow | undefined> {
  if (!isUuid(id)) return undefined;
  const ended = await store.end(tx, userId, id, 'user');
  if (ended) await announceCredentials(tx, userId);
  return ended;
}

/** From the commit on none of them opens anything: every process hears of it. */
export async function endAll(tx: Db, userId: number, reason: store.Reason): Promise<number> {
  await store.lockOwner(tx, userId);
  const ended = await store.endOldest(tx, userId, 0, reason);
  if (ended > 0) await announceCredentials(tx, userId);
  return ended;
}

/** Of what a client says and where it is only as much is kept as tells it apart from others. */
const clientOf = ({ userAgent, address }: Asking): store.Client => ({
  userAgent: shorten(cleanText(userAgent), LONGEST_AGENT),
  network: networkFrom(address),
});
const networkFrom = (address: string): string => neighbourhoodOf(address) ?? '';

/** Only whoever has the token before opens it, so that the database alone gives nobody a token. */
const sealerOf = (token: RefreshToken): ReturnType<typeof openSealer> =>
  openSealer(token.text, 'sevenfold refresh token');

function successorOf(
  { successorNonce: nonce, successorSealed: sealed }: store.FamilyRow,
  token: RefreshToken,
): string | undefined {
  const sealer = sealerOf(token);
  return nonce && sealed && sealer.secretId !== undefined
    ? sealer.open({ secretId: sealer.secretId, nonce, sealed })
    : undefined;
}
