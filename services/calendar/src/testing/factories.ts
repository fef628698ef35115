/** Valid rows for tests, straight into the tables; a test states only what it is about. */
import type { Db } from '@sevenfold/chassis/db/sql';

let counter = 0;
const next = (): number => (counter += 1);

const PUBLISHED = {
  status: 'publish',
  author: 0,
  date_local: '2024-01-02 03:04:05',
  date_utc: '2024-01-02 03:04:05Z',
  date_chosen: true,
  modified_local: '2024-01-02 03:04:05',
  modified_utc: '2024-01-02 03:04:05Z',
};

/** A published event of one hour in 2030 in UTC, unless said otherwise. `start_local`, when given, is the start in UTC too. */
export async function makeEvent(
  db: Db,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; slug: string }> {
  const n = next();
  const start = (fields.start_local ?? '2030-05-01 10:00:00') as string;
  const end = (fields.end_local ?? `${start.slice(0, 10)} 23:00:00`) as string;
  return insert(db, 'events', {
    ...PUBLISHED,
    slug: `event-${n}`,
    title_raw: `Event ${n}`,
    title_html: `Event ${n}`,
    description_raw: `Body ${n}`,
    description_html: `<p>Body ${n}</p>\n`,
    timezone: 'UTC',
    start_local: start,
    end_local: end,
    start_utc: `${start}Z`,
    end_utc: `${end}Z`,
    cost_details: '{"symbol":"","position":"","values":[],"shown":[]}',
    ...fields,
  });
}

export function makeVenue(
  db: Db,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; slug: string }> {
  const n = next();
  return insert(db, 'venues', { ...PUBLISHED, slug: `venue-${n}`, name: `Venue ${n}`, ...fields });
}

export function makeOrganizer(
  db: Db,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; slug: string }> {
  const n = next();
  return insert(db, 'organizers', {
    ...PUBLISHED,
    slug: `organizer-${n}`,
    name: `Organizer ${n}`,
    ...fields,
  });
}

async function insert<T extends object>(db: Db, table: string, fields: Record<string, unknown>): Promise<T> {
  const names = Object.keys(fields);
  const row = await db.first<T>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
    Object.values(fields),
  );
  return row as T;
}
