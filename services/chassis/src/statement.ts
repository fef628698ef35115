/**
 * What one process tells another under the secret that all of them share: claims, the time at which they end, and a
 * signature. Each purpose has a key of its own, so that what was said for one is worth nothing for another. Of several
 * secrets the first one signs and all of them are believed, so that one can be replaced while everybody works.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { secretsOf } from './secrets';

export type Purpose = 'actor' | 'address' | 'call';

/** Answers `<payload>.<signature>`, both base64url. Times are milliseconds. */
export function signStatement(purpose: Purpose, claims: object, secret: string, until: number): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, until })).toString('base64url');
  const [key] = keysOf(purpose, secret);
  return `${payload}.${signature(payload, key)}`;
}

/** Undefined when the signature is wrong, the statement is malformed or its time has passed; never throws. */
export function readStatement(
  purpose: Purpose,
  text: string,
  secret: string,
  now: number,
): Readonly<Record<string, unknown>> | undefined {
  const dot = text.indexOf('.');
  if (dot < 1) return undefined;
  const payload = text.slice(0, dot);
  const given = Buffer.from(text.slice(dot + 1));
  if (!keysOf(purpose, secret).some((key) => isSame(given, Buffer.from(signature(payload, key)))))
    return undefined;
  const claims = parse(Buffer.from(payload, 'base64url').toString());
  // Anything but a number compares as false: a statement without an end has none to believe in.
  return claims && (claims.until as number) > now ? claims : undefined;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isSame = (given: Buffer, wanted: Buffer): boolean =>
  given.length === wanted.length && timingSafeEqual(given, wanted);

const signature = (payload: string, key: Buffer): string =>
  createHmac('sha256', key).update(payload).digest('base64url');

type Keys = readonly [Buffer, ...Buffer[]];

// A process knows one list of secrets; tests know a few.
const known = new Map<string, Keys>();

function keysOf(purpose: Purpose, secrets: string): Keys {
  const name = `${purpose} ${secrets}`;
  let keys = known.get(name);
  if (!keys) {
    const derive = (secret: string): Buffer =>
      createHmac('sha256', secret).update(`sevenfold ${purpose}`).digest();
    const [first, ...others] = secretsOf(secrets);
    // Whoever reads the configuration sees to it that there is one; without any, nobody's signature would be right.
    if (first === undefined) throw new Error('no secret is configured to sign with');
    keys = [derive(first), ...others.map(derive)];
    known.set(name, keys);
  }
  return keys;
}
