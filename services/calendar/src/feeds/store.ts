/** Events as feeds tell them. */
import { selectList } from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';
import { MOST_TITLE } from '@sevenfold/text/told';
import { shownColumns } from '../events/fields';
import type { EventRow } from '../events/store';

export interface TellableEvent extends EventRow {
  /** How often it was told anew (migrations/0014_event_sequence.sql). */
  readonly sequence: number;
}

const { titleHtml: _title, descriptionHtml: _description, excerptHtml: _excerpt, ...short } = shownColumns;

/** Of each text the beginning. */
const SELECT = `select ${selectList(short, 'e')}, left(e.description_html, $2) as "descriptionHtml",
  left(e.excerpt_html, $2) as "excerptHtml", left(e.title_html, ${MOST_TITLE}) as "titleHtml", e.sequence from events e where e.status = 'publish'`;

/** Those that are still published, in this order; of each text so many characters. */
export const findPublished = (db: Db, ids: readonly number[], mostText: number): Promise<TellableEvent[]> =>
  db.rows<TellableEvent>(
    `${SELECT} and e.id = any($1::bigint[]) order by array_position($1::bigint[], e.id)`,
    [ids, mostText],
  );

export const findPublishedBySlug = (
  db: Db,
  slug: string,
  mostText: number,
): Promise<TellableEvent | undefined> =>
  db.first<TellableEvent>(`${SELECT} and e.slug = $1 and e.slug <> ''`, [slug, mostText]);
