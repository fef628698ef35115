/** Organizers: who holds events. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type AnyRoute, type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { ways } from '../items';
import { createArgs, listArgs, updateArgs } from './schema';

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/organizers${way.path}`,
    summary: `Read an organizer by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: ['DELETE'],
    path: `/organizers${way.path}`,
    summary: `Delete an organizer by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: WRITE,
    path: `/organizers${way.path}`,
    summary: `Change an organizer by ${way.by}`,
    args: updateArgs[way.by],
    permission: anyone,
    handle: notImplemented,
  }),
]);

export const organizers: Resource<Deps> = {
  name: 'organizers',
  routes: [
    route({
      methods: ['GET'],
      path: '/organizers',
      summary: 'List organizers',
      args: listArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: '/organizers',
      summary: 'Create an organizer',
      args: createArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    ...items,
  ],
};
