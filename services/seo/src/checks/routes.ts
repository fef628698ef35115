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
  external_check: shape.either(
    shape.constant(false),
    shape.object({ score: shape.text, label: shape.text, can_fetch: shape.flag }),
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
      args: {},
      answers: { body: shape.described('How many posts were indexed anew.', shape.integer) },
      permission: refuseWithout('edit_posts', 'Indexing anew takes the right to edit posts.'),
      handle: async ({ deps }) => reply.plain(await reindexSome(deps)),
    }),
    route({
      methods: ['GET'],
      path: '/external_check',
      summary: 'Whether search engines can fetch the site',
      args: {},
      answers: { body: externalAnswer },
      permission: refuseOthers,
      handle: async ({ deps }) =>
        reply.plain({ external_check: deps.config.EXTERNAL_CHECK && (await checkSite(deps)) }),
    }),
  ],
};
