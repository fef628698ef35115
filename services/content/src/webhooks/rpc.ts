/** Webhooks for the console (WebhookService). */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import {
  type WebhookServiceServer,
  WebhookServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import type { Deps } from '../deps';
import * as actions from './actions';
import * as deliveries from './deliveries';
import { errors } from './errors';
import { toDelivery, toWebhook } from './presenter';
import * as store from './store';
import { topics } from './topics';

const MOST_PER_PAGE = 100;

const managing = {
  callers: ['gateway'],
  permission: refuseWithout('manage_options', 'You may not manage webhooks.', 'Log in to manage webhooks.'),
} as const;

export const webhookService = (deps: Deps): RpcService =>
  rpcService<WebhookServiceServer>(WebhookServiceService, {
    listWebhooks: {
      ...managing,
      handle: async () => ({ webhooks: (await store.list(deps.db)).map(toWebhook) }),
    },
    getWebhook: { ...managing, handle: async ({ id }) => toWebhook(await actions.get(deps, id)) },
    createWebhook: {
      ...managing,
      handle: async ({ url, topics: wanted, audience, description }, { actor }) =>
        withSecret(
          await actions.create(deps, actor.id, {
            url,
            topics: wanted,
            audience: audience || 'public',
            description,
          }),
        ),
    },
    updateWebhook: {
      ...managing,
      handle: async ({ id, topics: wanted, ...changes }) =>
        toWebhook(
          await actions.update(deps, id, { ...changes, topics: wanted.length > 0 ? wanted : undefined }),
        ),
    },
    deleteWebhook: { ...managing, handle: async ({ id }) => toWebhook(await actions.remove(deps, id)) },
    rotateSecret: { ...managing, handle: async ({ id }) => withSecret(await actions.rotate(deps, id)) },
    pingWebhook: { ...managing, handle: async ({ id }) => toDelivery(await actions.ping(deps, id)) },
    listDeliveries: {
      ...managing,
      handle: async ({ webhook, state, before, perPage }) => {
        if (!(await store.findForSending(deps.db, webhook))) throw errors.webhookNotFound();
        const limit = perPage > 0 ? Math.min(perPage, MOST_PER_PAGE) : 20;
        const rows = await deliveries.list(deps.db, webhook, { state, before, limit: limit + 1 });
        const shown = rows.slice(0, limit);
        return {
          deliveries: shown.map(toDelivery),
          next: rows.length > limit ? (shown.at(-1)?.id ?? 0) : 0,
        };
      },
    },
    redeliver: {
      ...managing,
      handle: async ({ webhook, delivery }) => toDelivery(await actions.redeliver(deps, webhook, delivery)),
    },
    listTopics: {
      ...managing,
      handle: () =>
        Promise.resolve({
          topics: Object.entries(topics).map(([name, description]) => ({ name, description })),
        }),
    },
  });

const withSecret = ({
  webhook,
  secret,
}: actions.WithSecret): { webhook: ReturnType<typeof toWebhook>; secret: string } => ({
  webhook: toWebhook(webhook),
  secret,
});
