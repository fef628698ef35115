/** Venues: where events take place. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type AnyRoute, type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { ways } from '../items';
import { createArgs, listArgs, updateArgs } from './schema';

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/venues${way.path}`,
    summary: `Read a venue by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: ['DELETE'],
    path: `/venues${way.path}`,
    summary: `Delete a venue by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: WRITE,
    path: `/venues${way.path}`,
    summary: `Change a venue by ${way.by}`,
    args: updateArgs[way.by],
    permission: anyone,
    handle: notImplemented,
  }),
]);

export const venues: Resource<Deps> = {
  name: 'venues',
  routes: [
    route({
      methods: ['GET'],
      path: '/venues',
      summary: 'List venues',
      args: listArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: '/venues',
      summary: 'Create a venue',
      args: createArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    ...items,
  ],
};
