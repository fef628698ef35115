/** Rows of venues and organizers by id, in memory: events repeat the same few, and every answer shows them whole. */
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
    const missing: number[] = [];
    // All that is missing is asked for in one query, which starts when the whole list has been looked through.
    const query = Promise.resolve().then(async () =>
      missing.length === 0
        ? new Map<number, T>()
        : new Map((await find(missing)).map((row) => [row.id, row])),
    );
    const found = await Promise.all(
      wanted.map((id) =>
        rows.get(String(id), () => {
          missing.push(id);
          return query.then((byId) => byId.get(id));
        }),
      ),
    );
    return new Map(found.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  };
}
