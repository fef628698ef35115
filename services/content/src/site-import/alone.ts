/**
 * Anything in an export can fail alone: what makes no sense here is told with its place and its reason, and the rest goes
 * on. What is nobody's fault but ours or the machine's (a database that went away) ends the import.
 */
import { ApiError, isPostgresError, toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import { Superseded } from '../media/add';
import type { Report, Skipped } from './report';

/** Undefined where it failed. */
export async function alone<T>(
  report: Report,
  what: Omit<Skipped, 'reason'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    report.skip({ ...what, reason });
    return undefined;
  }
}

/** Undefined: it is not the fault of what was to be done. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof Superseded) return error.message;
  // Values that cannot be stored, now or ever: too long for an index, out of range, refused by a rule of a table.
  if (isPostgresError(error))
    return /^(?:22|23|54)/.test(error.code ?? '')
      ? `it holds a value that cannot be stored (${error.constraint ?? error.code ?? ''})`
      : undefined;
  const known = toApiError(error);
  return error instanceof ApiError && known.status < 500 && !isOutage(known) ? known.message : undefined;
}
