/** How much spam was met, and how well it was told apart. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { allArgs, oneArgs } from './schema';

export const statistics: Resource<Deps> = {
  name: 'stats',
  routes: [
    route({
      methods: ['GET'],
      path: '/stats',
      summary: 'Statistics of a period',
      args: allArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['GET'],
      path: '/stats/(?P<interval>[\\w+])',
      summary: 'Statistics of a period named by one letter',
      args: oneArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
