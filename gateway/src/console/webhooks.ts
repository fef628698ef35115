/** Webhooks for the people who run the site. Rights are judged here and again by the content service. */
import type { Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Call, type Reply, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Webhook, WebhookWithSecret } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import { shownDelivery, shownWebhook } from '@sevenfold/proto/shown/webhook';
import type { ConsoleDeps } from './deps';
import { olderThan, perPage } from './paging';
import {
  deletedWebhook,
  delivery,
  deliveryPage,
  topicList,
  webhookList,
  webhookShape,
  webhookWithSecret,
} from './webhook-shapes';

type ConsoleCall<A> = Call<ConsoleDeps, A, undefined>;
type OfOne = ConsoleCall<{ id: number }>;

const permission = refuseWithout(
  'manage_options',
  'You may not manage webhooks.',
  'Log in to manage webhooks.',
);

const DEADLINE_MS = 10_000;
/** What is on its way comes to its end first. */
const DELETE_MS = 90_000;

const asked = (actor: Actor, deadlineMs = DEADLINE_MS): CallOptions => ({ actor, deadlineMs });

const COLLECTION = '/webhooks';
const ITEM = '/webhooks/(?P<id>[\\d]+)';
const DELIVERIES = `${ITEM}/deliveries`;

const id = {
  id: { type: 'integer', required: true, minimum: 1, description: 'Number of the webhook.' },
} as const satisfies ArgTable;

const fields = {
  url: {
    type: 'string',
    description: 'Where the deliveries are posted: https or http, at a public address.',
  },
  topics: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 100,
    description: 'What it is told of: names of topics, beginnings such as content.*, or * for all.',
  },
  audience: {
    type: 'string',
    enum: ['public', 'owner'],
    description:
      'By whose rights things are shown: those of strangers, or those that who registered it has by then.',
  },
  description: { type: 'string', maxLength: 500, description: 'What it is for.' },
} as const satisfies ArgTable;

interface Fields {
  readonly url?: string;
  readonly topics?: readonly string[];
  readonly audience?: string;
  readonly description?: string;
  readonly state?: string;
}

const withSecret = ({ webhook, secret }: WebhookWithSecret): object => ({
  ...shownWebhook(webhook as Webhook),
  secret,
});

const change = async ({ deps, args, actor }: ConsoleCall<Fields & { id: number }>): Promise<Reply<never>> => {
  // On the way to the content service none is as good as absent.
  if (args.topics?.length === 0) throw invalidParam('topics', 'topics has 1 to 100 names.');
  return reply.plain(
    shownWebhook(
      await deps.webhooks.updateWebhook(
        {
          id: args.id,
          url: args.url,
          topics: [...(args.topics ?? [])],
          audience: args.audience,
          description: args.description,
          state: args.state,
        },
        asked(actor),
      ),
    ),
  ) as Reply<never>;
};

export const webhooks: Resource<ConsoleDeps> = {
  name: 'webhooks',
  description: 'Who is told of what happens on the site, and what became of it.',
  routes: [
    route({
      methods: ['GET'],
      path: COLLECTION,
      summary: 'List webhooks, the oldest first; those that are disabled say why',
      description: 'Who is told of what, whether it arrives, and how much is still to be delivered.',
      answers: { body: webhookList },
      args: {},
      permission,
      handle: async ({ deps, actor }: ConsoleCall<object>) => {
        const { webhooks: rows } = await deps.webhooks.listWebhooks({}, asked(actor));
        return reply.plain(rows.map(shownWebhook));
      },
    }),
    route({
      methods: ['POST'],
      path: COLLECTION,
      summary: 'Register a webhook; its secret is told this once',
      description:
        'From now on what it names is posted to it as JSON, at least once, by the convention of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, and `X-Signature` beside them. Addresses of private networks are refused.',
      answers: { body: webhookWithSecret, status: 201 },
      args: {
        ...fields,
        url: { ...fields.url, required: true },
        topics: { ...fields.topics, required: true },
        audience: { ...fields.audience, default: 'public' },
        description: { ...fields.description, default: '' },
      },
      permission,
      handle: async ({
        deps,
        args,
        actor,
        root,
      }: ConsoleCall<{ url: string; topics: readonly string[]; audience: string; description: string }>) => {
        const made = await deps.webhooks.createWebhook({ ...args, topics: [...args.topics] }, asked(actor));
        const Location = `${root}/api/webhooks/${made.webhook?.id}`;
        return reply.plain(withSecret(made), 201, { Location, 'Cache-Control': 'no-store' });
      },
    }),
    route({
      methods: ['GET'],
      path: '/webhooks/topics',
      summary: 'All topics that webhooks can be told of',
      description:
        'What there is to be told of, by name. A webhook may name beginnings of them, too, such as `content.*`.',
      answers: { body: topicList },
      args: {},
      permission,
      handle: async ({ deps, actor }: ConsoleCall<object>) => {
        const { topics } = await deps.webhooks.listTopics({}, asked(actor));
        return reply.plain(topics);
      },
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read a webhook',
      description: 'As lists show it: without its secret, which is told only when it is made.',
      answers: { body: webhookShape },
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) =>
        reply.plain(shownWebhook(await deps.webhooks.getWebhook(args, asked(actor)))),
    }),
    route({
      methods: ['PUT', 'PATCH', 'POST'],
      path: ITEM,
      summary: 'Change a webhook, disable it or set it to work again; what is absent stays',
      description:
        'What waits is delivered to the new address. One that is disabled loses what waits, and is told only of what happens once it is active again.',
      answers: { body: webhookShape },
      args: {
        ...id,
        ...fields,
        state: {
          type: 'string',
          enum: ['active', 'disabled'],
          description:
            'disabled: nothing is sent, what waits is given up. active: what happens from now on is sent.',
        },
      },
      permission,
      handle: change,
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Delete a webhook with its deliveries; once this is answered, nothing more is sent',
      description:
        'What is on its way comes to its end first, so it may take a while. Its deliveries can no longer be read.',
      answers: { body: deletedWebhook },
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) => {
        const was = await deps.webhooks.deleteWebhook(args, asked(actor, DELETE_MS));
        return reply.plain({ deleted: true, previous: shownWebhook(was) });
      },
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/secret`,
      summary: 'Make a new secret, told this once; the one before signs as well for a day',
      description:
        'Both secrets sign for a day, so that receivers can be told of the new one without missing anything.',
      answers: { body: webhookWithSecret },
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) =>
        reply.plain(withSecret(await deps.webhooks.rotateSecret(args, asked(actor))), 200, {
          'Cache-Control': 'no-store',
        }),
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/ping`,
      summary: 'Send a delivery that only says that it came',
      description:
        'The topic is `webhook.ping`. It is delivered like any other, and its answer is to be seen among the deliveries.',
      answers: { body: delivery, status: 202 },
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) =>
        reply.plain(shownDelivery(await deps.webhooks.pingWebhook(args, asked(actor))), 202),
    }),
    route({
      methods: ['GET'],
      path: DELIVERIES,
      summary: 'List the deliveries of a webhook, the newest first',
      description: 'Each with what was answered last; they are kept for some days.',
      answers: { body: deliveryPage },
      args: {
        ...id,
        state: {
          type: 'string',
          enum: ['waiting', 'delivered', 'given_up'],
          description: 'Only those in this state.',
        },
        older_than: olderThan,
        per_page: perPage('Deliveries'),
      },
      permission,
      handle: async ({
        deps,
        args,
        actor,
      }: ConsoleCall<{ id: number; state?: string; older_than: number; per_page: number }>) => {
        const { deliveries, next } = await deps.webhooks.listDeliveries(
          { webhook: args.id, state: args.state ?? '', before: args.older_than, perPage: args.per_page },
          asked(actor),
        );
        return reply.plain({ deliveries: deliveries.map(shownDelivery), next: next === 0 ? null : next });
      },
    }),
    route({
      methods: ['POST'],
      path: `${DELIVERIES}/(?P<delivery>[\\d]+)/redeliver`,
      summary: 'Send a delivery again, under the id that it had and with what is to be seen now',
      description: 'Receivers that took it once know it by its id. What it shows is what may be seen by now.',
      answers: { body: delivery, status: 202 },
      args: {
        ...id,
        delivery: { type: 'integer', required: true, minimum: 1, description: 'Number of the delivery.' },
      },
      permission,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: number; delivery: number }>) =>
        reply.plain(
          shownDelivery(
            await deps.webhooks.redeliver({ webhook: args.id, delivery: args.delivery }, asked(actor)),
          ),
          202,
        ),
    }),
  ],
};
