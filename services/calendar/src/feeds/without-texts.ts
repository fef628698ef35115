/** Venues and organizers for those who name many and tell none of their texts, which may be of megabytes together. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import type { FindRows, LinkedRow } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { findMany } from '../linked/store';

export const withoutTexts = (db: Db): Deps['linked'] => ({
  venues: rowsOf(db, venueKind),
  organizers: rowsOf(db, organizerKind),
});

const rowsOf =
  <R extends LinkedRow>(db: Db, kind: LinkedKind<R>): FindRows<R> =>
  async (ids) => {
    const wanted = [...new Set(ids)].filter((id) => id !== 0);
    if (wanted.length === 0) return new Map();
    const rows = await findMany(db, { ...kind, columns: kind.shortColumns }, wanted);
    return new Map(rows.map((row) => [row.id, row]));
  };
