/**
 * Clients that leave while something is waited for. Whatever is counted until their response closes is given back by
 * nobody once it has closed; so nothing is begun for them any more.
 */
import { errors } from './errors';
import type { Exchange } from './exchange';

/** Throws where the client has left. Nobody sees that, neither the client nor the log. */
export function refuseGone({ response }: Pick<Exchange, 'response'>): void {
  if (response.destroyed) throw errors.requestTimeout();
}
