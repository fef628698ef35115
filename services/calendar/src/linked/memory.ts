/** Rows of venues and organizers by id, in memory: events repeat the same few, and every answer shows them whole. */
import { getMany } from '@sevenfold/chassis/db/memory';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { CalendarMemory } from '../memory';
import { organizerKind, venueKind } from './kinds';
import type { Linked } from './linked';
import { findMany } from './store';

export function openLinked(db: Db, memory: CalendarMemory): Linked {
  return {
    venues: loader(memory, (ids) => findMany(db, venueKind, ids)),
    organizers: loader(memory, (ids) => findMany(db, organizerKind, ids)),
  };
}

const LIFETIME_MS = 30_000;
const MOST = 5_000;

function loader<T extends { id: number }>(
  memory: CalendarMemory,
  find: (ids: readonly number[]) => Promise<T[]>,
): (ids: readonly number[]) => Promise<ReadonlyMap<number, T>> {
  const rows = memory.cache<T | undefined>(['linked'], { lifetimeMs: LIFETIME_MS, most: MOST });
  return async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => id !== 0);
    const found = await getMany(
      rows,
      wanted,
      String,
      async (missing) => new Map((await find(missing)).map((row) => [String(row.id), row])),
    );
    return new Map(found.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  };
}
