/** Rows of webhooks and their secrets. Deliveries have a store of their own. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sealed } from '@sevenfold/chassis/seal';

export type Audience = 'public' | 'owner';
export type DisabledReason = 'failing' | 'gone' | 'by_hand';

export interface WebhookRow {
  readonly id: number;
  /** Null when the user is gone: then nobody's rights are left but those of strangers. */
  readonly owner: number | null;
  readonly url: string;
  readonly topics: readonly string[];
  readonly audience: Audience;
  readonly description: string;
  readonly state: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | '';
  readonly disabledAt: string | null;
  readonly failingSince: string | null;
  readonly deliveredAt: string | null;
  readonly createdAt: string;
  readonly previousUntil: string | null;
  readonly waiting: number;
}

const COLUMNS = `w.id, w.owner, w.url, w.topics, w.audience, w.description, w.state, w.disabled_reason as "disabledReason",
  case when w.state = 'disabled' then w.disabled_at end as "disabledAt", w.failing_since as "failingSince", w.delivered_at as "deliveredAt", w.created_at as "createdAt",
  (select max(s.ends_at) from webhook_secrets s where s.webhook = w.id and s.ends_at > now()) as "previousUntil",
  (select count(*) from webhook_deliveries d where d.webhook = w.id and d.state = 'waiting') as waiting`;
const THERE = `w.state <> 'deleting'`;

export const list = (db: Db): Promise<WebhookRow[]> =>
  db.rows<WebhookRow>(`select ${COLUMNS} from webhooks w where ${THERE} order by w.id`);

export const findById = (db: Db, id: number): Promise<WebhookRow | undefined> =>
  db.first<WebhookRow>(`select ${COLUMNS} from webhooks w where w.id = $1 and ${THERE}`, [id]);

/** Whom a try asks: what it learns holds for no other address, and not beyond the day on which somebody enabled the webhook again. */
export interface Asked {
  readonly url: string;
  /** When it was disabled last; null where it never was. */
  readonly disabledBefore: string | null;
}

export type Target = Pick<WebhookRow, 'id' | 'owner' | 'audience' | 'state'> & Asked;

/** What each try asks: without what is counted for people, which would look at everything that waits. */
export const findForSending = (db: Db, id: number): Promise<Target | undefined> =>
  db.first<Target>(
    `select w.id, w.owner, w.url, w.audience, w.state, w.disabled_at::text as "disabledBefore"
     from webhooks w where w.id = $1 and ${THERE}`,
    [id],
  );

/** One transaction after the other, for a bound on their number. */
export async function lockAndCount(tx: Db): Promise<number> {
  await tx.run('lock table webhooks in share row exclusive mode');
  const row = await tx.first<{ count: number }>('select count(*) as count from webhooks');
  return row?.count ?? 0;
}

export interface NewWebhook {
  readonly owner: number;
  readonly url: string;
  readonly topics: readonly string[];
  readonly audience: Audience;
  readonly description: string;
}

export async function insert(tx: Db, one: NewWebhook): Promise<number> {
  const row = await tx.first<{ id: number }>(
    `insert into webhooks (owner, url, topics, audience, description)
     values (nullif($1::bigint, 0), $2, $3, $4, $5) returning id`,
    [one.owner, one.url, one.topics, one.audience, one.description],
  );
  return (row as { id: number }).id;
}

export interface Changes {
  readonly url?: string;
  readonly topics?: readonly string[];
  readonly audience?: Audience;
  readonly description?: string;
}

/** Who is at another address has failed nothing yet, and asked for no quiet. */
export const update = (tx: Db, id: number, changes: Changes): Promise<number> =>
  tx.run(
    `update webhooks w set url = coalesce($2, url),
       failing_since = case when $2 <> url then null else failing_since end,
       quiet_until = case when $2 <> url then null else quiet_until end, topics = coalesce($3, topics), audience = coalesce($4, audience),
       description = coalesce($5, description)
     where id = $1 and ${THERE}`,
    [id, changes.url ?? null, changes.topics ?? null, changes.audience ?? null, changes.description ?? null],
  );

/** `disabled_at` stays: it tells tries from before. */
export const enable = (tx: Db, id: number): Promise<number> =>
  tx.run(
    `update webhooks set state = 'active', disabled_reason = '', failing_since = null, quiet_until = null
     where id = $1 and state = 'disabled'`,
    [id],
  );

/** Somebody wants to know whether the receiver takes anything now. */
export const endQuiet = (tx: Db, id: number): Promise<number> =>
  tx.run('update webhooks set quiet_until = null where id = $1', [id]);

/**
 * Answers whether it was active. What waited is given up; people may send it again. With `asked`, only while that holds.
 */
export async function disable(tx: Db, id: number, reason: DisabledReason, asked?: Asked): Promise<boolean> {
  const count = await tx.run(
    `update webhooks set state = 'disabled', disabled_reason = $2, disabled_at = now()
     where id = $1 and state = 'active'
       and ($3::text is null or (url = $3 and disabled_at is not distinct from $4::timestamptz))`,
    [id, reason, asked?.url ?? null, asked?.disabledBefore ?? null],
  );
  if (count > 0)
    await tx.run(
      `update webhook_deliveries set state = 'given_up', error = 'The webhook was disabled.'
       where webhook = $1 and state = 'waiting'`,
      [id],
    );
  return count > 0;
}

/** From the commit on nothing new goes out. */
export const beginDeleting = (db: Db, id: number): Promise<number> =>
  db.run(`update webhooks set state = 'deleting' where id = $1`, [id]);

export const remove = (db: Db, id: number): Promise<number> =>
  db.run(`delete from webhooks where id = $1 and state = 'deleting'`, [id]);

/** Whose deletion was cut short. */
export const removeLeftovers = (db: Db): Promise<number> =>
  db.run(
    `delete from webhooks w where w.state = 'deleting'
       and not exists (select from webhook_deliveries d where d.webhook = w.id and d.sending_until > now())`,
  );

/** The new one; of those before, the newest stays good until then. */
export async function addSecret(tx: Db, id: number, secret: Sealed, hours: number): Promise<void> {
  await tx.run('delete from webhook_secrets where webhook = $1 and ends_at is not null', [id]);
  await tx.run('update webhook_secrets set ends_at = now() + make_interval(hours => $2) where webhook = $1', [
    id,
    hours,
  ]);
  await tx.run('insert into webhook_secrets (webhook, secret_id, nonce, sealed) values ($1, $2, $3, $4)', [
    id,
    secret.secretId,
    secret.nonce,
    secret.sealed,
  ]);
}

/** Those that are good, the newest first. */
export const secretsOf = (db: Db, id: number): Promise<Sealed[]> =>
  db.rows<Sealed>(
    `select secret_id as "secretId", nonce, sealed from webhook_secrets
     where webhook = $1 and (ends_at is null or ends_at > now()) order by ends_at desc nulls first`,
    [id],
  );

interface KeptSecret extends Sealed {
  readonly webhook: number;
}

/** Those that another secret sealed than this one. */
export const sealedOtherwise = (db: Db, secretId: string): Promise<KeptSecret[]> =>
  db.rows<KeptSecret>(
    'select webhook, secret_id as "secretId", nonce, sealed from webhook_secrets where secret_id <> $1',
    [secretId],
  );

export const reseal = (db: Db, { webhook, nonce }: KeptSecret, sealed: Sealed): Promise<number> =>
  db.run(
    'update webhook_secrets set secret_id = $3, nonce = $4, sealed = $5 where webhook = $1 and nonce = $2',
    [webhook, nonce, sealed.secretId, sealed.nonce, sealed.sealed],
  );

export const removeEndedSecrets = (db: Db): Promise<number> =>
  db.run('delete from webhook_secrets where ends_at <= now()');

export const lockById = (tx: Db, id: number): Promise<Pick<WebhookRow, 'state'> | undefined> =>
  tx.first<Pick<WebhookRow, 'state'>>(
    `select w.state from webhooks w where w.id = $1 and ${THERE} for no key update`,
    [id],
  );

export const countStates = (db: Db): Promise<{ state: string; count: number }[]> =>
  db.rows<{ state: string; count: number }>(
    `select s.state, count(w.id) as count from unnest(array['active', 'disabled', 'failing']) as s(state)
     left join webhooks w on w.state = s.state or (s.state = 'failing' and w.state = 'active' and w.failing_since is not null)
     group by s.state`,
  );
