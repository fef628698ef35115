/** Rows of a kind by id, in memory: events repeat the same few, and every answer shows them whole. */
import { getMany, placesOfText } from '@sevenfold/chassis/db/memory';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { CalendarMemory } from '../memory';
import type { FindRows, LinkedRow } from './fields';
import type { LinkedKind } from './kind';
import { findMany } from './store';

const LIFETIME_MS = 30_000;
const MOST = 5_000;

export function openRows<R extends LinkedRow>(
  db: Db,
  memory: CalendarMemory,
  kind: LinkedKind<R>,
): FindRows<R> {
  const rows = memory.cache<R | undefined>(['linked'], {
    lifetimeMs: LIFETIME_MS,
    most: MOST,
    placesOf: (row) => (row ? placesOfText(row.descriptionRaw.length + row.descriptionHtml.length) : 1),
  });
  const load = async (ids: readonly number[]): Promise<ReadonlyMap<string, R>> =>
    new Map((await findMany(db, kind, ids)).map((row) => [String(row.id), row]));
  return async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => id !== 0);
    const found = await getMany(rows, wanted, String, load);
    return new Map(found.flatMap((row) => (row ? [[row.id, row] as const] : [])));
  };
}
