/** Events as feeds tell them. */
import { selectList } from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';
import { shownColumns } from '../events/fields';
import type { EventRow } from '../events/store';

export interface TellableEvent extends EventRow {
  /** How often it was told anew (migrations/0014_event_sequence.sql). */
  readonly sequence: number;
}

const SELECT = `select ${selectList(shownColumns, 'e')}, e.sequence from events e where e.status = 'publish'`;

/** Those that are still published, in this order. */
export const findPublished = (db: Db, ids: readonly number[]): Promise<TellableEvent[]> =>
  db.rows<TellableEvent>(
    `${SELECT} and e.id = any($1::bigint[]) order by array_position($1::bigint[], e.id)`,
    [ids],
  );

export const findPublishedBySlug = (db: Db, slug: string): Promise<TellableEvent | undefined> =>
  db.first<TellableEvent>(`${SELECT} and e.slug = $1 and e.slug <> ''`, [slug]);
