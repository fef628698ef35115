/** Webhooks and their deliveries in the words of the console and the command line. */
import type { Delivery, Webhook } from '../gen/sevenfold/content/v1/webhooks';

const orNull = (text: string): string | null => (text === '' ? null : text);

type Shown = Readonly<Record<string, unknown>>;

interface ShownWebhook extends Shown {
  readonly topics: readonly string[];
  readonly state: string;
  readonly disabled_reason: string | null;
}

export const shownWebhook = (one: Webhook): ShownWebhook => ({
  id: one.id,
  url: one.url,
  topics: one.topics,
  audience: one.audience,
  description: one.description,
  owner: one.owner,
  state: one.state,
  disabled_reason: orNull(one.disabledReason),
  disabled_at: orNull(one.disabledAt),
  created_at: one.createdAt,
  failing_since: orNull(one.failingSince),
  delivered_at: orNull(one.deliveredAt),
  previous_secret_until: orNull(one.previousSecretUntil),
  waiting: one.waiting,
});

export interface ShownDelivery extends Shown {
  readonly object: { readonly kind: string; readonly id: string };
  readonly answer: { readonly status: number; readonly ms: number; readonly body: string } | null;
}

export const shownDelivery = (one: Delivery): ShownDelivery => ({
  id: one.id,
  message_id: one.messageId,
  webhook: one.webhook,
  topic: one.topic,
  object: { kind: one.kind, id: one.objectId },
  state: one.state,
  attempts: one.attempts,
  created_at: one.createdAt,
  tried_at: orNull(one.triedAt),
  next_at: orNull(one.nextAt),
  answer: one.status === 0 ? null : { status: one.status, ms: one.ms, body: one.answer },
  error: orNull(one.error),
});
