/** Webhooks and deliveries as messages. */
import type { Delivery, Webhook } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import type { DeliveryRow } from './deliveries';
import type { WebhookRow } from './store';

/** '' for what has not happened. */
const toIso = (text: string | null): string => (text === null ? '' : isoMillis(text));

/** The database's clock text (UTC) as ISO 8601, to the millisecond. */
export const isoMillis = (text: string): string =>
  `${text.replace(' ', 'T').replace(/(\.\d{3})\d+$/, '$1')}Z`;

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  topics: [...row.topics],
  audience: row.audience,
  description: row.description,
  owner: row.owner ?? 0,
  state: row.state,
  disabledReason: row.disabledReason,
  disabledAt: toIso(row.disabledAt),
  createdAt: toIso(row.createdAt),
  failingSince: toIso(row.failingSince),
  deliveredAt: toIso(row.deliveredAt),
  previousSecretUntil: toIso(row.previousUntil),
  waiting: row.waiting,
});

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  createdAt: toIso(row.createdAt),
  triedAt: toIso(row.triedAt),
  nextAt: row.state === 'waiting' ? toIso(row.nextAt) : '',
});
