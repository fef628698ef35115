/** How well the published posts do in search-engine optimisation. */
import type { Actor } from '@sevenfold/chassis/actor';
import { refuseStrangers } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { canEdit, reachOf } from '@sevenfold/publishing/rights';
import * as shape from '@sevenfold/chassis/http/shapes';
import type { Deps } from '../deps';
import { present } from './presenter';
import * as store from './store';

const statisticsAnswer = shape.object({
  header: shape.described('A sentence on how the posts do, as HTML.', shape.text),
  seo_scores: shape.described(
    'How many posts there are of each rank.',
    shape.listOf(
      shape.object({
        seo_rank: shape.described('The rank.', { enum: ['good', 'ok', 'bad', 'na', 'noindex'] }),
        label: shape.described('The rank in words for people, as HTML.', shape.text),
        count: shape.described('How many posts have it.', shape.integer),
        link: shape.described('Where these posts are listed, written for HTML.', shape.text),
      }),
    ),
  ),
});

/** Whose posts the user may edit, which is whose are counted. */
function authorOf(actor: Actor): number | undefined {
  const reach = reachOf(actor, (row) => canEdit(actor, 'posts', row), 'publish');
  return { all: store.EVERYBODY, own: actor.id, none: undefined }[reach];
}

export const statistics: Resource<Deps> = {
  name: 'statistics',
  description: 'How well published posts do in search-engine optimisation.',
  routes: [
    route({
      methods: ['GET'],
      path: '/statistics',
      summary: 'Count posts by their score',
      description: 'How many of the published posts that the caller may edit are of each rank.',
      args: {},
      answers: { body: statisticsAnswer },
      permission: refuseStrangers('Log in to see how your posts do.'),
      handle: async ({ deps: { db, siteUrl }, actor }) => {
        const author = authorOf(actor);
        return reply.plain(present(author === undefined ? [] : await store.read(db, author), siteUrl));
      },
    }),
  ],
};
