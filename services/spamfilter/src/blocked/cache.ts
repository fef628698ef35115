/** The list in memory, dropped when PostgreSQL says that a commit changed it. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { SpamMemory } from '../memory';
import { type Blocked, list } from './store';

export type BlockedCache = () => Promise<readonly Blocked[]>;

export function openBlocked(db: Db, memory: SpamMemory): BlockedCache {
  const copy = memory.cache<readonly Blocked[]>(['blocked'], { lifetimeMs: 60_000, most: 1 });
  return () => copy.get('', () => list(db));
}
