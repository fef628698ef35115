/** A service with one route and nothing behind it. */
import { isLoggedIn } from '@sevenfold/chassis/actor';
import { anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';

export const seo: ServiceDefinition<object, ServiceConfig> = {
  name: 'seo',
  namespace: 'seo/v1',
  title: 'Small SEO',
  description: 'Stands in for the SEO service.',
  open: () => ({}),
  resources: [
    {
      name: 'statistics',
      routes: [
        route({
          methods: ['GET', 'POST'],
          path: '/statistics',
          summary: 'Something',
          args: {},
          permission: anyone,
          handle: ({ actor }) =>
            reply.plain(isLoggedIn(actor) ? { alive: true, for: actor.username } : { alive: true }),
        }),
      ],
    },
  ],
};
