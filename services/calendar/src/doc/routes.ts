/** The description of this namespace for tools that read Swagger 2.0. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';

export const doc: Resource<Deps> = {
  name: 'doc',
  routes: [
    route({
      methods: ['GET'],
      path: '/doc',
      summary: 'Describe the calendar routes',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
