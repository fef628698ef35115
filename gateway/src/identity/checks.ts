/**
 * What the content service says of a credential, remembered for a moment, or until that service says that its user changed
 * (last-known.ts). While it is away, or slow, nobody who was right lately waits for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, signActor } from '@sevenfold/chassis/actor';
import { ApiError, type CommonCode } from '@sevenfold/chassis/errors';
import type { CallOptions, Remote } from '@sevenfold/chassis/grpc/dial';
import { ranOut } from '@sevenfold/chassis/grpc/errors';
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import type {
  AuthenticateResponse,
  IdentityServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { openLru } from '@sevenfold/chassis/lru';
import { errors } from '../edge/errors';
import { type Way, inRoom } from '../relay/ways';
import type { Caller } from './caller';
import { type Known, openLastKnown } from './last-known';

/** Something by which a user can be known. */
export interface Credential {
  /** Of all credentials; tells nothing of what is secret in it. */
  readonly name: string;
  /** It may be a guess, which finds only the room of strangers. */
  readonly mayBeGuess: boolean;
  /** Names those who wait for the answer together where it is not known yet; default all. */
  readonly line?: string;
  readonly ask: (options: CallOptions) => Promise<AuthenticateResponse>;
  /** What is told where it is not right. */
  readonly refused: () => ApiError;
}

export interface Checks {
  find(name: string, line?: string): Promise<Caller> | undefined;
  /** Whether it was right lately. */
  isKnown(name: string): boolean;
  /** Whether it was right within a day, as far as is remembered. It opens nothing: it only is no guess. */
  wasRight(name: string): boolean;
  /** Asks, by way of `run`, and remembers the answer; those who come together with a credential ask once. */
  check(credential: Credential, requestId: string, run?: Run): Promise<Caller>;
  /** Who hears whose rights or credentials have changed; 0: anybody's. Nothing from before is remembered by then. */
  readonly hear: (listener: (userId: number) => void) => void;
  close(): Promise<void>;
}

type Run = (ask: () => Promise<Caller>) => Promise<Caller>;

export interface ChecksOptions {
  readonly identity: Pick<Remote<IdentityServiceServer>, 'streamIdentityNews'>;
  readonly pulse: Pulse;
  /** Signs what the services are told. */
  readonly actorSecret: string;
  /** A revoked credential works for this long at most. */
  readonly rememberMs: number;
  /** While the content service is away, one that was right this long ago still is. */
  readonly outageMs: number;
  readonly way: Way;
  readonly log: Log;
}

const MOST_REMEMBERED = 10_000;
const DEADLINE_MS = 2_000;
/** For the second time, where that was not enough and the service lives: whoever is slow, for want of processor time, is no outage. */
const PATIENT_DEADLINE_MS = 10_000;
/** For a credential that was right before: the news of its user would tell that it no longer is. */
const KNOWN_DEADLINE_MS = 500;
/** Nor is that waited for by whoever asks: while a service is started again each request would wait so long. */
const KNOWN_PATIENCE_MS = 15;
/** As long as the content service lets whoever was right go first. */
const RIGHT_MS = 86_400_000;
const BUSY: CommonCode = 'service_busy';

export function openChecks(options: ChecksOptions): Checks {
  const { way, pulse } = options;
  // Callers as promises: requests that come together with a new credential ask once.
  const known = openLru<string, Promise<Caller>>({
    most: MOST_REMEMBERED,
    ttl: options.rememberMs,
  });
  const right = openLru<string, true>({ most: MOST_REMEMBERED, ttl: RIGHT_MS });
  let news = 0;
  let heard: (userId: number) => void = () => undefined;
  const lastKnown = openLastKnown({
    identity: options.identity,
    forMs: options.outageMs,
    log: options.log,
    onNews: (userId) => {
      news += 1;
      known.clear();
      heard(userId);
    },
  });
  const signed = (who: Known): Caller => ({ ...who, header: signActor(who.actor, options.actorSecret) });

  /** Strangers find only so much room; whoever was right lately, or has what we have signed, goes past them. */
  const answerOf = (
    credential: Credential,
    requestId: string,
    isKnown: boolean,
    isFirst: boolean,
  ): Promise<AuthenticateResponse> => {
    const patience = isFirst ? DEADLINE_MS : PATIENT_DEADLINE_MS;
    const deadlineMs = isKnown ? KNOWN_DEADLINE_MS : patience;
    const work = (): Promise<AuthenticateResponse> => credential.ask({ requestId, deadlineMs });
    return right.has(credential.name) || !credential.mayBeGuess ? work() : inRoom(way, work);
  };

  const ask = async (credential: Credential, requestId: string, isFirst = true): Promise<Caller> => {
    const { name } = credential;
    const remember = lastKnown.begin();
    let answer;
    // What is refused here was not asked: counted as a failure, whoever is known would keep the way shut for all others.
    const isAsked = way.breaker.mayPass();
    try {
      if (!isAsked) throw errors.serviceDown('content');
      answer = await answerOf(credential, requestId, lastKnown.find(name) !== undefined, isFirst);
      way.breaker.succeeded();
    } catch (error) {
      const before = lastKnown.find(name);
      // A line that is full is nobody's outage.
      if (error instanceof ApiError && error.code === BUSY) {
        if (before) return signed(before);
        throw error;
      }
      const told = error instanceof ApiError && error.status < 500 ? error : undefined;
      if (told) way.breaker.succeeded();
      // That strangers wait in vain may be their own doing.
      else if (before && isAsked) way.breaker.failed();
      if (told && told.status !== 429) throw told;
      if (before) return signed(before);
      if (told) throw told;
      // A service that has just come back has much to do, and its news may have made this credential unknown meanwhile.
      if (isFirst && ranOut(error) && !pulse.isLost()) return ask(credential, requestId, false);
      throw errors.serviceDown('content', error);
    }
    const { ok, user, credentialId } = answer;
    if (!ok || !user) {
      lastKnown.forget(name);
      right.delete(name);
      throw credential.refused();
    }
    right.set(name, true);
    const actor: Actor = {
      id: user.id,
      username: user.username,
      name: user.name,
      email: user.email,
      url: user.url,
      roles: user.roles,
      capabilities: new Set(user.capabilities),
    };
    const who: Known = { actor, credential: credentialId };
    remember(name, who);
    return signed(who);
  };

  /** Time counts from the answer of the content service; what went wrong, or met news, is not remembered at all. */
  const rememberOutcome = (name: string, caller: Promise<Caller>, asking = name): void => {
    const before = news;
    const done = (): boolean => {
      if (news !== before) return false;
      known.delete(asking);
      return true;
    };
    caller.then(() => done() && known.set(name, caller), done);
  };

  /** So was the last one; until one comes in time nobody waits who need not. */
  let isLate = false;
  /** Whoever was right lately is believed where the answer is late; it counts when it comes. */
  const askPatiently = async (credential: Credential, requestId: string): Promise<Caller> => {
    const { name } = credential;
    const begun = performance.now();
    const asked = ask(credential, requestId);
    if (!lastKnown.find(name)) return asked;
    const answered = (): void => {
      if (performance.now() - begun < KNOWN_PATIENCE_MS) isLate = false;
    };
    asked.then(answered, answered);
    const believe = (): Caller | Promise<Caller> => {
      // Meanwhile there may have been news.
      const before = lastKnown.find(name);
      if (!before) return asked;
      rememberOutcome(name, asked);
      return signed(before);
    };
    if (isLate) return believe();
    const over = new AbortController();
    const late = sleep(KNOWN_PATIENCE_MS, undefined, { signal: over.signal }).then(
      () => {
        isLate = true;
        return believe();
      },
      () => asked,
    );
    return Promise.race([asked, late]).finally(() => over.abort());
  };

  return {
    find: (name, line) =>
      known.get(name) ?? (line === undefined ? undefined : known.get(askingOf(name, line))),
    isKnown: (name) => lastKnown.find(name) !== undefined,
    wasRight: (name) => right.has(name),
    check: (credential, requestId, run = (work) => work()) => {
      const { name, line } = credential;
      const asking = askingOf(name, line);
      const caller = run(() => askPatiently(credential, requestId));
      known.set(asking, caller);
      rememberOutcome(name, caller, asking);
      return caller;
    },
    hear: (listener) => (heard = listener),
    close: () => lastKnown.stop(),
  };
}

const askingOf = (name: string, line?: string): string => (line === undefined ? name : `${name} ${line}`);
