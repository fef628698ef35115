/**
 * Who is at the other end of a gRPC call. Every call carries one statement: which service calls, which method, until
 * when, and on behalf of which actor, if any. Whoever catches one can repeat that method for as long as the call itself
 * might have lasted and half a minute; the contents of messages are TLS's business.
 */
import type { Metadata } from '@grpc/grpc-js';
import { type Actor, actorOf, claimsOf, isLoggedIn, stranger } from '../actor';
import type { ApiError } from '../errors';
import type { Denial } from '../http/route';
import { readStatement, signStatement } from '../statement';
import { apiError } from '../errors';

const KEY = 'x-sevenfold-call';

/** Clocks of machines differ; a call that waited for its connection is still one. */
const SLACK_MS = 30_000;
/** A stream may last for hours, but it is opened now. */
const LONGEST_WAIT_MS = 120_000;

export interface SignedCall {
  /** Name of the calling service. */
  readonly caller: string;
  /** `/package.Service/Method` */
  readonly method: string;
  readonly actor?: Actor;
  readonly deadlineMs: number;
}

export function signCall(metadata: Metadata, call: SignedCall, secret: string, now = Date.now()): void {
  const { caller, method, actor } = call;
  // A system actor is nobody, yet has rights: jobs act through it.
  const named = actor && (isLoggedIn(actor) || actor.capabilities.size > 0);
  const claims = { caller, method, ...(named && { actor: claimsOf(actor) }) };
  const until = now + Math.min(call.deadlineMs, LONGEST_WAIT_MS) + SLACK_MS;
  metadata.set(KEY, signStatement('call', claims, secret, until));
}

export interface Caller {
  readonly caller: string;
  /** The user on whose behalf another service asks; a stranger when none was named. */
  readonly actor: Actor;
}

/** Undefined when the call is not signed, not for this method, too late or malformed in any way. */
export function verifyCall(
  metadata: Metadata,
  method: string,
  secret: string,
  now = Date.now(),
): Caller | undefined {
  const [text, ...more] = metadata.get(KEY);
  if (typeof text !== 'string' || more.length > 0) return undefined;
  const claims = readStatement('call', text, secret, now);
  if (claims?.method !== method || typeof claims.caller !== 'string') return undefined;
  const actor = claims.actor === undefined ? stranger : actorOf(claims.actor);
  return actor && { caller: claims.caller, actor };
}

/** Codes of calls that no user can mend: the services' configuration is at odds. */
export const UNSIGNED = 'rpc_unsigned';
export const NOT_SERVED = 'rpc_not_served';

export const unsigned = (method: string): ApiError =>
  apiError(UNSIGNED, 401, `The call of ${method} carries no signature that is right and fresh.`);

export const notServed = (method: string, caller: string): ApiError =>
  apiError(NOT_SERVED, 403, `${method} does not serve ${caller}.`);

/** What a permission sees. As for routes it is a pure function, asked before anything is done. */
export interface RpcSubject<Q> extends Caller {
  readonly request: Q;
}

export type RpcPermission<Q> = (call: RpcSubject<Q>) => Denial | undefined;
