/**
 * Who is calling. A credential is checked once, by the content service, and remembered for a moment, or until that service
 * says that its user changed (last-known.ts); what the services get is a signed statement. A credential that is wrong is
 * refused here, never silently taken for none. While the content service is away, or slow, nobody who was right lately
 * waits for it.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type ServiceError, status } from '@grpc/grpc-js';
import { type Actor, signActor } from '@sevenfold/chassis/actor';
import { ApiError, type CommonCode } from '@sevenfold/chassis/errors';
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  type AuthenticateResponse,
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { LRUCache } from 'lru-cache';
import type { Attempts } from '../limits/attempts';
import { type Way, inRoom } from '../relay/ways';
import type { Caller } from './caller';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import { type Known, openLastKnown } from './last-known';

export interface Authenticator {
  /** Undefined for a request without a credential. Throws 401 for a wrong one, 503 when none can be checked. */
  authenticate(exchange: Exchange): Promise<Caller> | undefined;
  close(): Promise<void>;
}

export interface AuthenticatorOptions {
  readonly dial: Dial;
  readonly content: { readonly grpcAddress: string; readonly pulse: Pulse };
  /** Signs what the services are told. */
  readonly actorSecret: string;
  /** A revoked credential works for this long at most. */
  readonly rememberMs: number;
  /** While the content service is away, one that was right this long ago still is. */
  readonly outageMs: number;
  readonly way: Way;
  /** Who was not right lately may be wrong so often. */
  readonly attempts: Attempts;
  readonly log: Log;
  /** Shown by browsers that ask for a password. */
  readonly realm: string;
}

const MOST_REMEMBERED = 10_000;
const DEADLINE_MS = 2_000;
/** For a credential that was right before: the news of its user would tell that it no longer is. */
const KNOWN_DEADLINE_MS = 500;
const LONGEST = 1_024;
const BUSY: CommonCode = 'service_busy';

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { pulse, grpcAddress: address } = options.content;
  const { way } = options;
  const identity = options.dial<IdentityServiceServer>(IdentityServiceService, {
    service: 'content',
    address,
    pulse,
  });
  // Callers as promises: requests that come together with a new credential ask once.
  const known = new LRUCache<string, Promise<Caller>>({
    max: MOST_REMEMBERED,
    ttl: options.rememberMs,
    ttlResolution: 0,
  });
  let news = 0;
  const lastKnown = openLastKnown({
    identity,
    forMs: options.outageMs,
    log: options.log,
    onNews: () => {
      news += 1;
      known.clear();
    },
  });
  const key = randomBytes(32);
  const refused = (message: string): ApiError => errors.invalidCredentials(options.realm, message);

  const signed = (who: Known): Caller => ({ ...who, header: signActor(who.actor, options.actorSecret) });

  /** Strangers find only so much room; whoever was right lately goes past them. */
  const check = (
    { username, password }: Credential,
    exchange: Exchange,
    isKnown: boolean,
  ): Promise<AuthenticateResponse> => {
    if (!way.breaker.mayPass()) throw errors.serviceDown('content');
    const work = (): Promise<AuthenticateResponse> =>
      identity.authenticate(
        { username, applicationPassword: password, address: exchange.address },
        { requestId: exchange.id, deadlineMs: isKnown ? KNOWN_DEADLINE_MS : DEADLINE_MS },
      );
    return isKnown ? work() : inRoom(way, work);
  };

  const ask = async (
    name: string,
    credential: Credential,
    exchange: Exchange,
    again = true,
  ): Promise<Caller> => {
    const remember = lastKnown.begin();
    let answer;
    try {
      answer = await check(credential, exchange, lastKnown.find(name) !== undefined);
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
      else if (before) way.breaker.failed();
      if (told && told.status !== 429) throw told;
      if (before) return signed(before);
      if (told) throw told;
      // A service that has just come back has much to do, and its news may have made this credential unknown meanwhile.
      if (again && ranOut(error) && !pulse.isLost()) return ask(name, credential, exchange, false);
      throw errors.serviceDown('content', error);
    }
    const { ok, user, credentialId } = answer;
    if (!ok || !user) {
      lastKnown.forget(name);
      throw refused('The user name and the application password do not fit together.');
    }
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

  return {
    authenticate: (exchange) => {
      const given = exchange.request.headers.authorization;
      if (given === undefined) return undefined;
      // Memory must not hold passwords.
      const name = createHmac('sha256', key).update(given).digest('base64');
      const remembered = known.get(name);
      if (remembered) return remembered;
      const credential = parseBasic(given);
      const before = news;
      // Who was right before is not refused for what others of the same address do.
      const caller =
        credential && lastKnown.find(name)
          ? ask(name, credential, exchange)
          : options.attempts.run(exchange.address, () => {
              if (credential) return ask(name, credential, exchange);
              const message =
                'The Authorization header must be Basic with a user name and an application password.';
              return Promise.reject(refused(message));
            });
      known.set(name, caller);
      // Time counts from the answer of the content service; what went wrong, or met news, is not remembered at all.
      caller.then(
        () => news === before && known.set(name, caller),
        () => news === before && known.delete(name),
      );
      return caller;
    },
    close: async () => {
      await lastKnown.stop();
      identity.close();
    },
  };
}

const ranOut = (error: unknown): boolean =>
  ((error as Error).cause as Partial<ServiceError> | undefined)?.code === status.DEADLINE_EXCEEDED;

interface Credential {
  readonly username: string;
  readonly password: string;
}

function parseBasic(header: string): Credential | undefined {
  const match = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header.trim());
  if (!match || header.length > LONGEST) return undefined;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || text.includes('\0') || text.includes('\ufffd'))
    return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
