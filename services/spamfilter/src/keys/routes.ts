/** The key with which the site uses an outside service against spam. */
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { refuseOthers } from '../policy';
import { removeKey, setKey } from './actions';
import { saveArgs } from './schema';

export const keys: Resource<Deps> = {
  name: 'key',
  description: 'The key with which the site uses an outside service against spam.',
  routes: [
    route({
      methods: ['GET'],
      path: '/key',
      summary: 'Read the key',
      description:
        'The key as it was set; false without one. One that cannot be read any more, since its secret is gone, is 409.',
      args: {},
      answers: { body: shape.either(shape.text, shape.constant(false)), refuses: [409] },
      permission: refuseOthers,
      handle: async ({ deps }) => {
        const found = await deps.key();
        if (found.state === 'lost') throw errors.keyLost();
        return reply.plain(found.state === 'none' ? false : found.key);
      },
    }),
    route({
      methods: WRITE,
      path: '/key',
      summary: 'Set the key',
      description:
        'Asks the outside service about the key, if there is one, and keeps it. A key that is none, or that is not known there, is 400.',
      args: saveArgs,
      answers: { body: shape.text },
      permission: refuseOthers,
      handle: async ({ deps, args, request }) => reply.plain(await setKey(deps, args.key, request.signal())),
    }),
    route({
      methods: ['DELETE'],
      path: '/key',
      summary: 'Remove the key',
      description: 'Takes the key away; what is judged then is judged here alone.',
      args: {},
      answers: { body: shape.constant(true) },
      permission: refuseOthers,
      handle: async ({ deps }) => {
        await removeKey(deps);
        return reply.plain(true);
      },
    }),
  ],
};
