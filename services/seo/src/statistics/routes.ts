/** How well the published posts do in search-engine optimisation. */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { deny } from '@sevenfold/chassis/errors';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { canEdit, reachOf } from '@sevenfold/publishing/rights';
import type { Deps } from '../deps';
import { present } from './presenter';
import * as store from './store';

/** Whose posts the user may edit, which is whose are counted. */
function authorOf(actor: Actor): number | undefined {
  const reach = reachOf(actor, (row) => canEdit(actor, 'posts', row), 'publish');
  return { all: store.EVERYBODY, own: actor.id, none: undefined }[reach];
}

export const statistics: Resource<Deps> = {
  name: 'statistics',
  routes: [
    route({
      methods: ['GET'],
      path: '/statistics',
      summary: 'Count posts by their score',
      args: {},
      permission: ({ actor }) =>
        isLoggedIn(actor) ? undefined : deny('rest_forbidden', 'Log in to see how your posts do.'),
      handle: async ({ deps: { db, siteUrl }, actor }) => {
        const author = authorOf(actor);
        return reply.plain(present(author === undefined ? [] : await store.read(db, author), siteUrl));
      },
    }),
  ],
};
