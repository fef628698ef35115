/**
 * Writes that are to be done only where nobody else has written meanwhile. Nothing that can be written has a tag that its writer
 * was given, so nobody could tell; done without a look at the condition they would undo what it was to protect.
 */
import { isAny } from '@sevenfold/chassis/http/conditional';
import { errors } from './errors';
import type { Exchange } from './exchange';

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Throws 412, before anything is done. `If-Match: *` says no more than that there is something to be written. */
export function refuseConditionalWrite({ sentMethod, request }: Exchange): void {
  if (!WRITES.has(sentMethod)) return;
  const { 'if-match': wanted, 'if-none-match': unwanted } = request.headers;
  if ((wanted !== undefined && !isAny(wanted)) || (unwanted !== undefined && isAny(unwanted)))
    throw errors.conditionalWrite();
}
