/** What is known, for search engines, about one object of the site. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { itemArgs } from './schema';

export const indexables: Resource<Deps> = {
  name: 'indexables',
  routes: [
    route({
      methods: ['GET'],
      path: '/indexables/(?P<object_type>.*)/(?P<object_id>[\\d]+)',
      summary: 'Read the indexable of an object',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
