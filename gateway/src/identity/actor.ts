/**
 * Who is calling: by user name and application password, or by the access token of a session. What the services get is a signed
 * statement. A credential that is wrong is refused here, never silently taken for none.
 */
import { hash, randomBytes } from 'node:crypto';
import { ApiError } from '@sevenfold/chassis/errors';
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  type SessionServiceServer,
  SessionServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import { openLru } from '@sevenfold/chassis/lru';
import type { Attempts } from '../limits/attempts';
import { type RightLately, unlessRight } from '../limits/right-lately';
import type { Caller } from './caller';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import { type ChecksOptions, openChecks } from './checks';
import { bearerOf } from './bearer';
import type { TokenClaims, Tokens } from './tokens';

export interface Authenticator {
  /** Undefined for a request without a credential. Throws 401 for a wrong one, 503 when none can be checked. */
  authenticate(exchange: Exchange): Promise<Caller> | undefined;
  /** Who hears whose rights or credentials have changed; 0: anybody's. */
  readonly hear: (listener: (userId: number) => void) => void;
  close(): Promise<void>;
}

export interface AuthenticatorOptions extends Omit<ChecksOptions, 'identity' | 'pulse'> {
  readonly dial: Dial;
  readonly content: { readonly grpcAddress: string; readonly pulse: ChecksOptions['pulse'] };
  readonly tokens: Tokens;
  /** Who was not right lately may be wrong so often. */
  readonly attempts: Attempts;
  /** What other gateways know of that. */
  readonly rightLately: RightLately;
  /** Counts a request as one of a stranger's; throws 429. */
  readonly admitStranger: (exchange: Exchange) => void;
  /** Shown by browsers that ask for a password. */
  readonly realm: string;
}

const LONGEST = 1_024;
const LONGEST_TOKEN = 4_096;
const MOST_TOKENS = 10_000;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { pulse, grpcAddress: address } = options.content;
  const target = { service: 'content', address, pulse };
  const identity = options.dial<IdentityServiceServer>(IdentityServiceService, target);
  const sessions = options.dial<SessionServiceServer>(SessionServiceService, target);
  const checks = openChecks({ ...options, identity, pulse });
  const key = randomBytes(32).toString('base64');
  /** Memory must hold neither passwords nor tokens, and who reads it must not be able to try guesses elsewhere. */
  const nameOf = (given: string): string => hash('sha256', `${key} ${given}`, 'base64');
  const refused = (message: string): ApiError => errors.invalidCredentials(options.realm, message);
  const refusedToken = (message: string): ApiError => errors.invalidToken(options.realm, message);

  const byPassword = (given: string, exchange: Exchange): Promise<Caller> => {
    const basic = parseBasic(given);
    if (!basic)
      return options.attempts.run(exchange.address, () =>
        Promise.reject(
          refused(
            'The Authorization header must be Basic with a user name and an application password, or Bearer with an access token.',
          ),
        ),
      );
    const { username, password: applicationPassword } = basic;
    // However it is written: nobody has thousands of places among what is remembered of all.
    const both = `${username.trim().toLowerCase()}\0${applicationPassword.replace(/\s+/g, '')}`;
    const name = nameOf(both);
    const remembered = checks.find(name, exchange.address);
    if (remembered) return remembered;
    const credential = {
      name,
      mayBeGuess: true,
      // What is told to an address that was wrong too often is nothing to others.
      line: exchange.address,
      ask: (call: object) =>
        identity.authenticate({ username, applicationPassword, address: exchange.address }, call),
      refused: () => refused('The user name and the application password do not fit together.'),
    };
    const who = `credential ${both}`;
    // Who was right before is not refused for what others of the same address do.
    const caller = checks.wasRight(name)
      ? checks.check(credential, exchange.id)
      : checks.check(credential, exchange.id, (ask) =>
          unlessRight(ask, {
            counted: (work) => options.attempts.run(exchange.address, work),
            wasRight: () => options.rightLately.find(who),
            spared: (work) => work(),
          }),
        );
    tellOutcome(caller, who);
    return caller;
  };
  const tellOutcome = (caller: Promise<Caller>, who: string): void => {
    caller.then(
      () => options.rightLately.tell(who),
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 401) options.rightLately.forget(who);
      },
    );
  };

  // A signature stays right; the time is looked at each time.
  const read = openLru<string, TokenClaims>({ most: MOST_TOKENS });
  const readToken = async (token: string, at: number): ReturnType<Tokens['read']> => {
    if (token === '' || token.length > LONGEST_TOKEN) return 'invalid';
    const name = nameOf(token);
    const known = read.get(name);
    if (known) return known.endsAt > at ? known : 'expired';
    const claims = await options.tokens.read(token);
    if (typeof claims === 'object') read.set(name, claims);
    return claims;
  };
  /** A session that has ended never lasts again. */
  const ended = openLru<string, true>({ most: MOST_TOKENS });
  /**
   * For what we have signed ourselves, or have no key for, as where keys were changed at once: nobody guesses here, so it counts as any
   * request of the address does.
   */
  const refuseAsStranger = (exchange: Exchange, message: string): never => {
    options.admitStranger(exchange);
    throw refusedToken(message);
  };

  const byToken = async (token: string, exchange: Exchange): Promise<Caller> => {
    // Who is asked again in the middle of a request (under-way.ts) began it in time.
    const sinceThen = exchange.caller ? performance.now() - exchange.since : 0;
    const claims = await readToken(token, Date.now() - sinceThen);
    if (claims === 'invalid')
      return options.attempts.run(exchange.address, () => Promise.reject(refusedToken(FOREIGN)));
    if (claims === 'foreign') return refuseAsStranger(exchange, FOREIGN);
    if (claims === 'expired') return refuseAsStranger(exchange, 'The access token has expired.');
    const { userId, sessionId } = claims;
    const name = `session ${sessionId}`;
    if (ended.has(name)) return refuseAsStranger(exchange, ENDED);
    const remembered = checks.find(name);
    if (remembered) return remembered;
    return checks.check(
      {
        name,
        mayBeGuess: false,
        ask: (call) => sessions.authenticateSession({ sessionId, userId, address: exchange.address }, call),
        refused: () => {
          ended.set(name, true);
          return refusedToken(ENDED);
        },
      },
      exchange.id,
    );
  };

  return {
    authenticate: (exchange) => {
      const given = exchange.request.headers.authorization;
      if (given === undefined) return undefined;
      const token = bearerOf(given);
      return token === undefined ? byPassword(given, exchange) : byToken(token, exchange);
    },
    hear: checks.hear,
    close: async () => {
      await checks.close();
      identity.close();
      sessions.close();
    },
  };
}

const ENDED = 'The session of the access token has ended.';
const FOREIGN = 'The access token is none of this site.';

interface Basic {
  readonly username: string;
  readonly password: string;
}

function parseBasic(header: string): Basic | undefined {
  const match = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(header.trim());
  if (!match || header.length > LONGEST) return undefined;
  const text = Buffer.from(match[1] as string, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || colon === text.length - 1 || text.includes('\0') || text.includes('\ufffd'))
    return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
