/** What is known, for search engines, about one object of the site. */
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import type { Deps } from '../deps';
import { refuseOthers } from '../policy';
import { presentIndexable } from './presenter';
import { indexableAnswer, itemArgs } from './schema';
import * as store from './store';

const TYPES = ['post', 'term'] as const;

export const indexables: Resource<Deps> = {
  name: 'indexables',
  description: 'What is known, for search engines, about objects of the site.',
  routes: [
    route({
      methods: ['GET'],
      path: '/indexables/(?P<object_type>.*)/(?P<object_id>[\\d]+)',
      summary: 'Read the indexable of an object',
      description:
        'What is known, for search engines, about a post or a term: its address, titles, directives, scores and links. Faults are bare texts.',
      args: itemArgs,
      answers: { body: indexableAnswer, also: { 400: shape.text, 404: shape.text } },
      permission: refuseOthers,
      handle: async ({ deps, args }) => {
        const type = TYPES.find((name) => name === args.object_type.toLowerCase());
        // Bare texts, as clients know them.
        if (!type) return reply.plain('Only objects of the types post and term are indexed.', 400);
        const row = await store.findShown(deps.db, type, args.object_id);
        return row ? reply.plain(presentIndexable(row)) : reply.plain('This object is not indexed.', 404);
      },
    }),
  ],
};
