/** Reading many things of which one may be unreadable: it takes no other with it. */
import { toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';

/**
 * What `read` makes of all, in halves where it fails, each of them a reading of its own: of those that fail alone `leave` is told, and
 * what it answers stands for them. Throws where nothing of many can be read, or an owner is away: later all of it can.
 */
export async function readApart<K, T>(
  keys: readonly K[],
  read: (some: readonly K[]) => Promise<T>,
  leave: (key: K, error: unknown) => T,
): Promise<T[]> {
  let firstError: unknown;
  let left = 0;
  const readSome = async (some: readonly K[]): Promise<T[]> => {
    try {
      return [await read(some)];
    } catch (error) {
      if (isOutage(toApiError(error))) throw error;
      firstError ??= error;
      if (some.length === 1) {
        left += 1;
        return [leave(some[0] as K, error)];
      }
      const half = Math.ceil(some.length / 2);
      return [...(await readSome(some.slice(0, half))), ...(await readSome(some.slice(half)))];
    }
  };
  const all = await readSome(keys);
  if (left > 1 && left === keys.length) throw firstError;
  return all;
}
