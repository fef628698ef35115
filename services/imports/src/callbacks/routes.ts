/** The two callbacks of an import service: here is a batch of events, and this is how the import stands. */
import { type Resource, anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { acceptBatch } from './accept-batch';
import { reportState } from './report-state';
import { batchAnswer, batchArgs, stateAnswer, stateArgs } from './schema';

const IMPORT = '/import/(?P<import_id>\\w+)';
const LARGEST_BATCH = 10 * 1024 * 1024;

export const callbacks: Resource<Deps> = {
  name: 'imports',
  description: 'Callbacks of import services.',
  routes: [
    route({
      methods: ['POST'],
      path: `${IMPORT}/batch`,
      summary: 'Deliver a batch of events',
      description:
        'Takes the next batch of an import: it is kept before it is answered, and applied after that. The hash of the batch, which the answer to the one before gave, is the credential; the same batch again gets the same answer and has no second effect. A first batch of an unknown import registers it, for users with the right `manage_imports`.',
      args: batchArgs,
      answers: { body: batchAnswer },
      bodyLimit: LARGEST_BATCH,
      // The hash is the credential of a sender; only a first batch that registers its import asks who sends it.
      permission: anyone,
      handle: async ({ deps, actor, args }) => reply.plain(await acceptBatch(deps, actor, args)),
    }),
    route({
      methods: ['POST'],
      path: `${IMPORT}/state`,
      summary: 'Report the state of an import',
      description:
        'Takes the report of an import service that an import has ended, failed or goes on. The hash of the batch that is expected next is the credential; it stays good.',
      args: stateArgs,
      answers: { body: stateAnswer },
      permission: anyone,
      handle: async ({ deps, args }) => {
        await reportState(deps, args);
        return reply.plain({ status: 'success' });
      },
    }),
  ],
};
