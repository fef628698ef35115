/**
 * Notes what the filter judged and what moderators decided against it. The event, its row among the uncounted and the
 * job that counts commit with the caller's transaction, or not at all. Nothing here waits for another transaction.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { COUNT, QUEUE } from './queue';
import { IS_QUEUED } from './store';

export type VerdictName = 'ham' | 'spam' | 'blatant';

/**
 * judged: the filter gave its verdict. corrected: a moderator decided against it. reversed: that decision was taken back,
 * or replaced by one that agrees with the filter. A decision that agrees is no event.
 */
export type VerdictEventName = 'judged' | 'corrected' | 'reversed';

export interface VerdictEvent {
  /** Names what is judged for good, such as `comment/12`. */
  readonly key: string;
  /** comment or contact-form */
  readonly kind: string;
  readonly event: VerdictEventName;
  /** Of the filter, also where a moderator decided otherwise. */
  readonly verdict: VerdictName;
  /** When the filter gave it, as the database writes it or ISO 8601: all events of a key count for that day. Default: now. */
  readonly judgedAt?: string;
}

// Long enough to count many events at once, too short for anybody to wait for the statistics.
const COUNT_AFTER_SECONDS = 1;

export const record = (tx: Db, event: VerdictEvent): Promise<void> => recordAll(tx, [event]);

export async function recordAll(tx: Db, events: readonly VerdictEvent[]): Promise<void> {
  if (events.length === 0) return;
  const noted = await tx.first<{ isQueued: boolean }>(
    `with told as (
       insert into verdict_events (key, kind, event, verdict, day)
       select key, kind, event, verdict,
         (least(coalesce("judgedAt", now()), now()) at time zone 'UTC')::date
       from jsonb_to_recordset($1::jsonb)
         as given (key text, kind text, event text, verdict text, "judgedAt" timestamptz)
       returning id, event, verdict, day),
     uncounted as (
       insert into uncounted_events (id, event, verdict, day) select id, event, verdict, day from told)
     select ${IS_QUEUED} as "isQueued"`,
    [JSON.stringify(events)],
  );
  // A job that is open now may have looked before this commits: the sweep of verdicts/jobs.ts then promises another one.
  if (!noted?.isQueued) await enqueue(tx, QUEUE, COUNT, {}, { inSeconds: COUNT_AFTER_SECONDS });
}
