/**
 * Application passwords: what programs log in with instead of a person's password. Stored hashed, shown once, named,
 * and revoked one by one. Revoked rows stay, so that it can be told which password did what.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { invalidParam } from '@sevenfold/chassis/errors';
import { cleanText } from '@sevenfold/text/text';
import { isUuid } from '../common/uuid';
import { announceChange } from './announce';
import { hashSecret, hintOf, makeSecret } from './secrets';
import { COLUMNS, type UserRow } from './store';
import { apiError } from '../errors';

export interface ApplicationPassword {
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly lastAddress: string;
}

const PASSWORD = `id, user_id as "userId", name, created_at as "createdAt", last_used_at as "lastUsedAt", last_address as "lastAddress"`;

// Bounds what a user can pile up, and with it the hashes that may have to be checked at a log-in.
const MOST_ACTIVE = 100;
const NAME_LENGTH = 100;

/** Those that work, newest first. */
export const list = (db: Db, userId: number): Promise<ApplicationPassword[]> =>
  db.rows(
    `select ${PASSWORD} from application_passwords where user_id = $1 and revoked_at is null order by created_at desc, id`,
    [userId],
  );

/** Makes one, which `by` asks for; the secret is in the answer and nowhere else. */
export async function create(
  db: Pick<Database, 'transaction'>,
  userId: number,
  givenName: string,
  by = '',
): Promise<{ password: ApplicationPassword; secret: string }> {
  const name = cleanText(givenName);
  if (name === '' || name.length > NAME_LENGTH)
    throw invalidParam(
      'name',
      `name must have 1 to ${NAME_LENGTH} characters; it says what the password is for.`,
    );
  const secret = makeSecret();
  const hash = await hashSecret(secret, by);
  const password = await db.transaction(async (tx) => {
    const owner = await tx.first('select from users where id = $1 for update', [userId]);
    if (!owner) throw apiError('rest_user_invalid_id', 404, 'There is no such user.');
    const active = await tx.first<{ count: number }>(
      'select count(*) as count from application_passwords where user_id = $1 and revoked_at is null',
      [userId],
    );
    if ((active?.count ?? 0) >= MOST_ACTIVE)
      throw apiError(
        'too_many_application_passwords',
        409,
        `A user has at most ${MOST_ACTIVE} application passwords. Revoke one first.`,
      );
    return insert(tx, userId, name, { hash, hint: hintOf(secret) });
  });
  return { password, secret };
}

export async function insert(
  tx: Db,
  userId: number,
  name: string,
  stored: { hash: string; hint: number; isConfigured?: boolean },
): Promise<ApplicationPassword> {
  const row = await tx.first<ApplicationPassword>(
    `insert into application_passwords (user_id, name, hash, hint, is_configured) values ($1, $2, $3, $4, $5) returning ${PASSWORD}`,
    [userId, name, stored.hash, stored.hint, stored.isConfigured ?? false],
  );
  return row as ApplicationPassword;
}

/** From the commit on it works nowhere: every process hears of it and drops what it remembers. */
export async function revoke(tx: Db, userId: number, id: string): Promise<void> {
  const touched = isUuid(id)
    ? await tx.run(
        'update application_passwords set revoked_at = now() where id = $1 and user_id = $2 and revoked_at is null',
        [id, userId],
      )
    : 0;
  if (touched === 0)
    throw apiError('rest_application_password_not_found', 404, 'This user has no such application password.');
  await announceChange(tx, userId);
}

export interface Candidate {
  readonly id: string;
  readonly hash: string;
  readonly lastUsedAt: string | null;
}

export interface LogIn {
  readonly user: UserRow;
  readonly passwordHash: string;
  readonly candidates: readonly Candidate[];
}

/** By a log-in name, else by an e-mail address. */
const NAMED = `where lower(u.username) = lower($1) or (u.email <> '' and lower(u.email) = lower($1))
     order by lower(u.username) = lower($1) desc limit 1`;

export const findAccount = async (db: Db, login: string): Promise<number | undefined> =>
  (await db.first<{ id: number }>(`select u.id from users u ${NAMED}`, [login]))?.id;

/** Its user with the application passwords that may be the given one. */
export async function findLogIn(db: Db, login: string, hint: number): Promise<LogIn | undefined> {
  const row = await db.first<UserRow & { passwordHash: string; candidates: Candidate[] }>(
    `select ${COLUMNS}, false as published, u.password_hash as "passwordHash",
       (select coalesce(json_agg(json_build_object('id', p.id, 'hash', p.hash, 'lastUsedAt', p.last_used_at)), '[]')
        from application_passwords p where p.user_id = u.id and p.revoked_at is null and p.hint = $2) as candidates
     from users u ${NAMED}`,
    [login, hint],
  );
  if (!row) return undefined;
  const { passwordHash, candidates, ...user } = row;
  return { user, passwordHash, candidates };
}

/** Notes a use, at most once a minute however many processes see it. */
export const touch = (db: Db, id: string, address: string): Promise<number> =>
  db.run(
    `update application_passwords set last_used_at = now(), last_address = $2
     where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [id, address],
  );
