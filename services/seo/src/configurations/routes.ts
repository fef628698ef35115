/** The answers of the configuration wizard, and the wizard itself as data. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';

export const configurations: Resource<Deps> = {
  name: 'configurator',
  routes: [
    route({
      methods: ['GET'],
      path: '/configurator',
      summary: 'Read the configuration and its form',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: '/configurator',
      summary: 'Change the configuration',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
