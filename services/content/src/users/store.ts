/** The users' SQL. Password hashes stay out of the rows: nothing but the check of a password reads them. */
import type { Found } from '@sevenfold/chassis/db/list';
import type { OrderKey, SkippedBy } from '@sevenfold/chassis/db/selection';
import { type SearchedFor, listWhole, searchFor } from '@sevenfold/chassis/db/page';
import type { Searched } from '@sevenfold/chassis/db/search';
import { type Db, Conditions } from '@sevenfold/chassis/db/sql';
import { likePattern } from '@sevenfold/text/search';
import type { Version } from '../common/versions';
import { type ListedOrder, listedAuthors } from './listed';
import { rolesThatMay } from './roles';

/** As whoever it is sees himself. */
export interface OwnRow {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly slug: string;
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname: string;
  readonly url: string;
  readonly description: string;
  readonly locale: string;
  readonly roles: string[];
  readonly registeredAt: string;
}

export interface UserRow extends OwnRow {
  /** Whether a post or page of this user is published: such users are visible to everybody. */
  readonly published: boolean;
}

export type NewUser = Omit<UserRow, 'id' | 'registeredAt' | 'published'> & { readonly passwordHash: string };
export type UserChanges = Partial<Omit<NewUser, 'username'>>;

const OPEN = `status = 'publish' and type in ('post', 'page')`;
/** In order, so that PostgreSQL takes the index of authors for each user, whatever it believes of the table. */
const HAS_PUBLISHED = `coalesce((select author from posts where ${OPEN} and author >= u.id order by author limit 1) = u.id, false)`;

/** Columns of a user `u`, for statements of other files of this folder. */
export const COLUMNS = `u.id, u.username, u.email, u.slug, u.name, u.first_name as "firstName", u.last_name as "lastName",
  u.nickname, u.url, u.description, u.locale, u.roles, u.registered_at as "registeredAt"`;

const USER = `${COLUMNS}, ${HAS_PUBLISHED} as published`;

export const findById = (db: Db, id: number): Promise<UserRow | undefined> =>
  db.first<UserRow>(`select ${USER} from users u where u.id = $1`, [id]);

/** Nobody needs to look for what a user has published to show him to himself. */
export const findOwn = (db: Db, id: number): Promise<OwnRow | undefined> =>
  db.first<OwnRow>(`select ${COLUMNS} from users u where u.id = $1`, [id]);

export const findMany = (
  db: Db,
  ids: readonly number[],
): Promise<(UserRow & { readonly version: string })[]> =>
  db.rows(`select ${USER}, u.xmin::text as version from users u where u.id = any($1::bigint[])`, [ids]);

export const findBySlug = (db: Db, slug: string): Promise<UserRow | undefined> =>
  db.first<UserRow>(`select ${USER} from users u where u.slug = $1`, [slug]);

export const listVersions = (db: Db, afterId: number, limit: number): Promise<Version[]> =>
  db.rows<Version>('select id, xmin::text as version from users where id > $1 order by id limit $2', [
    afterId,
    limit,
  ]);

/** By user name, else by e-mail address. */
export const findByLogin = (db: Db, login: string): Promise<UserRow | undefined> =>
  db.first<UserRow>(
    `select ${USER} from users u
     where lower(u.username) = lower($1) or (u.email <> '' and lower(u.email) = lower($1))
     order by lower(u.username) = lower($1) desc limit 1`,
    [login],
  );

export interface UserFilter {
  readonly search?: string;
  /** Whether `search` looks at e-mail addresses. */
  readonly searchEmail?: boolean;
  readonly include?: readonly number[];
  readonly exclude?: readonly number[];
  readonly slugs?: readonly string[];
  readonly roles?: readonly string[];
  /** Only who has published something. */
  readonly publishedOnly?: boolean;
  /** Only who may write posts. */
  readonly writersOnly?: boolean;
  readonly orderBy:
    'id' | 'include' | 'name' | 'registered_date' | 'slug' | 'include_slugs' | 'email' | 'url';
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  readonly skippedBy?: SkippedBy;
}

const SEARCHED: Searched = { text: 'u.search_text', title: 'u.search_text' };
const EMAIL: Searched = { text: 'lower(u.email)', title: 'u.email' };

/** One page and the number of all, in one statement. */
export async function list(db: Db, filter: UserFilter): Promise<Found<UserRow>> {
  const where = new Conditions();
  if (filter.writersOnly) where.add('u.roles && ?::text[]', rolesThatMay('edit_posts'));
  if (filter.roles) where.add('u.roles && ?::text[]', filter.roles);
  if (filter.slugs) where.add('u.slug = any(?::text[])', filter.slugs);
  if (filter.include) where.add('u.id = any(?::bigint[])', filter.include);
  const once = where.parts.length > 0;
  const listed = filter.publishedOnly && !once && !filter.search && listedOrder(filter.orderBy);
  if (listed) return listListed(db, filter, listed);
  // It is asked of the rows that are looked at.
  if (filter.publishedOnly) where.check(HAS_PUBLISHED);
  if (!filter.include && filter.exclude) where.check('u.id <> all(?::bigint[])', filter.exclude);
  const key = orderKey(filter, where);
  const order = [key, 'u.id'].map((sql) => ({ sql, direction: filter.order }));
  return listWhole<UserRow>(
    db,
    {
      table: 'users',
      as: 'u',
      columns: USER,
      conditions: where,
      order,
      search: filter.search ? searchFor(where, order, searchedFor(filter, filter.search)) : undefined,
      once,
    },
    { skip: filter.offset, size: filter.limit, by: filter.skippedBy },
  );
}

/** All who have published something: those of one statement have by the rows of its moment, so it is not asked again. */
function listListed(db: Db, filter: UserFilter, by: ListedOrder): Promise<Found<UserRow>> {
  const conditions = new Conditions();
  const listed = listedAuthors(conditions, by, filter.order, filter.exclude);
  return listWhole<UserRow>(
    db,
    {
      table: 'users',
      as: 'u',
      columns: `${COLUMNS}, true as published`,
      conditions,
      order: listed.along.order,
      ...listed,
    },
    { skip: filter.offset, size: filter.limit, by: filter.skippedBy },
  );
}

/** Others are for those who may list users, who see all of them. */
function listedOrder(orderBy: UserFilter['orderBy']): ListedOrder | undefined {
  switch (orderBy) {
    case 'email':
    case 'registered_date':
      return undefined;
    case 'include':
    case 'include_slugs':
      return 'name';
    default:
      return orderBy;
  }
}

/** As what is kept of those who have published something is ordered (migrations/0041_listed_authors.sql). */
const URL_KEY = 'left(u.url, 200)';

const byName: readonly OrderKey[] = [
  { sql: 'lower(u.name)', direction: 'asc' },
  { sql: 'u.id', direction: 'asc' },
];

/** Orders whose index knows which users come first. */
const INDEXED: ReadonlySet<string> = new Set(['lower(u.name)', 'u.registered_at', 'u.slug', 'u.id']);

const searchedFor = ({ searchEmail }: UserFilter, term: string): SearchedFor => ({
  term,
  columns: searchEmail ? [SEARCHED, EMAIL] : [SEARCHED],
  indexed: INDEXED,
  first: byName,
  text: 'u.search_text',
});

function orderKey(filter: UserFilter, where: Conditions): string {
  switch (filter.orderBy) {
    case 'id':
      return 'u.id';
    case 'registered_date':
      return 'u.registered_at';
    case 'slug':
      return 'u.slug';
    case 'email':
      return 'lower(u.email)';
    case 'url':
      return URL_KEY;
    case 'include':
      if (filter.include) return `array_position(${where.value(filter.include)}::bigint[], u.id)`;
      break;
    case 'include_slugs':
      if (filter.slugs) return `array_position(${where.value(filter.slugs)}::text[], u.slug)`;
      break;
    case 'name':
      break;
  }
  return 'lower(u.name)';
}

export interface Taken {
  readonly username: boolean;
  readonly email: boolean;
  readonly slug: boolean;
}

/** Of another user than $4, in whichever column: people log in with both, and what names two of them locks one out. */
const isLogInOfAnother = (value: string): string =>
  `exists (select from users where (lower(username) = lower(${value}) or (email <> '' and lower(email) = lower(${value})))
     and id <> $4)`;

/** Which of the values another user has; empty text asks nothing. */
export async function findTaken(
  db: Db,
  values: { username?: string; email?: string; slug?: string; except?: number },
): Promise<Taken> {
  const row = await db.first<Taken>(
    `select ${isLogInOfAnother('$1')} as username, ${isLogInOfAnother('$2')} as email,
            exists (select from users where slug = $3 and id <> $4) as slug`,
    [values.username ?? '', values.email ?? '', values.slug ?? '', values.except ?? 0],
  );
  return row as Taken;
}

/** Whoever wants to log in with one of these waits until the transaction ends, and sees then what was taken. */
export const lockLogIns = (tx: Db, names: readonly string[]): Promise<number> =>
  tx.run(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended('login:' || lower(name), 1) as key from unnest($1::text[]) as name order by 1) as keys`,
    [names],
  );

/** Whoever wants the same slug waits until the transaction ends, and sees then what was taken. */
export const lockSlug = (tx: Db, slug: string): Promise<number> =>
  tx.run('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`user:${slug}`]);

/** The slugs that start like this one, up to the length where a number is put behind it. */
export async function slugsLike(db: Db, slug: string): Promise<string[]> {
  const start = likePattern(slug.slice(0, 190)).slice(1);
  const rows = await db.rows<{ slug: string }>('select slug from users where slug like $1', [start]);
  return rows.map((row) => row.slug);
}

const columnOf: Readonly<Record<keyof NewUser, string>> = {
  username: 'username',
  email: 'email',
  slug: 'slug',
  name: 'name',
  firstName: 'first_name',
  lastName: 'last_name',
  nickname: 'nickname',
  url: 'url',
  description: 'description',
  locale: 'locale',
  roles: 'roles',
  passwordHash: 'password_hash',
};

export async function insert(tx: Db, user: NewUser): Promise<UserRow> {
  const names = Object.keys(columnOf) as (keyof NewUser)[];
  const row = await tx.first<UserRow>(
    `insert into users as u (${names.map((name) => columnOf[name]).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')})
     returning ${COLUMNS}, false as published`,
    names.map((name) => user[name]),
  );
  return row as UserRow;
}

/** Undefined when the user is gone. */
export function update(tx: Db, id: number, changes: UserChanges): Promise<UserRow | undefined> {
  const names = Object.keys(changes) as (keyof UserChanges)[];
  return tx.first<UserRow>(
    `update users u set ${names.map((name, index) => `${columnOf[name]} = $${index + 2}`).join(', ')}
     where u.id = $1 returning ${USER}`,
    [id, ...names.map((name) => changes[name])],
  );
}

export const remove = (tx: Db, id: number): Promise<number> =>
  tx.run('delete from users where id = $1', [id]);

/**
 * Locks the users and every administrator, in one order, so that two requests cannot each take away the other's last
 * administrator. Answers those that exist. What names them, such as their sessions, is still made meanwhile.
 */
export const lockWithAdministrators = (
  tx: Db,
  ids: readonly number[],
): Promise<{ id: number; roles: string[] }[]> =>
  tx.rows(
    `select id, roles from users where id = any($1::bigint[]) or roles @> '{administrator}'
      order by id for no key update`,
    [ids],
  );

/** 0 where there is none. */
export const findFirstAdministrator = async (db: Db): Promise<number> =>
  (
    await db.first<{ id: number }>(
      `select id from users where roles @> '{administrator}' order by id limit 1`,
    )
  )?.id ?? 0;

export const hasAdministrator = async (db: Db): Promise<boolean> =>
  (await db.first(`select from users where roles @> '{administrator}' limit 1`)) !== undefined;
