/**
 * The transaction of a write of posts. Two writers may stand in each other's way (a post gains a term while the term
 * is deleted): PostgreSQL then ends one of them, which simply tries again.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';
import type { Deps } from '../deps';

const MOST_TRIES = 4;

/** Runs the work, again when it lost against another writer; afterwards this process forgets its lists. */
export async function retrying<T>(
  deps: Pick<Deps, 'db' | 'memory'>,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.db.transaction(work);
    } catch (error) {
      if (attempt === MOST_TRIES || !lostTheRace(error)) throw error;
    } finally {
      deps.memory.forget('posts');
    }
  }
}

function lostTheRace(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  return (
    error.code === '40P01' || error.code === '40001' || (error.constraint?.startsWith('posts_slug_') ?? false)
  );
}
