/**
 * What one process tells another under the secret that all of them share: claims, the time at which they end, and a
 * signature. Each purpose has a key of its own, so that what was said for one is worth nothing for another.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export type Purpose = 'actor' | 'address' | 'call';

/** Answers `<payload>.<signature>`, both base64url. Times are milliseconds. */
export function signStatement(purpose: Purpose, claims: object, secret: string, until: number): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, until })).toString('base64url');
  return `${payload}.${signature(purpose, payload, secret)}`;
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
  const wanted = Buffer.from(signature(purpose, payload, secret));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
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

function signature(purpose: Purpose, payload: string, secret: string): string {
  return createHmac('sha256', keyOf(purpose, secret)).update(payload).digest('base64url');
}

// A process knows one secret; tests know a few.
const keys = new Map<string, Buffer>();

function keyOf(purpose: Purpose, secret: string): Buffer {
  const name = `${purpose} ${secret}`;
  let key = keys.get(name);
  if (!key) {
    key = createHmac('sha256', secret).update(`sevenfold ${purpose}`).digest();
    keys.set(name, key);
  }
  return key;
}
