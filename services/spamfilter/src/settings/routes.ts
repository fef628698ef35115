/** Settings of the spam filter. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { saveArgs } from './schema';

export const settings: Resource<Deps> = {
  name: 'settings',
  routes: [
    route({
      methods: ['GET'],
      path: '/settings',
      summary: 'Read the settings',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: WRITE,
      path: '/settings',
      summary: 'Change the settings',
      args: saveArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
