/** Events of the calendar. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type AnyRoute, type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { ways } from '../items';
import { createArgs, listArgs, updateArgs } from './schema';

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/events${way.path}`,
    summary: `Read an event by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: WRITE,
    path: `/events${way.path}`,
    summary: `Change an event by ${way.by}`,
    args: updateArgs[way.by],
    permission: anyone,
    handle: notImplemented,
  }),
  route({
    methods: ['DELETE'],
    path: `/events${way.path}`,
    summary: `Delete an event by ${way.by}`,
    args: way.args,
    permission: anyone,
    handle: notImplemented,
  }),
]);

export const events: Resource<Deps> = {
  name: 'events',
  routes: [
    route({
      methods: ['GET'],
      path: '/events',
      summary: 'List events',
      args: listArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: '/events',
      summary: 'Create an event',
      args: createArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    ...items,
  ],
};
