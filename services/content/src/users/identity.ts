/**
 * Who a user name and a secret belong to. A verified application password is remembered for seconds, under a keyed
 * digest and never in clear, and is forgotten the moment PostgreSQL says that its user changed. Without that line to
 * the database nothing is remembered at all.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Listener } from '@sevenfold/chassis/db/listen';
import type { Database } from '@sevenfold/chassis/db/sql';
import { unavailable } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import { stripControl } from '@sevenfold/text/text';
import { LRUCache } from 'lru-cache';
import { IDENTITY_CHANNEL, type IdentityChange, lastChange, readChange } from './announce';
import * as passwords from './application-passwords';
import { hintOf, refuseSlowly, turns, ungrouped, verifySecret } from './secrets';
import type { UserRow } from './store';
import { laneOf } from './turns';

export interface Verified {
  readonly user: UserRow;
  /** Names the application password. */
  readonly credentialId: string;
}

export interface Identity {
  /** `username` may be the e-mail address. Undefined when the two do not fit together. */
  authenticate(
    username: string,
    applicationPassword: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<Verified | undefined>;
  /** The same for the password of a person, which logs in to the console and not to the interface. */
  checkPassword(
    username: string,
    password: string,
    address: string,
    signal?: AbortSignal,
  ): Promise<UserRow | undefined>;
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
  const remembered = new LRUCache<string, Verified>({ max: MOST_REMEMBERED, ttl: REMEMBERED_MS });
  const rightLately = new LRUCache<string, true>({ max: MOST_RIGHT_LATELY, ttl: RIGHT_LATELY_MS });
  const touched = new LRUCache<string, true>({ max: MOST_REMEMBERED, ttl: TOUCH_EVERY_MS });
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
    address: string,
    signal: AbortSignal | undefined,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const lane = rightLately.has(digest) ? undefined : laneOf(address);
    const found = await turns.take({ lane, signal }, check);
    if (found) rightLately.set(digest, true);
    else rightLately.delete(digest);
    return found;
  };
  const digestOf = (kind: string, username: string, secret: string): string =>
    createHmac('sha256', key).update(`${kind}\0${username.toLowerCase()}\0${secret}`).digest('base64');

  const findVerified = async (username: string, secret: string): Promise<Verified | undefined> => {
    const found = await passwords.findLogIn(db, username, hintOf(secret));
    if (!found || found.candidates.length === 0) {
      await refuseSlowly(secret);
      return undefined;
    }
    for (const { id, hash } of found.candidates)
      if (await verifySecret(hash, secret)) return { user: found.user, credentialId: id };
    return undefined;
  };
  const findPerson = async (username: string, password: string): Promise<UserRow | undefined> => {
    const found = await passwords.findLogIn(db, username, 0);
    const fits = found?.passwordHash.startsWith('$')
      ? await verifySecret(found.passwordHash, password)
      : await refuseSlowly(password);
    return fits ? found?.user : undefined;
  };

  return {
    authenticate: async (givenName, givenSecret, address, signal) => {
      const username = stripControl(givenName).trim();
      const secret = ungrouped(givenSecret);
      if (!isPossible(username, secret)) return undefined;
      const digest = digestOf('application', username, secret);
      const known = listening ? remembered.get(digest) : undefined;
      if (known) {
        touch(known.credentialId, address);
        return known;
      }
      const newsBefore = news;
      const verified = await inTurn(digest, address, signal, () => findVerified(username, secret));
      if (!verified) return undefined;
      if (listening && news === newsBefore) remembered.set(digest, verified);
      touch(verified.credentialId, address);
      return verified;
    },
    checkPassword: async (givenName, password, address, signal) => {
      const username = stripControl(givenName).trim();
      if (!isPossible(username, password)) return undefined;
      const digest = digestOf('person', username, password);
      return inTurn(digest, address, signal, () => findPerson(username, password));
    },
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
