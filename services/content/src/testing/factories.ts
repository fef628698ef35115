/** Valid rows for tests, straight into the tables; a test states only what it is about. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Role, capabilitiesOf } from '../users/roles';

let counter = 0;
const next = (): number => (counter += 1);

/** A user with the role, as an actor that can be spoken for. Without a role the user has no rights at all. */
export async function makeUser(db: Db, role?: Role, fields: Record<string, unknown> = {}): Promise<Actor> {
  const n = next();
  const values = {
    username: `${role ?? 'nobody'}${n}`,
    email: `user${n}@site.test`,
    slug: `${role ?? 'nobody'}-${n}`,
    name: `User ${n}`,
    url: '',
    password_hash: '!',
    roles: role ? [role] : [],
    ...fields,
  };
  const row = await insert<{
    id: number;
    username: string;
    name: string;
    email: string;
    url: string;
    roles: string[];
  }>(db, 'users', values);
  return {
    id: row.id,
    username: row.username,
    name: row.name,
    email: row.email,
    url: row.url,
    roles: row.roles,
    capabilities: capabilitiesOf(row.roles),
  };
}

export async function makeTerm(
  db: Db,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; name: string; slug: string }> {
  const n = next();
  return insert(db, 'terms', { taxonomy: 'category', name: `Term ${n}`, slug: `term-${n}`, ...fields });
}

/** A published post, unless said otherwise. Counters of terms are not touched. */
export async function makePost(
  db: Db,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; slug: string }> {
  const n = next();
  return insert(db, 'posts', {
    type: 'post',
    status: 'publish',
    slug: `post-${n}`,
    author: 0,
    date_local: '2024-01-02 03:04:05',
    date_gmt: '2024-01-02 03:04:05Z',
    modified_local: '2024-01-02 03:04:05',
    modified_gmt: '2024-01-02 03:04:05Z',
    guid: `http://site.test/?p=test-${n}`,
    title_raw: `Post ${n}`,
    title_html: `Post ${n}`,
    content_raw: `Body ${n}`,
    content_html: `<p>Body ${n}</p>\n`,
    excerpt_html: `<p>Body ${n}</p>\n`,
    path: `2024/01/02/post-${n}`,
    ...fields,
  });
}

export async function makeComment(db: Db, fields: Record<string, unknown> = {}): Promise<{ id: number }> {
  const n = next();
  return insert(db, 'comments', {
    post: 0,
    author_name: `Visitor ${n}`,
    author_email: `visitor${n}@site.test`,
    author_ip: '192.0.2.1',
    date_local: '2024-01-03 03:04:05',
    date_gmt: '2024-01-03 03:04:05Z',
    content_raw: `Comment ${n}`,
    content_html: `<p>Comment ${n}</p>\n`,
    status: 'approved',
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
