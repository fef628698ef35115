/**
 * Access tokens: JWTs that say for a few minutes which session of which user calls, and nothing of rights. The gateways of a site
 * make and read them, nobody else: one secret signs and checks (HS256, no other algorithm is ever tried). Of several secrets the first
 * one signs and all of them count, each under a name of its own (`kid`), so that one can be replaced while everybody works.
 */
import { randomUUID } from 'node:crypto';
import { ConfigError } from '@sevenfold/chassis/config';
import { deriver, secretsOf } from '@sevenfold/chassis/secrets';
import { SignJWT, errors, jwtVerify } from 'jose';
import type { Config } from '../config';

export interface TokenClaims {
  readonly userId: number;
  readonly sessionId: string;
  /** Milliseconds. */
  readonly endsAt: number;
}

export interface Tokens {
  /** Whether there is a key to sign with. */
  readonly isOn: boolean;
  /** For which one is good. */
  readonly seconds: number;
  sign(userId: number, sessionId: string): Promise<string>;
  /** `expired` for one that was right once, `foreign` for one under a key that is not here, `invalid` for anything else that is none; never throws. */
  read(text: string): Promise<TokenClaims | 'expired' | 'foreign' | 'invalid'>;
}

const ALGORITHM = 'HS256';
/** RFC 9068: it is an access token, and no other kind of JWT that could be signed under the same key. */
const TYPE = 'at+jwt';
/** Less could be guessed where the tokens are seen. */
const SHORTEST_SECRET = 32;

/** Throws where a secret is too short. */
export function openTokens({
  TOKEN_KEYS,
  SITE_URL: issuer,
  ACCESS_TOKEN_SECONDS: seconds,
}: Pick<Config, 'TOKEN_KEYS' | 'SITE_URL' | 'ACCESS_TOKEN_SECONDS'>): Tokens {
  const secrets = secretsOf(TOKEN_KEYS);
  if (secrets.some((secret) => secret.length < SHORTEST_SECRET))
    throw new ConfigError([`TOKEN_KEYS must have at least ${SHORTEST_SECRET} characters each`]);
  const keys = new Map(
    secrets.map((secret) => [derived(secret, 'id', 6).toString('hex'), derived(secret, 'key', 32)]),
  );
  const [first] = keys;
  const audience = `${issuer}/rest`;
  const keyOf = ({ kid = '' }: { readonly kid?: string }): Uint8Array => {
    const key = keys.get(kid);
    if (!key) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  const checks = {
    algorithms: [ALGORITHM],
    typ: TYPE,
    issuer,
    audience,
    requiredClaims: ['sub', 'sid', 'iat', 'exp'],
  };

  return {
    isOn: first !== undefined,
    seconds,
    sign: (userId, sessionId) => {
      if (!first) throw new Error('no secret is configured to sign tokens with');
      const [kid, key] = first;
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(String(userId))
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(key);
    },
    read: async (text) => {
      try {
        const { payload } = await jwtVerify(text, keyOf, checks);
        return claimsOf(payload);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey) return 'foreign';
        // The time is what is looked at last.
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
      }
    },
  };
}

function claimsOf({ sub, sid, exp }: { sub?: string; sid?: unknown; exp?: number }): TokenClaims | 'invalid' {
  const userId = Number(sub);
  if (!Number.isSafeInteger(userId) || userId < 1 || typeof sid !== 'string' || exp === undefined)
    return 'invalid';
  return { userId, sessionId: sid, endsAt: exp * 1000 };
}

const derived = deriver('sevenfold access token');
