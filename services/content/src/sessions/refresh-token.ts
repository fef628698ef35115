/**
 * A refresh token is two secrets in one text: one is the same for all tokens of a session and finds it, the other is the token's
 * own. Whoever knows the first has held a token of the session, so a second that does not count any more tells of a theft,
 * without a row for every token that there ever was.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const FAMILY_BYTES = 16;
const OWN_BYTES = 32;
/** For those who look for secrets where there should be none. */
const PREFIX = 'sfr_';
const TOKEN = /^sfr_[\w-]{64}$/;

export interface RefreshToken {
  readonly text: string;
  readonly family: Buffer;
  readonly own: Buffer;
}

/** The first of a session, or a further one of its family. */
export function makeToken(family: Buffer = randomBytes(FAMILY_BYTES)): RefreshToken {
  const own = randomBytes(OWN_BYTES);
  return { text: `${PREFIX}${Buffer.concat([family, own]).toString('base64url')}`, family, own };
}

/** Undefined for what was never one. */
export function readToken(text: string): RefreshToken | undefined {
  if (!TOKEN.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
  return { text, family: bytes.subarray(0, FAMILY_BYTES), own: bytes.subarray(FAMILY_BYTES) };
}

/** As they are stored: what is drawn at random needs no slow hash. */
export const digestOf = (secret: Buffer): Buffer => createHash('sha256').update(secret).digest();

export const isDigestOf = (stored: Buffer | null, secret: Buffer): boolean =>
  stored !== null && timingSafeEqual(stored, digestOf(secret));
