/** The two callbacks of an import service: here is a batch of events, and this is how the import stands. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { batchArgs, stateArgs } from './schema';

const IMPORT = '/import/(?P<import_id>\\w+)';
const LARGEST_BATCH = 10 * 1024 * 1024;

export const callbacks: Resource<Deps> = {
  name: 'imports',
  routes: [
    route({
      methods: ['POST'],
      path: `${IMPORT}/batch`,
      summary: 'Deliver a batch of events',
      args: batchArgs,
      bodyLimit: LARGEST_BATCH,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: `${IMPORT}/state`,
      summary: 'Report the state of an import',
      args: stateArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
