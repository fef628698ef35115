/** Webhooks for the people who run the site. Rights are judged here and again by the content service. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Call, type Reply, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Webhook, WebhookWithSecret } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import { shownDelivery, shownWebhook } from '@sevenfold/proto/shown/webhook';
import type { ConsoleDeps } from './deps';

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

const change = async ({ deps, args, actor }: ConsoleCall<Fields & { id: number }>): Promise<Reply<never>> =>
  reply.plain(
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

export const webhooks: Resource<ConsoleDeps> = {
  name: 'webhooks',
  routes: [
    route({
      methods: ['GET'],
      path: COLLECTION,
      summary: 'List webhooks, the oldest first; those that are disabled say why',
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
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) =>
        reply.plain(shownWebhook(await deps.webhooks.getWebhook(args, asked(actor)))),
    }),
    route({
      methods: ['PUT', 'PATCH', 'POST'],
      path: ITEM,
      summary: 'Change a webhook, disable it or set it to work again; what is absent stays',
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
      args: id,
      permission,
      handle: async ({ deps, args, actor }: OfOne) =>
        reply.plain(shownDelivery(await deps.webhooks.pingWebhook(args, asked(actor))), 202),
    }),
    route({
      methods: ['GET'],
      path: DELIVERIES,
      summary: 'List the deliveries of a webhook, the newest first',
      args: {
        ...id,
        state: {
          type: 'string',
          enum: ['waiting', 'delivered', 'given_up'],
          description: 'Only those in this state.',
        },
        older_than: {
          type: 'integer',
          default: 0,
          minimum: 0,
          description: 'The `next` of the page before.',
        },
        per_page: {
          type: 'integer',
          default: 20,
          minimum: 1,
          maximum: 100,
          description: 'Deliveries on a page.',
        },
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
