/** Rows of events. Reads leave out the raw texts, which are as large as the rendered ones and never shown. */
import { insertList, selectList, updateList } from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';
import { editedAfter } from '../common/edited';
import { importedOf } from '../common/fields';
import { type EventRow, type FullEventRow, shownColumns, writtenColumns } from './fields';

export type { EventRow, FullEventRow };

const COLUMNS = selectList(shownColumns, 'e');
const FULL_COLUMNS = selectList({ ...shownColumns, ...writtenColumns }, 'e');

/** One version of one event: a write makes another. */
export interface EventVersion {
  readonly id: number;
  readonly version: string;
}

/** For `select … from events e`. */
export const VERSION = 'e.id, e.xmin::text as version';

/** What rights are asked about. */
export interface EventSubject extends EventVersion {
  readonly status: string;
  readonly statusBeforeTrash: string;
  readonly author: number;
}

const SUBJECT = `${VERSION}, e.status, e.status_before_trash as "statusBeforeTrash", e.author`;

export const findSubject = (db: Db, id: number): Promise<EventSubject | undefined> =>
  db.first<EventSubject>(`select ${SUBJECT} from events e where e.id = $1`, [id]);

export const findSubjectBySlug = (db: Db, slug: string): Promise<EventSubject | undefined> =>
  db.first<EventSubject>(`select ${SUBJECT} from events e where e.slug = $1 and e.slug <> ''`, [slug]);

export const findById = (db: Db, id: number): Promise<EventRow | undefined> =>
  db.first<EventRow>(`select ${COLUMNS} from events e where e.id = $1`, [id]);

/** Bytes of the texts that an event shows, of what it is linked to as well. */
const SIZE = `octet_length(e.title_html) + octet_length(e.description_html) + octet_length(e.excerpt_html)
  + coalesce((select octet_length(v.description_html) + octet_length(v.search_text) from venues v where v.id = e.venue_id), 0)
  + coalesce((select sum(octet_length(o.description_html) + octet_length(o.search_text)) from organizers o where o.id = any(e.organizer_ids)), 0)
  + coalesce((select sum(octet_length(k.description)) from known_terms k where k.id = any(e.category_ids || e.tag_ids)), 0)`;

export interface FoundVersion extends EventVersion {
  /** Undefined where its texts have more bytes than were asked for. */
  readonly row?: EventRow;
}

/** What is there of these, as it is now; whole rows as long as their texts have so many bytes at most. */
export async function findVersions(
  db: Db,
  ids: readonly number[],
  mostBytes: number,
): Promise<FoundVersion[]> {
  const found = await db.rows<EventRow & { listed: number; version: string }>(
    `select found.id as listed, found.version, t.*
     from (select ${VERSION}, ${SIZE} as bytes from events e where e.id = any($1::bigint[])) as found
     left join lateral (select ${COLUMNS} from events e where e.id = found.id and found.bytes <= $2::bigint) as t on true`,
    [ids, mostBytes],
  );
  return found.map(({ listed, version, ...row }) => ({
    id: listed,
    version,
    row: (row.id as number | null) === null ? undefined : row,
  }));
}

/** The row of a write: nobody else changes it until the transaction ends. */
export const lockById = (tx: Db, id: number): Promise<FullEventRow | undefined> =>
  tx.first<FullEventRow>(`select ${FULL_COLUMNS} from events e where e.id = $1 for update`, [id]);

const TEXT = {
  id: shownColumns.id,
  status: shownColumns.status,
  slug: shownColumns.slug,
  categoryIds: shownColumns.categoryIds,
  tagIds: shownColumns.tagIds,
  descriptionRaw: writtenColumns.descriptionRaw,
  descriptionHtml: shownColumns.descriptionHtml,
} as const;
const TEXT_COLUMNS = selectList(TEXT, 'e');

/** What is told of an event, and its description. */
export type EventText = Pick<FullEventRow, keyof typeof TEXT>;

/** As `lockById`; in the order in which everybody locks several. */
export const lockTexts = (tx: Db, ids: readonly number[]): Promise<EventText[]> =>
  tx.rows<EventText>(
    `select ${TEXT_COLUMNS} from events e where e.id = any($1::bigint[]) order by e.id for update`,
    [ids],
  );

/** Renderings of descriptions, which nobody has written. */
export const updateHtml = (
  tx: Db,
  rows: readonly { readonly id: number; readonly html: string }[],
): Promise<number> =>
  tx.run(
    `update events e set description_html = r.html
     from unnest($1::bigint[], $2::text[]) as r (id, html) where e.id = r.id`,
    [rows.map(({ id }) => id), rows.map(({ html }) => html)],
  );

export type EventChanges = Partial<Omit<FullEventRow, 'id'>>;

// Lists go over the wire as PostgreSQL arrays, objects as JSON.
const wire = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name === 'costDetails' ? JSON.stringify(value) : (value as unknown),
    ]),
  );

export async function insert(tx: Db, row: EventChanges & Pick<EventRow, 'id'>): Promise<void> {
  const { text, values } = insertList(wire(row));
  await tx.run(`insert into events ${text}`, values);
}

const imported = new Set([
  ...importedOf({ ...shownColumns, ...writtenColumns }).map(({ name }) => name),
  // Imports name an address; the picture that was fetched from it stands here.
  'image_id',
]);

/** What differs in what imports write as well is noted as a person's, but for renderings. */
export async function update(tx: Db, id: number, changes: EventChanges): Promise<void> {
  const { text, values } = updateList(wire(changes));
  if (values.length === 0) return;
  const edited = editedAfter(changes, imported);
  await tx.run(
    `update events t set ${text}${edited === undefined ? '' : `, edited = ${edited}`} where t.id = $1`,
    [id, ...values],
  );
}

/**
 * Scheduled for a moment that has come: by the clock of the database, which says when the job runs and what the sweep finds, and which
 * may be a little behind the one that the job was timed by.
 */
const DUE = `status = 'future' and date_utc <= now() + interval '1 second'`;

/** As `lockById`, where its moment has come. */
export const lockDue = (tx: Db, id: number): Promise<FullEventRow | undefined> =>
  tx.first<FullEventRow>(`select ${FULL_COLUMNS} from events e where e.id = $1 and ${DUE} for update`, [id]);

/** The scheduled ones whose moment has come. */
export const findDue = async (db: Db, limit: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(`select id from events where ${DUE} order by date_utc limit $1`, [limit])
  ).map(({ id }) => id);
