/**
 * Who a user name and a secret belong to. A verified application password, or a session, is remembered for seconds, passwords under
 * a keyed digest and never in clear, and is forgotten the moment PostgreSQL says that its user changed. Without that line to
 * the database nothing is remembered at all.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Listener } from '@sevenfold/chassis/db/listen';
import type { Database } from '@sevenfold/chassis/db/sql';
import { unavailable } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import { stripControl } from '@sevenfold/text/text';
import { openLru } from '@sevenfold/chassis/lru';
import { IDENTITY_CHANNEL, type IdentityChange, lastChange, readChange } from './announce';
import * as passwords from './application-passwords';
import { hintOf, refuseSlowly, turns, ungrouped, verifySecret } from './secrets';
import type { UserRow } from './store';
import { laneOf, laneOfUser } from './turns';

export interface Verified {
  readonly user: UserRow;
  /** Names the application password, or the session. */
  readonly credentialId: string;
}

/** Who has logged in, and with what: the hash of the person's password, or the id of an application password. */
export interface LoggedIn {
  readonly user: UserRow;
  readonly passwordHash?: string;
  readonly applicationPassword?: string;
}

export interface Identity {
  /** `username` may be the e-mail address. Undefined when the two do not fit together. */
  authenticate(
    username: string,
    applicationPassword: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<Verified | undefined>;
  /** Whose user name or e-mail address it is. */
  findAccount(username: string): Promise<number | undefined>;
  /** For the beginning of a session, which either opens: the password of a person or an application password. */
  logIn(
    username: string,
    secret: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<LoggedIn | undefined>;
  /** What was found under the name seconds ago, unless its user has changed since; else what is found now. */
  recall(name: string, find: () => Promise<Verified | undefined>): Promise<Verified | undefined>;
  /** Forgets what is remembered of the user; a write calls it, so that its own process does not wait for the news. */
  forget(userId: number): void;
  /**
   * Users whose rights or credentials change; first nobody (0), with the number of the last change so far. Throws when
   * some may be missed, ends with the signal.
   */
  news(signal: AbortSignal): AsyncIterable<IdentityChange>;
  stop(): Promise<void>;
}

const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 1_000;
const TOUCH_EVERY_MS = 60_000;
/** Who was right within this time goes first and finds room; it opens nothing. */
const RIGHT_LATELY_MS = 24 * 3_600_000;
const MOST_RIGHT_LATELY = 10_000;
const MOST_CHARACTERS = 4_096;

/**
 * `db` should be connections of its own, which are closed with it: whatever keeps the others busy, those who sign in do
 * not wait for it. Two are enough: each check is a query or two of a row by its key, and its answer is remembered.
 */
export function openIdentity(options: {
  readonly db: Database;
  readonly listener: Listener;
  readonly log: Log;
}): Identity {
  const { db, log } = options;
  const key = randomBytes(32);
  const remembered = openLru<string, Verified>({ most: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  const rightLately = openLru<string, true>({ most: MOST_RIGHT_LATELY, ttl: RIGHT_LATELY_MS });
  const touched = openLru<string, true>({ most: MOST_REMEMBERED, ttl: TOUCH_EVERY_MS });
  const touches = new Set<Promise<unknown>>();
  let listening = false;
  // Moves with every piece of news: a check that began before it must not be remembered.
  let news = 0;

  const readers = new Set<Reader>();

  const forgetAll = (): void => {
    news += 1;
    remembered.clear();
  };
  const forget = (userId: number): void => {
    news += 1;
    for (const [digest, verified] of remembered) if (verified.user.id === userId) remembered.delete(digest);
  };
  const deafen = options.listener.hear({
    channels: [IDENTITY_CHANNEL],
    onMessage: (_, payload) => {
      const change = readChange(payload);
      forget(change.userId);
      for (const reader of readers) reader.tell(change);
    },
    onConnected: () => {
      forgetAll();
      listening = true;
    },
    onLost: () => {
      listening = false;
      forgetAll();
      for (const reader of readers) reader.tell(undefined);
    },
  });

  const recall = async (
    name: string,
    find: () => Promise<Verified | undefined>,
  ): Promise<Verified | undefined> => {
    const known = listening ? remembered.get(name) : undefined;
    if (known) return known;
    const newsBefore = news;
    const found = await find();
    if (found && listening && news === newsBefore) remembered.set(name, found);
    return found;
  };

  const touch = (credentialId: string, address: string): void => {
    if (touched.has(credentialId)) return;
    touched.set(credentialId, true);
    const work: Promise<unknown> = passwords
      .touch(db, credentialId, stripControl(address).slice(0, 100))
      .catch((error: unknown) =>
        logFault(log, error, {}, 'the use of an application password could not be noted'),
      )
      .finally(() => touches.delete(work));
    touches.add(work);
  };

  /** Runs the check, with its search in the database, when its turn has come: what waits costs nothing. */
  const inTurn = async <T>(
    digest: string,
    { username, address, signal }: { username: string; address: string; signal: AbortSignal | undefined },
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const isKnown = rightLately.has(digest);
    const lane = isKnown ? laneOfUser(username) : laneOf(address);
    const found = await turns.take({ lane, isKnown, signal }, check);
    if (found) rightLately.set(digest, true);
    else rightLately.delete(digest);
    return found;
  };
  const digestOf = (kind: string, username: string, secret: string): string =>
    createHmac('sha256', key).update(`${kind}\0${username.toLowerCase()}\0${secret}`).digest('base64');

  const findVerified = async (username: string, secret: string): Promise<Verified | undefined> => {
    const found = await passwords.findLogIn(db, username, hintOf(secret));
    const credentialId = await fittingApplicationPassword(found, secret);
    return found && credentialId !== undefined ? { user: found.user, credentialId } : undefined;
  };
  /** Whoever is wrong has waited for two checks, of what is there or of what is not. */
  const findEither = async (username: string, secret: string): Promise<LoggedIn | undefined> => {
    const application = ungrouped(secret);
    const found = await passwords.findLogIn(db, username, hintOf(application));
    if (await fitsPerson(found, secret))
      return found && { user: found.user, passwordHash: found.passwordHash };
    const applicationPassword = await fittingApplicationPassword(found, application);
    return found && applicationPassword !== undefined ? { user: found.user, applicationPassword } : undefined;
  };

  return {
    authenticate: async (givenName, givenSecret, address, signal) => {
      const username = nameOf(givenName);
      const secret = ungrouped(givenSecret);
      if (!isPossible(username, secret)) return undefined;
      const digest = digestOf('application', username, secret);
      const verified = await recall(digest, () =>
        inTurn(digest, { username, address, signal }, () => findVerified(username, secret)),
      );
      if (verified) touch(verified.credentialId, address);
      return verified;
    },
    findAccount: (givenName) => passwords.findAccount(db, nameOf(givenName)),
    logIn: async (givenName, secret, address, signal) => {
      const username = nameOf(givenName);
      if (!isPossible(username, secret)) return undefined;
      const digest = digestOf('either', username, secret);
      const found = await inTurn(digest, { username, address, signal }, () => findEither(username, secret));
      if (found?.applicationPassword !== undefined) touch(found.applicationPassword, address);
      return found;
    },
    recall,
    forget,
    news: async function* (signal) {
      if (!listening) throw unavailable('The news of users');
      const reader = openReader();
      readers.add(reader);
      signal.addEventListener('abort', reader.wake);
      try {
        yield { userId: 0, number: await lastChange(db) };
        while (!signal.aborted) {
          const changes = reader.take();
          for (const change of changes) {
            if (change === undefined) throw unavailable('The news of users');
            yield change;
          }
          if (changes.length === 0) await reader.more();
        }
      } finally {
        signal.removeEventListener('abort', reader.wake);
        readers.delete(reader);
      }
    },
    stop: async () => {
      deafen();
      await Promise.all(touches);
      await db.close();
    },
  };
}

const fitsPerson = (found: passwords.LogIn | undefined, password: string): Promise<boolean> =>
  found?.passwordHash.startsWith('$') ? verifySecret(found.passwordHash, password) : refuseSlowly(password);

/** Its id. Without any that could fit it takes as long. */
async function fittingApplicationPassword(
  found: passwords.LogIn | undefined,
  secret: string,
): Promise<string | undefined> {
  if (!found || found.candidates.length === 0) {
    await refuseSlowly(secret);
    return undefined;
  }
  for (const { id, hash } of found.candidates) if (await verifySecret(hash, secret)) return id;
  return undefined;
}

/** What is looked for, whatever a client puts around it. */
const nameOf = (given: string): string => stripControl(given).trim();

const isPossible = (username: string, secret: string): boolean =>
  username !== '' && secret !== '' && username.length <= MOST_CHARACTERS && secret.length <= MOST_CHARACTERS;

/** News that one reader of the stream has not taken yet. */
interface Reader {
  /** Undefined: from here on something may be missing. */
  tell(change: IdentityChange | undefined): void;
  take(): (IdentityChange | undefined)[];
  /** Resolves when there is something to take, or to look at. */
  more(): Promise<void>;
  readonly wake: () => void;
}

// One that falls further behind begins anew.
const MOST_UNREAD = 10_000;

function openReader(): Reader {
  let unread: (IdentityChange | undefined)[] = [];
  let woken = false;
  let resolve: (() => void) | undefined;
  const wake = (): void => {
    woken = true;
    resolve?.();
  };
  return {
    tell: (change) => {
      unread.push(unread.length < MOST_UNREAD ? change : undefined);
      if (unread.length > MOST_UNREAD) unread.length = MOST_UNREAD + 1;
      wake();
    },
    take: () => {
      const taken = unread;
      unread = [];
      return taken;
    },
    more: async () => {
      if (!woken) await new Promise<void>((done) => (resolve = done));
      woken = false;
    },
    wake,
  };
}
