/**
 * Every row of a site that something moved into, in a form that two sites can be compared by: what got its number here, and
 * not from the export, is named by what it is. Left out is what is about the moment of writing alone.
 */
import type { CalendarSite } from '@sevenfold/calendar/testing/service';
import type { Db } from '@sevenfold/chassis/db/sql';

type Row = Record<string, unknown>;
type Names = ReadonlyMap<number, string>;

/** Names of tables, with what identifies a row of theirs in the order of the lists. */
const CONTENT = [
  'posts',
  'media',
  'media_files',
  'comments',
  'terms',
  'users',
  'imported_objects',
  'pending_links',
  'kept_ids',
];
const CALENDAR = ['events', 'venues', 'organizers', 'moved_objects', 'kept_ids'];

const LEFT_OUT: ReadonlySet<string> = new Set([
  'created_at',
  'registered_at',
  'reserved_at',
  'password_hash',
  'upload',
  'search_text',
]);

/**
 * Which rows of a table are compared. Each test has users of its own, who move in with nobody; and an upload that was cut
 * holds its names until it is swept away, and for a year after.
 */
const COMPARED: Readonly<Record<string, string>> = {
  users: `where email not like '%@site.test'`,
  media_files: 'where media is not null',
};

const mapOf = async (db: Db, sql: string): Promise<Names> =>
  new Map((await db.rows<{ id: number; name: string }>(sql)).map(({ id, name }) => [id, name]));

export async function allRows(site: CalendarSite): Promise<Record<string, string[]>> {
  const { db } = site.content.deps;
  const users = await mapOf(db, 'select id, username as name from users');
  const terms = await mapOf(db, `select id, taxonomy || '/' || slug as name from terms`);
  const objects = await mapOf(
    db,
    `select id, 'object ' || foreign_id as name from imported_objects where kind = 'post'`,
  );
  const comments = await mapOf(
    db,
    `select id, 'comment ' || foreign_id as name from imported_objects where kind = 'comment'`,
  );
  const byColumn: Readonly<Record<string, Names>> = {
    author: users,
    categories: terms,
    tags: terms,
    category_ids: terms,
    tag_ids: terms,
    post: objects,
    post_id: objects,
    media: objects,
    featured_media: objects,
    image_id: objects,
    venue_id: objects,
    organizer_ids: objects,
  };
  const own: Readonly<Record<string, Names>> = { comments, terms, users };
  const name = (names: Names | undefined, value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((one) => name(names, one))
      : typeof value === 'number'
        ? (names?.get(value) ?? value)
        : value;
  const shown = (table: string, row: Row): string =>
    JSON.stringify(
      Object.entries(row)
        .filter(([column]) => !LEFT_OUT.has(column))
        .map(([column, value]) => {
          const isOwn = column === 'id' || column === 'parent';
          const kind = row.kind === 'comment' ? comments : objects;
          return [column, name(isOwn ? (own[table] ?? kind) : byColumn[column], value)];
        }),
    );
  const listOf = async (of: Db, table: string): Promise<string[]> =>
    (await of.rows<Row>(`select * from ${table} ${COMPARED[table] ?? ''}`))
      .map((row) => shown(table, row))
      .sort();
  const lists: Record<string, string[]> = {};
  for (const table of CONTENT) lists[table] = await listOf(db, table);
  for (const table of CALENDAR) lists[`calendar ${table}`] = await listOf(site.deps.db, table);
  // Counters, as sums.
  lists.counts = (
    await db.rows<Row>(
      `select type, status, sum(n) as n from post_counts group by 1, 2 having sum(n) <> 0
       union all select 'comment', status, sum(total) from comment_totals group by status having sum(total) <> 0`,
    )
  )
    .map((row) => JSON.stringify(row))
    .sort();
  return lists;
}
