/** Rows of submissions on their way in: taken once, settled once. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import { emit, enqueueAll } from '@sevenfold/chassis/db/outbox';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';
import type { MailName } from '../forms/properties';
import { MAIL_QUEUE, MOST_TRIES, SEND_MAIL } from '../mail/queue';
import type { Values } from '../tags/values';
import { type NewUpload, PIECE_WITH_FILES, insertAll } from '../uploads/store';

export interface Meta {
  readonly address: string;
  readonly agent: string;
  readonly referrer: string;
  /** Of the page. */
  readonly url: string;
  /** Number of the page; 0 where it is not known. */
  readonly container: number;
  readonly unit_tag: string;
  readonly locale: string;
  /** What the filter asks for besides. */
  readonly honeypot: boolean;
  readonly seconds_to_fill: number;
  /** The account of the sender; absent for strangers. */
  readonly user?: {
    readonly login: string;
    readonly email: string;
    readonly url: string;
    readonly name: string;
  };
}

/** What the sender was told. */
export type Result = 'mail_sent' | 'spam';
export type MailState = 'none' | 'queued' | 'sent' | 'failed';

export interface SubmissionRow {
  readonly id: number;
  readonly formId: number;
  /** Null: not settled yet. */
  readonly result: Result | null;
  readonly values: Values;
  readonly meta: Meta;
  readonly keep: boolean;
  readonly mail: MailState;
  readonly spamRevision: number;
}

const COLUMNS = `s.id, s.form_id as "formId", s.result, s.values, s.meta, s.keep, s.mail, s.spam_revision as "spamRevision"`;

export interface NewSubmission {
  readonly formId: number;
  readonly values: Values;
  readonly meta: Meta;
  readonly keep: boolean;
  readonly uploads: readonly NewUpload[];
  /** Under which the same submission comes again, and for how long. */
  readonly keys: readonly Buffer[];
  readonly digest: Buffer;
  readonly seconds: number;
}

export interface Taken extends Pick<SubmissionRow, 'id' | 'result' | 'formId' | 'values' | 'meta' | 'keep'> {
  /** Of the body that was taken first. */
  readonly digest: Buffer;
}

/**
 * Keeps a submission, or finds the one that came first under one of its keys. Of two at once, on whatever processes, one is
 * kept: the other one waits at the key, and then finds it.
 */
export async function take(db: Database, one: NewSubmission): Promise<Taken> {
  for (;;) {
    const id = await insertUnlessPartly(db, one);
    if (id !== undefined) return { ...one, id, result: null };
    const found = await findByKeys(db, one.keys);
    // It may have been erased, or its time has passed, since it stood in the way.
    if (found) return found;
  }
}

/** What stands under some of its keys only, as another came meanwhile, refers to nothing that is kept: the database refuses it. */
async function insertUnlessPartly(db: Database, one: NewSubmission): Promise<number | undefined> {
  try {
    return one.uploads.length === 0
      ? await insert(db, one)
      : await db.transaction((tx) => insertWithFiles(tx, one));
  } catch (error) {
    if (isPostgresError(error) && error.constraint === 'receipts_submission_id_fkey') return undefined;
    throw error;
  }
}

async function insertWithFiles(tx: Db, one: NewSubmission): Promise<number | undefined> {
  const id = await insert(tx, one);
  if (id !== undefined) await insertAll(tx, id, one.uploads);
  return id;
}

async function insert(db: Db, one: NewSubmission): Promise<number | undefined> {
  const row = await db.first<{ id: number }>(
    `with fresh as materialized (select nextval('submissions_id_seq') as id),
     claim as (
       insert into receipts (key, digest, submission_id, expires_at)
       select wanted.key, $2, fresh.id, now() + make_interval(secs => $3)
         from unnest($1::bytea[]) as wanted (key), fresh
        where not exists (select from receipts r where r.key = any($1) and r.expires_at > now())
        order by wanted.key
       on conflict (key) do update set digest = excluded.digest, submission_id = excluded.submission_id,
              expires_at = excluded.expires_at
        where receipts.expires_at <= now()
       returning key)
     insert into submissions (id, form_id, values, meta, keep)
     select fresh.id, $4, $5, $6, $7 from fresh where (select count(*) from claim) = cardinality($1)
     returning id`,
    [one.keys, one.digest, one.seconds, one.formId, one.values, one.meta, one.keep],
  );
  return row?.id;
}

/** What was taken under one of the keys, and may come again. */
export const findByKeys = (db: Db, keys: readonly Buffer[]): Promise<Taken | undefined> =>
  db.first<Taken>(
    `select ${COLUMNS}, r.digest from receipts r join submissions s on s.id = r.submission_id
      where r.key = any($1::bytea[]) and r.expires_at > now() order by s.id limit 1`,
    [keys],
  );

export const findById = (db: Db, id: number): Promise<SubmissionRow | undefined> =>
  db.first<SubmissionRow>(`select ${COLUMNS} from submissions s where s.id = $1`, [id]);

/** What the spam filter says, or nothing while it is away. */
export interface Judgement {
  readonly verdict: 'ham' | 'spam' | 'blatant';
  readonly score: number;
  readonly evidence: readonly object[];
  readonly keepDays: number;
  /** The site wants the worst not even to be kept. */
  readonly refuse?: boolean;
}

const ROOM = {
  ham: 'received',
  spam: 'spam',
  blatant: 'spam',
} as const;

/**
 * Settles what was taken, with the promises of its mails; answers what its sender is told. Whoever comes second changes
 * nothing and is told the same. What is not to be stored and has no mail is emptied at once; of what is refused nothing
 * stays but that it came, until the same again would be another one.
 */
export function settle(
  db: Database,
  id: number,
  judgement: Judgement | undefined,
  mails: readonly MailName[],
): Promise<Result> {
  return db.transaction(async (tx) => {
    const room = ROOM[judgement?.verdict ?? 'ham'];
    const result: Result = room === 'spam' ? 'spam' : 'mail_sent';
    const promised = room === 'spam' ? [] : mails;
    const changed = await tx.first<{ form: number; isEmptied: boolean }>(
      `update submissions set status = $2, result = $3, settled_at = now(),
              mail = case when 'mail' = any($4::text[]) then 'queued' else 'none' end,
              mail_2 = case when 'mail_2' = any($4::text[]) then 'queued' else 'none' end,
              keep = keep and not $9,
              values = case when (keep and not $9) or cardinality($4::text[]) > 0 then values else '{}' end,
              meta = case when (keep and not $9) or cardinality($4::text[]) > 0 then meta else '{}' end,
              spam_evidence = case when (keep and not $9) or cardinality($4::text[]) > 0 then $7::jsonb else '[]' end,
              spam_verdict = $5, spam_score = $6, spam_unchecked = $5::text is null,
              spam_until = now() + make_interval(days => $8)
        where id = $1 and status = 'pending' returning form_id as form,
              not keep and mail = 'none' and mail_2 = 'none' as "isEmptied"`,
      [id, room, result, promised, ...columnsOf(judgement), judgement?.refuse ?? false],
    );
    if (!changed) return (await findById(tx, id))?.result ?? result;
    if (room !== 'spam') await emit(tx, CREATED, { id, form: changed.form });
    if (changed.isEmptied) await tx.run('delete from uploads where submission_id = $1', [id]);
    await enqueueAll(
      tx,
      MAIL_QUEUE,
      SEND_MAIL,
      promised.map((mail) => ({ submission: id, mail })),
      { maxAttempts: MOST_TRIES },
    );
    if (!judgement) await enqueueAll(tx, FEEDBACK_QUEUE, CHECK, [{ submission: id }]);
    return result;
  });
}

/** Announces what is no spam. */
export const CREATED = 'forms.submission.created';
export const FEEDBACK_QUEUE = 'forms.feedback';
export const CHECK = 'check-submission';

const columnsOf = (judgement: Judgement | undefined): unknown[] => [
  judgement?.verdict ?? null,
  judgement?.score ?? null,
  JSON.stringify(judgement?.evidence ?? []),
  judgement?.keepDays ?? null,
];

/** Notes what the filter says late. What a moderator has decided meanwhile stays where it is. */
export const noteJudgement = (tx: Db, id: number, judgement: Judgement): Promise<number> =>
  tx.run(
    `update submissions set spam_verdict = $3, spam_score = $4, spam_evidence = $5, spam_unchecked = false,
            spam_until = now() + make_interval(days => $6),
            status = case when status = 'received' and spam_revision = 0 then $2 else status end
      where id = $1 and spam_unchecked`,
    [id, ROOM[judgement.verdict], ...columnsOf(judgement)],
  );

/** The filter will not judge what is not kept any more. */
export const leaveUnchecked = (tx: Db, id: number): Promise<number> =>
  tx.run('update submissions set spam_unchecked = false where id = $1', [id]);

/** Numbers of those that were taken so long ago that whoever took them is gone; the oldest first. */
export const abandoned = async (db: Db, seconds: number, most: number): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      `select id from submissions
        where status = 'pending' and created_at < now() - make_interval(secs => $1) order by created_at limit $2`,
      [seconds, most],
    )
  ).map(({ id }) => id);

/** What was not to be stored, once nothing of it is needed any more: its mails have gone and its receipts have passed. */
export const removePassing = (db: Db): Promise<number> =>
  deleteOld(db, {
    table: 'submissions',
    old: `not keep and status <> 'pending' and mail <> 'queued' and mail_2 <> 'queued'
       and not exists (select from receipts r where r.submission_id = submissions.id and r.expires_at > now())`,
    by: 'created_at',
    piece: PIECE_WITH_FILES,
  });
