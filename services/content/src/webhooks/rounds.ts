/**
 * Who delivers, and when. A webhook has one open round at most: a job, numbered, that delivers what is due and at its end
 * orders the next one for when something is due again. Whoever brings something to deliver locks the webhook first, as a round
 * does at its end, so none is overlooked between the two.
 */
import { enqueueAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';

export const QUEUE = 'content.webhooks';
export const DELIVER = 'deliver';

export interface Round {
  readonly webhook: number;
  readonly round: number;
}

// Rounds that fail do so because something of ours is away; a sweep finds what is left after the last try.
const MOST_TRIES = 100;

/** At once, where none is under way or due, or awaits the end of a receiver's quiet. The webhooks are locked. */
export async function wake(tx: Db, webhooks: readonly number[]): Promise<void> {
  const rounds = await tx.rows<Round>(
    `update webhooks set round = round + 1, round_at = now()
     where id = any($1::bigint[])
       and (round_at is null or round_at > greatest(now(), quiet_until + interval '1 second'))
     returning id as webhook, round`,
    [webhooks],
  );
  await enqueueAll(tx, QUEUE, DELIVER, rounds, { maxAttempts: MOST_TRIES });
}

/** The round after this one; a later one, or none where `seconds` is undefined. The webhook is locked. */
export async function next(tx: Db, webhook: number, seconds: number | undefined): Promise<void> {
  const rounds = await tx.rows<Round & { at: string | null }>(
    `update webhooks set round = round + 1, round_at = now() + make_interval(secs => $2::float8)
     where id = $1 returning id as webhook, round, round_at as at`,
    [webhook, seconds ?? null],
  );
  if (seconds === undefined) return;
  await enqueueAll(
    tx,
    QUEUE,
    DELIVER,
    rounds.map(({ round }) => ({ webhook, round })),
    { maxAttempts: MOST_TRIES, inSeconds: seconds },
  );
}

export async function isOpen(db: Db, { webhook, round }: Round): Promise<boolean> {
  const row = await db.first('select id from webhooks where id = $1 and round = $2', [webhook, round]);
  return row !== undefined;
}

/** Whether it is still the open one; locks the webhook. */
export async function lockOpen(tx: Db, { webhook, round }: Round): Promise<boolean> {
  const row = await tx.first('select id from webhooks where id = $1 and round = $2 for no key update', [
    webhook,
    round,
  ]);
  return row !== undefined;
}

/** Something waits, and no round has been due within ten minutes. */
export async function forgotten(tx: Db): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    `select w.id from webhooks w
     where w.state = 'active' and (w.round_at is null or w.round_at < now() - interval '10 minutes')
       and exists (select from webhook_deliveries d where d.webhook = w.id and d.state = 'waiting')
     order by w.id for no key update`,
  );
  if (rows.length > 0)
    await tx.run('update webhooks set round_at = null where id = any($1::bigint[])', [
      rows.map(({ id }) => id),
    ]);
  return rows.map(({ id }) => id);
}
