/** What happened becomes rows of deliveries, in the transaction that takes the news in. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import type { Deps } from '../deps';
import * as deliveries from './deliveries';
import { wake } from './rounds';
import { type Notice, follow, patternsOf } from './topics';

/** Clocks of databases differ: who registered a moment ago is told rather than not. */
const SLACK = `interval '1 minute'`;

interface Interested {
  readonly id: number;
  readonly topics: readonly string[];
}

async function isWanted({ db }: Pick<Deps, 'db'>, domainTopic: string): Promise<boolean> {
  const row = await db.first(
    `select id from webhooks where state = 'active' and topics && $1::text[] limit 1`,
    [patternsOf(follow[domainTopic]?.leadsTo ?? [])],
  );
  return row !== undefined;
}

async function record({ tx, deps, topic, id, at, payload }: EventCall<Deps, unknown>): Promise<void> {
  const notices = follow[topic]?.read(payload as never) ?? [];
  const patterns = patternsOf(notices.map((notice) => notice.topic));
  if (notices.length === 0) return;
  const webhooks = await tx.rows<Interested>(
    `select id, topics from webhooks
     where state = 'active' and topics && $1::text[] and created_at <= coalesce($2::timestamp at time zone 'UTC', now()) + ${SLACK}
     order by id for no key update`,
    [patterns, at ?? null],
  );
  await put(tx, rowsFor(webhooks, notices), {
    // Numbers may come again (chassis/migrations/0012_event_moments.sql).
    event: [topic, id, ...(at === undefined ? [] : [at])].join('/'),
    sequence: id,
    at,
    hours: deps.config.WEBHOOK_GIVE_UP_HOURS,
  });
}

function rowsFor(webhooks: readonly Interested[], notices: readonly Notice[]): deliveries.NewDelivery[] {
  const patterns = new Map(notices.map(({ topic }) => [topic, patternsOf([topic])]));
  return webhooks.flatMap(({ id: webhook, topics }) =>
    notices
      .filter(({ topic }) => patterns.get(topic)?.some((pattern) => topics.includes(pattern)))
      .map(({ topic, kind, id }) => ({ webhook, topic, kind, object_id: String(id) })),
  );
}

/** The webhooks are locked. */
export async function put(
  tx: Db,
  rows: readonly deliveries.NewDelivery[],
  occasion: deliveries.Occasion,
): Promise<void> {
  if (rows.length > 0) await wake(tx, await deliveries.insertAll(tx, rows, occasion));
}

export const webhookSubscriptions: readonly Subscription<Deps>[] = Object.keys(follow).map((topic) => ({
  topic,
  wants: isWanted,
  handle: record,
}));
