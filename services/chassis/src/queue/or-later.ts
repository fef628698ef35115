/**
 * What a job asks of others: where they are away it waits, which is no try of it, however long that takes. Every other failure
 * is one.
 */
import { toApiError } from '../errors';
import { isOutage } from '../grpc/errors';
import { TryLater } from './jobs';

export async function orLater<T>(seconds: number, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw laterAfter(error, seconds) ?? error;
  }
}

/** What a job throws after an outage; undefined after anything else. */
export function laterAfter(error: unknown, seconds: number): TryLater | undefined {
  const known = toApiError(error);
  return isOutage(known) ? new TryLater(known.message, seconds, error) : undefined;
}
