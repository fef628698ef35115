/** What is checked or done anew for the whole site at once. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import type { Deps } from '../deps';
import { reindexSome } from '../indexables/reindex';
import { refuseOthers } from '../policy';
import { checkSite } from './external';

/** False where the site is not to be looked at. */
const externalAnswer = shape.object({
  external_check: shape.described(
    'What was found; false where the site is not to be looked at.',
    shape.either(
      shape.constant(false),
      shape.object({
        score: shape.described('How well it went, in one word.', shape.text),
        label: shape.described('The same in words for people.', shape.text),
        can_fetch: shape.described('Whether search engines can fetch the site.', shape.flag),
      }),
    ),
  ),
});

export const checks: Resource<Deps> = {
  name: 'checks',
  description: 'What is checked or done anew for the whole site.',
  routes: [
    route({
      methods: ['GET'],
      path: '/reindex_posts',
      summary: 'Index the next posts anew',
      description:
        'Brings the index of the next posts up to date, those first that have waited the longest, and answers how many: 0 when all are.',
      args: {},
      answers: { body: shape.described('How many posts were indexed anew.', shape.integer) },
      permission: refuseWithout('edit_posts', 'Indexing anew takes the right to edit posts.'),
      handle: async ({ deps }) => reply.plain(await reindexSome(deps)),
    }),
    route({
      methods: ['GET'],
      path: '/external_check',
      summary: 'Whether search engines can fetch the site',
      description:
        'Fetches the front page of the site from outside, as a search engine would, and tells what came of it. What was found is kept for a while.',
      args: {},
      answers: { body: externalAnswer },
      permission: refuseOthers,
      handle: async ({ deps }) =>
        reply.plain({ external_check: deps.config.EXTERNAL_CHECK && (await checkSite(deps)) }),
    }),
  ],
};
