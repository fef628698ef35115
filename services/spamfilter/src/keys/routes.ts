/** The key with which the site uses the spam filter. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { saveArgs } from './schema';

export const keys: Resource<Deps> = {
  name: 'key',
  routes: [
    route({
      methods: ['GET'],
      path: '/key',
      summary: 'Read the key',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: WRITE,
      path: '/key',
      summary: 'Set the key',
      args: saveArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['DELETE'],
      path: '/key',
      summary: 'Remove the key',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
