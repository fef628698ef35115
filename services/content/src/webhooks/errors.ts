/** Errors of webhooks. */
import { apiError } from '../errors';

export const errors = {
  webhookNotFound: () => apiError('webhook_not_found', 404, 'There is no such webhook.'),
  deliveryNotFound: () =>
    apiError('webhook_delivery_not_found', 404, 'There is no such delivery of the webhook.'),
  webhookDisabled: () =>
    apiError('webhook_disabled', 409, 'The webhook is disabled. Set its state to active first.'),
  tooManyWebhooks: (most: number) =>
    apiError('too_many_webhooks', 409, `A site has at most ${most} webhooks. Delete one first.`),
  secretLost: () =>
    apiError(
      'webhook_secret_lost',
      503,
      'The secret of the webhook is stored under one that is no longer configured (SPAM_KEY_SECRETS).',
    ),
  secretNotStorable: () =>
    apiError(
      'webhook_secret_not_storable',
      409,
      'No secret is configured under which that of a webhook could be stored (SPAM_KEY_SECRETS).',
    ),
} as const;
