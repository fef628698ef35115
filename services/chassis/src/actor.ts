/**
 * Who is calling. The gateway resolves a credential once and forwards this in a signed, short-lived header (HTTP)
 * or metadata key (gRPC); services check the signature and decide by capability. An actor without a header is a stranger.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Actor {
  /** User id; 0 is a stranger. */
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly roles: readonly string[];
  readonly capabilities: ReadonlySet<string>;
}

/** Header and metadata key. Clients may not send it: the gateway strips it. */
export const ACTOR_HEADER = 'x-sevenfold-actor';

const LIFETIME_SECONDS = 60;

export const stranger: Actor = {
  id: 0,
  username: '',
  name: '',
  email: '',
  url: '',
  roles: [],
  capabilities: new Set<string>(),
};

/** Acts for the system itself: command line, workers, calls between services that no user caused. */
export const systemActor = (capabilities: Iterable<string>): Actor => ({
  ...stranger,
  name: 'system',
  capabilities: new Set(capabilities),
});

export const isLoggedIn = (actor: Actor): boolean => actor.id > 0;
export const can = (actor: Actor, capability: string): boolean => actor.capabilities.has(capability);

/** Returns `<payload>.<signature>`, both base64url. */
export function signActor(actor: Actor, secret: string, now = Date.now()): string {
  const payload = Buffer.from(
    JSON.stringify({
      id: actor.id,
      username: actor.username,
      name: actor.name,
      email: actor.email,
      url: actor.url,
      roles: actor.roles,
      capabilities: [...actor.capabilities],
      exp: Math.floor(now / 1000) + LIFETIME_SECONDS,
    }),
  ).toString('base64url');
  return `${payload}.${signature(payload, secret)}`;
}

/** Undefined when the signature is wrong, the value is malformed or its time has passed. */
export function verifyActor(header: string, secret: string, now = Date.now()): Actor | undefined {
  const dot = header.indexOf('.');
  if (dot < 1) return undefined;
  const payload = header.slice(0, dot);
  const given = Buffer.from(header.slice(dot + 1));
  const wanted = Buffer.from(signature(payload, secret));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Omit<Actor, 'capabilities'> & {
    capabilities: string[];
    exp: number;
  };
  if (claims.exp * 1000 < now) return undefined;
  const { exp: _exp, ...actor } = claims;
  return { ...actor, capabilities: new Set(claims.capabilities) };
}

function signature(payload: string, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('base64url');
}
