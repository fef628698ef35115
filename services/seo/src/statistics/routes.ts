/** How well the published posts do in search-engine optimisation. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';

export const statistics: Resource<Deps> = {
  name: 'statistics',
  routes: [
    route({
      methods: ['GET'],
      path: '/statistics',
      summary: 'Count posts by their score',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
