/** Rows of deliveries: made once for each webhook and event, claimed by rounds, settled, kept for people to look at. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Asked } from './store';

export type DeliveryState = 'waiting' | 'delivered' | 'given_up';

export interface DeliveryRow {
  readonly id: number;
  readonly messageId: string;
  readonly webhook: number;
  readonly topic: string;
  readonly kind: string;
  readonly objectId: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly createdAt: string;
  readonly triedAt: string | null;
  readonly ms: number;
  readonly status: number;
  readonly answer: string;
  readonly error: string;
  readonly nextAt: string;
}

/** As receivers are told it. */
const MESSAGE_ID = `'msg_' || replace(d.message_id::text, '-', '') as "messageId"`;
const COLUMNS = `d.id, ${MESSAGE_ID}, d.webhook, d.topic, d.kind,
  d.object_id as "objectId", d.state, d.attempts, d.created_at as "createdAt", d.tried_at as "triedAt", d.ms, d.status,
  d.answer, d.error, greatest(d.next_at, (select w.quiet_until from webhooks w where w.id = d.webhook)) as "nextAt"`;

export interface NewDelivery {
  readonly webhook: number;
  readonly topic: string;
  readonly kind: string;
  readonly object_id: string;
}

export interface Occasion {
  /** Domain event, the same each time it comes. */
  readonly event: string;
  readonly sequence: number;
  /** Text of a timestamp; absent: now. */
  readonly at?: string;
  readonly hours: number;
}

/** Answers the webhooks that were given anything. */
export async function insertAll(tx: Db, rows: readonly NewDelivery[], occasion: Occasion): Promise<number[]> {
  const made = await tx.rows<{ webhook: number }>(
    `with made as (
       insert into webhook_deliveries (webhook, event, sequence, topic, kind, object_id, happened_at, expires_at)
       select r.webhook, $2, $3, r.topic, r.kind, r.object_id, coalesce($4::timestamp at time zone 'UTC', now()),
         now() + make_interval(hours => $5)
       from jsonb_to_recordset($1::jsonb) as r (webhook bigint, topic text, kind text, object_id text)
       on conflict (webhook, event, object_id) do nothing
       returning webhook)
     select distinct webhook from made order by webhook`,
    [JSON.stringify(rows), occasion.event, occasion.sequence, occasion.at ?? null, occasion.hours],
  );
  return made.map(({ webhook }) => webhook);
}

/** So many tries of an earlier delivery of the same object are waited for. */
const FIRST_TRIES = 3;
/** Asked of each by itself, in the order of webhook_deliveries_in_order: joined (without `offset`) it would look at all that waits. */
const HAS_EARLIER = `exists (select from webhook_deliveries e
  where e.webhook = d.webhook and e.kind = d.kind and e.object_id = d.object_id and e.state = 'waiting'
    and (e.sequence, e.id) < (d.sequence, d.id) and (e.attempts < ${FIRST_TRIES} or e.next_at <= now())
  order by e.sequence, e.id offset 0)`;
/** As webhook_deliveries_due has it: its turn has come, and no claim holds it. */
const DUE_AT = 'greatest(d.next_at, d.sending_until)';

export interface Claimed {
  readonly id: number;
  readonly messageId: string;
  readonly webhook: number;
  readonly topic: string;
  readonly kind: string;
  readonly objectId: string;
  readonly sequence: number;
  readonly happenedAt: string;
  readonly attempts: number;
  /** When the claim ends: what names it. */
  readonly until: string;
}

/**
 * What may go out now, of each object one, as many as the webhook may have on their way, what has been due for longest first: so
 * it looks at nothing that is not due, however much of that waits; nothing while its receiver wants to be left alone. The lock on the
 * webhook makes whoever deletes it wait for the claim, and the claim see the deletion.
 */
export const claim = (
  db: Db,
  webhook: number,
  { atOnce, seconds }: { readonly atOnce: number; readonly seconds: number },
): Promise<Claimed[]> =>
  db.rows<Claimed>(
    `with hook as materialized (
       select id from webhooks
       where id = $1 and state = 'active' and (quiet_until is null or quiet_until <= now()) for share),
     -- whether it waits is asked of the few, not of an index of what waits
     under_way as materialized (
       select kind, object_id, state from webhook_deliveries where webhook = $1 and sending_until > now())
     update webhook_deliveries d set sending_until = now() + make_interval(secs => $3::float8)
     where d.id = any(array(
       select d.id from webhook_deliveries d
       where d.webhook = (select id from hook) and d.state = 'waiting' and ${DUE_AT} <= now()
         and not ${HAS_EARLIER}
         and not exists (select from under_way s
           where s.kind = d.kind and s.object_id = d.object_id and s.state = 'waiting' offset 0)
       order by ${DUE_AT}
       limit greatest(0, $2 - (select count(*) from under_way where state = 'waiting'))
       for update of d skip locked))
     returning d.id, ${MESSAGE_ID}, d.webhook, d.topic, d.kind,
       d.object_id as "objectId", d.sequence, d.happened_at as "happenedAt", d.attempts, d.sending_until::text as until`,
    [webhook, atOnce, seconds],
  );

/**
 * Seconds until something is due; undefined where nothing waits. Put in order before (`offset`) anything is asked of it: even
 * where PostgreSQL does not know yet how much waits, only the first are asked.
 */
export async function nextDue(db: Db, webhook: number): Promise<number | undefined> {
  const row = await db.first<{ seconds: number }>(
    `select extract(epoch from greatest(d.due_at, (select quiet_until from webhooks where id = $1)) - now())::float8 as seconds
     from (
       select d.id, d.webhook, d.kind, d.object_id, d.sequence, ${DUE_AT} as due_at from webhook_deliveries d
       where d.webhook = (select id from webhooks where id = $1 and state = 'active') and d.state = 'waiting'
       order by ${DUE_AT} offset 0) d
     where not ${HAS_EARLIER}
     order by d.due_at limit 1`,
    [webhook],
  );
  return row?.seconds;
}

export interface Told {
  readonly ms: number;
  /** 0: there was no answer. */
  readonly status: number;
  readonly answer: string;
  readonly error: string;
}

// Whoever locks both locks the webhook first. What follows a delivery locks one of them at a time, in no transaction.

/** It has arrived, also where the delivery was given up meanwhile. Its webhook is well again. */
export async function arrived(db: Db, { id, webhook }: Claimed, told: Told): Promise<void> {
  await db.run(
    `update webhook_deliveries set state = 'delivered', attempts = attempts + 1, sending_until = null, tried_at = now(),
       ms = $2, status = $3, answer = $4, error = ''
     where id = $1`,
    [id, told.ms, told.status, told.answer],
  );
  await db.run(
    `update webhooks set failing_since = null, delivered_at = now()
     where id = $1 and (failing_since is not null or delivered_at is null or delivered_at < now() - interval '10 seconds')`,
    [webhook],
  );
}

/**
 * Answers what became of it, and whether the webhook has failed for too long; undefined where others have claimed it since, or it is
 * gone: what happened before says nothing of the webhook any more. Nor does what was `asked` of an address that it had before, or
 * before it was disabled and enabled again.
 */
export async function failed(
  db: Db,
  { id, webhook, until }: Claimed,
  told: Told & {
    readonly asked: Asked;
    readonly seconds: number;
    /** For how long the receiver wants nothing at all; 0 where it has not said so. */
    readonly quietSeconds: number;
    readonly hours: number;
  },
): Promise<{ state: DeliveryState; isTooLong: boolean } | undefined> {
  const row = await db.first<{ state: DeliveryState }>(
    `update webhook_deliveries set state = case when state = 'waiting' and expires_at <= now() then 'given_up' else state end,
       attempts = attempts + 1, sending_until = null, tried_at = now(), ms = $2, status = $3, answer = $4, error = $5,
       -- the last try comes when it is given up, not before
       next_at = least(now() + make_interval(secs => $6::float8), greatest(expires_at, now()))
     where id = $1 and sending_until = $7::timestamptz returning state`,
    [id, told.ms, told.status, told.answer, told.error, told.seconds, until],
  );
  if (!row) return undefined;
  const hook = await db.first<{ isTooLong: boolean }>(
    `update webhooks set failing_since = coalesce(failing_since, now()),
       quiet_until = greatest(quiet_until, now() + make_interval(secs => nullif($4::float8, 0)))
     where id = $1 and url = $3 and disabled_at is not distinct from $5::timestamptz
     returning failing_since < now() - make_interval(hours => $2) as "isTooLong"`,
    [webhook, told.hours, told.asked.url, told.quietSeconds, told.asked.disabledBefore],
  );
  return { state: row.state, isTooLong: hook?.isTooLong ?? false };
}

/** Nobody was asked, through no fault of the receiver; after its time it is given up all the same. A claim of others stays. */
export const putOff = (db: Db, { id, until }: Claimed, reason: string, seconds: number): Promise<number> =>
  db.run(
    `update webhook_deliveries set sending_until = null, error = $2, next_at = now() + make_interval(secs => $3::float8),
       state = case when state = 'waiting' and expires_at <= now() then 'given_up' else state end
     where id = $1 and sending_until = $4::timestamptz`,
    [id, reason, seconds, until],
  );

export const isAnyOnItsWay = async (db: Db, webhook: number): Promise<boolean> =>
  (await db.first('select id from webhook_deliveries where webhook = $1 and sending_until > now() limit 1', [
    webhook,
  ])) !== undefined;

export const find = (db: Db, webhook: number, id: number): Promise<DeliveryRow | undefined> =>
  db.first<DeliveryRow>(`select ${COLUMNS} from webhook_deliveries d where d.id = $2 and d.webhook = $1`, [
    webhook,
    id,
  ]);

export const findByEvent = (db: Db, webhook: number, event: string): Promise<DeliveryRow | undefined> =>
  db.first<DeliveryRow>(`select ${COLUMNS} from webhook_deliveries d where d.webhook = $1 and d.event = $2`, [
    webhook,
    event,
  ]);

/** The newest first. */
export const list = (
  db: Db,
  webhook: number,
  { state, before, limit }: { readonly state: string; readonly before: number; readonly limit: number },
): Promise<DeliveryRow[]> =>
  db.rows<DeliveryRow>(
    `select ${COLUMNS} from webhook_deliveries d
     where d.webhook = $1 and ($2 = '' or d.state = $2) and ($3 = 0 or d.id < $3) order by d.id desc limit $4`,
    [webhook, state, before, limit],
    { planFor: 'values' },
  );

/** From the beginning, under the id that it had. What is on its way is left alone, unless it was given up: nobody would try it again. */
export const again = (tx: Db, webhook: number, id: number, hours: number): Promise<number> =>
  tx.run(
    `update webhook_deliveries set state = 'waiting', attempts = 0, next_at = now(), error = '',
       expires_at = now() + make_interval(hours => $3)
     where id = $2 and webhook = $1 and (sending_until is null or sending_until <= now() or state = 'given_up')`,
    [webhook, id, hours],
  );

export const removeOld = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    {
      table: 'webhook_deliveries',
      old: `state <> 'waiting' and created_at < now() - make_interval(days => $1)`,
      by: 'created_at',
    },
    [days],
  );

export const countWaiting = async (db: Db): Promise<number> =>
  (
    await db.first<{ count: number }>(
      `select count(*) as count from webhook_deliveries where state = 'waiting'`,
    )
  )?.count ?? 0;
