/**
 * Who is calling. The gateway resolves a credential once and forwards this in a signed, short-lived header (HTTP);
 * services check the signature and decide by capability. A request without the header is a stranger's. Calls between
 * services name the actor within their own signature (grpc/caller.ts).
 */
import { readStatement, signStatement } from './statement';

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

/** Clients may not send it: the gateway strips it. */
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

/** The gateway remembers a header for half of its life at most (CREDENTIAL_SECONDS). */
export const signActor = (actor: Actor, secret: string, now = Date.now()): string =>
  signStatement('actor', claimsOf(actor), secret, now + LIFETIME_SECONDS * 1000);

/** Undefined when the signature is wrong, the value is malformed or its time has passed; never throws. */
export function verifyActor(header: string, secret: string, now = Date.now()): Actor | undefined {
  const claims = readStatement('actor', header, secret, now);
  return claims && actorOf(claims);
}

/** The actor as plain data, for a statement. */
export const claimsOf = (actor: Actor): object => ({ ...actor, capabilities: [...actor.capabilities] });

/** The way back; undefined for anything that is no actor. */
export function actorOf(claims: unknown): Actor | undefined {
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { id, username, name, email, url, roles, capabilities } = claims as Record<string, unknown>;
  const texts = [username, name, email, url];
  if (!Number.isSafeInteger(id) || !isTextList(texts) || !isTextList(roles) || !isTextList(capabilities))
    return undefined;
  const known = { id, username, name, email, url, roles, capabilities: new Set(capabilities) };
  return known as Actor;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
