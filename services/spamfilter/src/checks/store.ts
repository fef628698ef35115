/* The only SQL of messages that were judged or decided. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Side } from '../classifier/store';
import type { Evidence } from '../evidence/evidence';
import type { Traces } from '../evidence/others';
import type { Judged, VerdictName } from './verdict';

export interface MessageRow {
  key: string;
  kind: string;
  fingerprint: Buffer | null;
  verdict: VerdictName | null;
  score: number | null;
  evidence: Evidence[] | null;
  raw: number | null;
  judgedAt: string | null;
  decision: Side | null;
  revision: number;
  decidedFingerprint: Buffer | null;
  taught: number[] | null;
  against: VerdictName | null;
  againstAt: string | null;
}

const COLUMNS = `key, kind, fingerprint, verdict, score, evidence, raw, judged_at::text as "judgedAt", decision, revision,
  decided_fingerprint as "decidedFingerprint", taught, against, against_at::text as "againstAt"`;

export const find = (db: Db, key: string): Promise<MessageRow | undefined> =>
  db.first<MessageRow>(`select ${COLUMNS} from messages where key = $1`, [key]);

/** Until the end of the transaction nobody else changes it. */
export const lock = async (tx: Db, key: string): Promise<MessageRow> =>
  (await tx.first<MessageRow>(`select ${COLUMNS} from messages where key = $1 for update`, [
    key,
  ])) as MessageRow;

/** Makes it known, for those who count what one sender sends; no effect on one that is known. */
export const note = (db: Db, key: string, kind: string, traces: Traces): Promise<number> =>
  db.run(
    `insert into messages (key, kind, address, network, likeness) values ($1, $2, $3, $4, $5)
     on conflict (key) do nothing`,
    [key, kind, traces.address, traces.network, traces.likeness],
  );

export interface Settled extends Pick<MessageRow, 'key' | 'kind' | 'decision' | 'against' | 'againstAt'> {
  readonly judgedAt: string;
  /** Whether it has a verdict for the first time. */
  readonly isFirst: boolean;
}

/**
 * Gives the verdict, and locks the row until the end of the transaction. Undefined where somebody else was faster with
 * the same message. Of a message that was taught already the score tells nothing about those to come: it is not kept.
 */
export const setVerdict = (
  tx: Db,
  key: string,
  fingerprint: Buffer,
  raw: number,
  { verdict, score, evidence }: Judged,
  { likeness }: Traces,
): Promise<Settled | undefined> =>
  tx.first<Settled>(
    `with before as (
       select key as known, verdict is null as is_first from messages
       where key = $1 and (verdict is null or fingerprint is distinct from $2) for update)
     update messages set fingerprint = $2, raw = case when decision is null then $3::float8 end, verdict = $4, score = $5,
       evidence = $6, likeness = $7, judged_at = now(), telling = true
     from before where key = known
     returning key, kind, decision, against, against_at::text as "againstAt", judged_at::text as "judgedAt",
       is_first as "isFirst"`,
    [key, fingerprint, raw, verdict, score, JSON.stringify(evidence), likeness],
  );

export interface Decision {
  readonly decision: Side;
  readonly revision: number;
  readonly fingerprint: Buffer;
  readonly taught: readonly number[];
  readonly taughtBin: number | null;
}

export const setDecision = (tx: Db, key: string, decided: Decision): Promise<number> =>
  tx.run(
    `update messages set decision = $2, revision = $3, decided_fingerprint = $4, taught = $5, taught_bin = $6, decided_at = now()
     where key = $1`,
    [key, decided.decision, decided.revision, decided.fingerprint, decided.taught, decided.taughtBin],
  );

export const setRevision = (tx: Db, key: string, revision: number): Promise<number> =>
  tx.run('update messages set revision = $2 where key = $1', [key, revision]);

/** The verdict that the decision stands against, as it was told to the statistics. */
export const setAgainst = (
  tx: Db,
  key: string,
  against: VerdictName | null,
  at: string | null,
): Promise<number> =>
  tx.run('update messages set against = $2, against_at = $3 where key = $1', [key, against, at]);

/** What the outside service is to be told, kept until it is. */
export const setReport = (tx: Db, key: string, report: object | null): Promise<number> =>
  tx.run(
    'update messages set report = $2::jsonb, telling = telling or $2::jsonb is not null where key = $1',
    [key, report && JSON.stringify(report)],
  );

export async function findReport<R>(db: Db, key: string): Promise<R | undefined> {
  const row = await db.first<{ report: R | null }>('select report from messages where key = $1', [key]);
  return row?.report ?? undefined;
}

/** Rows of one statement of a sweep: none may hold the others up. */
const MOST_AT_ONCE = 2_000;

const HUSHED = `address = null, network = null, likeness = null, report = null, telling = false,
       evidence = (select jsonb_agg(jsonb_set(one, '{detail}', '""') order by place)
                   from jsonb_array_elements(evidence) with ordinality as all_of (one, place))`;

/** Forgets who sent and what was in it: verdict, weights and what was taught stay, and none of them is a text. */
export const hush = (db: Db, days: number): Promise<number> =>
  db.run(
    `update messages set ${HUSHED}
     where key = any(array(
       select key from messages
       where telling and first_at < now() - make_interval(days => $1)
         and coalesce(judged_at, first_at) < now() - make_interval(days => $1)
       order by first_at limit ${MOST_AT_ONCE} for update skip locked))`,
    [days],
  );

/**
 * The same at once for some, and more: whoever knows a text could tell by a digest that it was sent. So what was decided of
 * them becomes final. In the order of their keys, so that two who forget the same ones never wait for each other.
 */
export const forget = (db: Db, keys: readonly string[]): Promise<number> =>
  db.run(
    `with known as (select key as known from messages where key = any($1) order by key for update)
     update messages set ${HUSHED}, fingerprint = null, decided_fingerprint = null, taught = null
     from known where key = known`,
    [keys],
  );

/** Makes old decisions final: what they taught stays in the model. */
export const settle = (db: Db, days: number): Promise<number> =>
  db.run(
    `update messages set taught = null, taught_bin = null
     where key = any(array(
       select key from messages where taught is not null and decided_at < now() - make_interval(days => $1)
       order by decided_at limit ${MOST_AT_ONCE} for update skip locked))`,
    [days],
  );

export const removeOld = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    {
      table: 'messages',
      old: `first_at < now() - make_interval(days => $1) and taught is null and not telling
         and greatest(first_at, judged_at, decided_at) < now() - make_interval(days => $1)`,
      by: 'first_at',
    },
    [days],
  );
