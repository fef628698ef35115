/** Rows of submissions, for all but the one who makes them. Lists and exports know what is settled and to be kept. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import { containing } from '@sevenfold/chassis/db/search';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import type { MailName } from '../forms/properties';
import { PIECE_WITH_FILES } from '../uploads/store';

export type Status = 'pending' | 'received' | 'spam' | 'trash';
type MailState = 'none' | 'queued' | 'sent' | 'failed';

export interface SubmissionRow {
  readonly id: number;
  readonly formId: number;
  readonly formTitle: string;
  readonly status: Status;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly mail: MailState;
  readonly mail_2: MailState;
  readonly mailError: string;
  readonly mail2Error: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly spamVerdict: 'ham' | 'spam' | 'blatant' | null;
  readonly spamScore: number | null;
  readonly spamEvidence: unknown;
  readonly spamRevision: number;
  readonly decision: 'ham' | 'spam' | null;
  readonly createdAt: string;
}

const COLUMNS = `s.id, s.form_id as "formId", f.title as "formTitle", s.status, s.values, s.mail, s.mail_2,
  s.mail_error as "mailError", s.mail_2_error as "mail2Error", s.meta, s.spam_verdict as "spamVerdict",
  s.spam_score as "spamScore", s.spam_evidence as "spamEvidence", s.spam_revision as "spamRevision",
  s.decision, s.created_at as "createdAt"`;
const FROM = 'from submissions s join forms f on f.id = s.form_id';
const SHOWN = `s.keep and s.status <> 'pending'`;

/** Whatever its state, passing ones too: for its mail. */
export const findAny = (db: Db, id: number): Promise<SubmissionRow | undefined> =>
  db.first<SubmissionRow>(`select ${COLUMNS} ${FROM} where s.id = $1`, [id]);

export const find = (db: Db, id: number): Promise<SubmissionRow | undefined> =>
  db.first<SubmissionRow>(`select ${COLUMNS} ${FROM} where s.id = $1 and ${SHOWN}`, [id]);

export interface Filter {
  readonly search?: string;
  readonly form?: number;
  readonly status?: Status;
  readonly after?: Date;
  readonly before?: Date;
  readonly email?: string;
}

const MOST_TERMS = 10;

function conditionsOf(filter: Filter): Conditions {
  const conditions = new Conditions().add(SHOWN);
  const terms = (filter.search ?? '').split(/\s+/).filter(Boolean).slice(0, MOST_TERMS);
  for (const term of terms) conditions.add(containing(conditions, 's.words', term));
  if (filter.form !== undefined) conditions.add('s.form_id = ?', filter.form);
  if (filter.status !== undefined) conditions.add('s.status = ?', filter.status);
  if (filter.after !== undefined) conditions.add('s.created_at >= ?', filter.after.toISOString());
  if (filter.before !== undefined) conditions.add('s.created_at < ?', filter.before.toISOString());
  if (filter.email !== undefined) conditions.add('s.emails @> ?', [filter.email.toLowerCase()]);
  return conditions;
}

interface Page {
  readonly rows: SubmissionRow[];
  /** There are others behind the last of these. */
  readonly more: boolean;
}

/** Bounded by what is in them, too: submissions have a few hundred bytes or a megabyte. There is at least one, if any. */
interface Bounds {
  readonly limit: number;
  readonly bytes: number;
}

/** Numbers are found first; what stands under them is looked at one by one, until it is enough. */
async function pageOf(
  db: Db,
  conditions: Conditions,
  direction: 'asc' | 'desc',
  { limit, bytes }: Bounds,
): Promise<Page> {
  const most = { limit: conditions.value(limit), bytes: conditions.value(bytes) };
  const found = await db.rows<SubmissionRow & { more: boolean }>(
    `with recursive found as materialized (
       select array(select s.id from submissions s where ${conditions.where}
                    order by s.id ${direction} limit ${most.limit} + 1) as ids
     ), page as (
       select 1 as place, s.id, octet_length(s.values::text)::bigint as bytes
       from found join submissions s on s.id = found.ids[1]
       union all
       select page.place + 1, s.id, page.bytes + octet_length(s.values::text)
       from page cross join found join submissions s on s.id = found.ids[page.place + 1]
       where page.place < ${most.limit} and page.bytes < ${most.bytes}
     )
     select ${COLUMNS}, page.place < cardinality(found.ids) as more
     ${FROM} join page on page.id = s.id cross join found
     where page.place = 1 or page.bytes <= ${most.bytes}
     order by page.place`,
    conditions.values,
    { planFor: 'values' },
  );
  return { rows: found, more: found.at(-1)?.more ?? false };
}

/** The newest first. `below`: only those with a smaller number. */
export function list(
  db: Db,
  filter: Filter,
  { below = 0, ...bounds }: { below?: number } & Bounds,
): Promise<Page> {
  const conditions = conditionsOf(filter);
  if (below > 0) conditions.add('s.id < ?', below);
  return pageOf(db, conditions, 'desc', bounds);
}

/** The oldest first, from `above` on: pieces of a whole that ends at `last`. */
export const listUp = (
  db: Db,
  filter: Filter,
  { above, last, ...bounds }: { above: number; last: number } & Bounds,
): Promise<Page> =>
  pageOf(db, conditionsOf(filter).add('s.id > ? and s.id <= ?', above, last), 'asc', bounds);

/** Names of the fields among so many submissions, and the number of the last one; undefined: there are none. */
export async function fieldsUp(
  db: Db,
  filter: Filter,
  { above, last, limit }: { above: number; last: number; limit: number },
): Promise<{ names: string[]; last: number } | undefined> {
  const conditions = conditionsOf(filter).add('s.id > ? and s.id <= ?', above, last);
  const row = await db.first<{ names: string[] | null; last: number | null }>(
    `with page as materialized (
       select s.id, s.values ${FROM} where ${conditions.where} order by s.id limit ${conditions.value(limit)})
     select (select array_agg(distinct name) from page, jsonb_object_keys(page.values) as name) as names,
            (select max(id) from page) as last`,
    conditions.values,
    { planFor: 'values' },
  );
  return row?.last ? { names: row.names ?? [], last: row.last } : undefined;
}

export const lastId = async (db: Db): Promise<number> =>
  (await db.first<{ id: number }>('select coalesce(max(id), 0) as id from submissions'))?.id ?? 0;

/** What of a submission is moved and sent again: not what is in it, which may be a megabyte of each. */
export type Movable = Pick<
  SubmissionRow,
  'id' | 'formId' | 'status' | 'mail' | 'mail_2' | 'spamVerdict' | 'spamRevision' | 'decision'
> & {
  /** It was taken for spam when it came: neither mailed nor announced then. */
  readonly isHeldBack: boolean;
};

/** In the order of their numbers, so that two who change the same ones never wait for each other. */
export const lock = (tx: Db, ids: readonly number[]): Promise<Movable[]> =>
  tx.rows<Movable>(
    `select s.id, s.form_id as "formId", s.status, s.mail, s.mail_2, s.spam_verdict as "spamVerdict",
            s.spam_revision as "spamRevision", s.decision, s.result is not distinct from 'spam' as "isHeldBack"
     from submissions s where s.id = any($1) and ${SHOWN} order by s.id for update`,
    [ids],
  );

export interface Move {
  readonly id: number;
  readonly status: Status;
  readonly decision: 'ham' | 'spam' | null;
  readonly revision: number;
}

/** `spamDays`: how long the spam folder keeps what people put there. */
export async function move(tx: Db, moves: readonly Move[], spamDays: number): Promise<void> {
  await tx.run(
    `update submissions s set status = m.status, decision = m.decision, spam_revision = m.revision,
       spam_until = case when m.status = 'spam' then now() + make_interval(days => $2) end,
       trashed_at = case when m.status = 'trash' then now() end
     from jsonb_to_recordset($1::jsonb) as m(id bigint, status text, decision text, revision integer)
     where s.id = m.id`,
    [JSON.stringify(moves), spamDays],
  );
}

export const remove = async (tx: Db, ids: readonly number[]): Promise<number[]> =>
  (
    await tx.rows<{ id: number }>(
      `with these as (select s.id from submissions s where s.id = any($1) and ${SHOWN} order by s.id for update)
       delete from submissions s using these where s.id = these.id returning s.id`,
      [ids],
    )
  ).map(({ id }) => id);

/**
 * Which mails may be sent again: what failed, or all where all of it was sent. Nobody gets another one since the mail of somebody
 * else failed, or because two asked for it at once.
 */
export function mailsToRepeat(row: Pick<SubmissionRow, MailName>): MailName[] {
  const those = (state: MailState): MailName[] =>
    (['mail', 'mail_2'] as const).filter((name) => row[name] === state);
  const failed = those('failed');
  return failed.length > 0 || those('queued').length > 0 ? failed : those('sent');
}

/** All that came with an address, shown or not; nobody else removes them until the transaction ends. */
export async function lockOfEmail(tx: Db, email: string, limit: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    'select id from submissions where emails @> $1 order by id limit $2 for update',
    [[email], limit],
  );
  return rows.map(({ id }) => id);
}

/** Those of them that are there with what was sent: one that was not to be stored is emptied when its mail has gone. */
export async function withText(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `select id from submissions where id = any($1) and (values <> '{}' or meta <> '{}')`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** As it would be found in a field. */
export const isEmailIn = async (db: Db, email: string, text: string): Promise<boolean> =>
  (await db.first('select where submission_emails($1) @> $2', [text, [email]])) !== undefined;

export const removeAny = (tx: Db, ids: readonly number[]): Promise<number> =>
  tx.run('delete from submissions where id = any($1)', [ids]);

const BEFORE = '< now() - make_interval(days => $1)';
const TRASHED = 'coalesce(trashed_at, created_at)';

/** What is old in a folder, and an order that an index has. */
const OLD = {
  spam: {
    old: `status = 'spam' and coalesce(spam_until, created_at + make_interval(days => $1)) < now()`,
    by: 'created_at',
  },
  trash: { old: `status = 'trash' and ${TRASHED} ${BEFORE}`, by: TRASHED },
  received: { old: `status = 'received' and created_at ${BEFORE}`, by: 'created_at' },
} as const;

/** What a folder has kept long enough; mail that is promised goes first. */
export const removeOld = (db: Db, folder: keyof typeof OLD, days: number): Promise<number> => {
  const { old, by } = OLD[folder];
  const done = `mail <> 'queued' and mail_2 <> 'queued'`;
  return deleteOld(db, { table: 'submissions', old: `${old} and ${done}`, by, piece: PIECE_WITH_FILES }, [
    days,
  ]);
};
