/** The only SQL of sessions. Ended ones stay for a while, and are no longer there for anybody. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sealed } from '@sevenfold/chassis/seal';
import { COLUMNS, type UserRow } from '../users/store';

export interface SessionRow {
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly userAgent: string;
  readonly network: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly endsAt: string;
  readonly byApplicationPassword: boolean;
}

const SESSION = `s.id, s.user_id as "userId", s.name, s.user_agent as "userAgent", s.network, s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt", s.ends_at as "endsAt", s.application_password is not null as "byApplicationPassword"`;

/** One whose application password was revoked has ended with it, whoever revoked it. */
const LASTS = `s.ended_by = '' and s.ends_at > now() and (s.application_password is null or exists (
  select from application_passwords p where p.id = s.application_password and p.revoked_at is null))`;

/** Where it came from last. */
export interface Client {
  readonly userAgent: string;
  readonly network: string;
}

export interface NewSession extends Client {
  readonly userId: number;
  readonly applicationPassword: string | undefined;
  readonly name: string;
  readonly family: Buffer;
  readonly current: Buffer;
}

/** How long sessions last, in seconds. */
export interface Times {
  /** Without being refreshed. */
  readonly idle: number;
  /** At all. */
  readonly whole: number;
}

/** The session's id, and for how many seconds its refresh token is good. */
export interface Given {
  readonly id: string;
  readonly refreshSeconds: number;
}

const GIVEN = `id, ceil(extract(epoch from ends_at - now()))::integer as "refreshSeconds"`;

/** One at a time; undefined where the user is gone, or the password is no longer the one that was checked. */
export const lockOwner = (tx: Db, userId: number, passwordHash?: string): Promise<object | undefined> =>
  tx.first('select id from users where id = $1 and ($2::text is null or password_hash = $2) for update', [
    userId,
    passwordHash ?? null,
  ]);

export async function insert(tx: Db, session: NewSession, { idle, whole }: Times): Promise<Given> {
  const row = await tx.first<Given>(
    `insert into sessions (user_id, application_password, name, user_agent, network, family, current, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8)) returning ${GIVEN}`,
    [
      session.userId,
      session.applicationPassword ?? null,
      session.name,
      session.userAgent,
      session.network,
      session.family,
      session.current,
      Math.min(idle, whole),
    ],
  );
  return row as Given;
}

export interface FamilyRow {
  readonly id: string;
  readonly userId: number;
  readonly current: Buffer;
  readonly previous: Buffer | null;
  readonly successorNonce: Buffer | null;
  readonly successorSealed: Buffer | null;
  readonly refreshSeconds: number;
  /** Its last token was given a moment ago. */
  readonly isFresh: boolean;
}

/** One that lasts, for this transaction alone. */
export const lockFamily = (tx: Db, family: Buffer, graceSeconds: number): Promise<FamilyRow | undefined> =>
  tx.first<FamilyRow>(
    `select s.user_id as "userId", s.current, s.previous, s.successor_nonce as "successorNonce",
       s.successor_sealed as "successorSealed", ${GIVEN},
       s.refreshed_at > clock_timestamp() - make_interval(secs => $2) as "isFresh"
     from sessions s where s.family = $1 and ${LASTS} for update of s`,
    [family, graceSeconds],
  );

export async function rotate(
  tx: Db,
  id: string,
  next: { readonly current: Buffer; readonly sealed: Sealed } & Client,
  { idle, whole }: Times,
): Promise<Given> {
  const row = await tx.first<Given>(
    `update sessions set previous = current, current = $2, successor_nonce = $3, successor_sealed = $4, user_agent = $5, network = $6,
       refreshed_at = clock_timestamp(), last_used_at = now(),
       ends_at = least(now() + make_interval(secs => $7), created_at + make_interval(secs => $8))
     where id = $1 returning ${GIVEN}`,
    [id, next.current, next.sealed.nonce, next.sealed.sealed, next.userAgent, next.network, idle, whole],
  );
  return row as Given;
}

/** The user of a session that lasts, and whether its use is worth a note. */
export const findUser = (
  db: Db,
  id: string,
  userId: number,
): Promise<(UserRow & { readonly isUnnoted: boolean }) | undefined> =>
  db.first(
    `select ${COLUMNS}, false as published, s.last_used_at < now() - interval '1 minute' as "isUnnoted"
     from sessions s join users u on u.id = s.user_id where s.id = $1 and s.user_id = $2 and ${LASTS}`,
    [id, userId],
  );

/** Notes a use, at most once a minute however many processes see it. */
export const touch = (db: Db, id: string, network: string): Promise<number> =>
  db.run(
    `update sessions set last_used_at = now(), network = $2
     where id = $1 and last_used_at < now() - interval '1 minute'`,
    [id, network],
  );

export const list = (db: Db, userId: number): Promise<SessionRow[]> =>
  db.rows(
    `select ${SESSION} from sessions s where s.user_id = $1 and ${LASTS} order by s.created_at desc, s.id`,
    [userId],
  );

export type Reason = 'user' | 'password' | 'replayed' | 'too many';

/** Undefined where the user has no such session that lasts. */
export const end = (tx: Db, userId: number, id: string, reason: Reason): Promise<SessionRow | undefined> =>
  tx.first(
    `update sessions s set ended_by = $3, ends_at = now() where s.id = $2 and s.user_id = $1 and ${LASTS} returning ${SESSION}`,
    [userId, id, reason],
  );

/** All but the newest so many; answers how many have ended. */
export const endOldest = (tx: Db, userId: number, kept: number, reason: Reason): Promise<number> =>
  tx.run(
    `update sessions set ended_by = $3, ends_at = now() where id in (
       select s.id from sessions s where s.user_id = $1 and ${LASTS} order by s.last_used_at desc, s.id offset $2)`,
    [userId, kept, reason],
  );

/** Whoever looks for a theft finds for a day what it has ended. */
export const removeOver = (db: Db): Promise<number> =>
  deleteOld(db, { table: 'sessions', old: `ends_at < now() - interval '1 day'`, by: 'ends_at' });
