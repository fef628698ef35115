/** Contact forms: the forms themselves, what visitors submit, and the quiz questions of a form shown again. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { itemArgs } from './schema';

const ITEM = '/contact-forms/(?P<id>[\\d]+)';

export const forms: Resource<Deps> = {
  name: 'contact-forms',
  routes: [
    route({
      methods: ['GET'],
      path: '/contact-forms',
      summary: 'List contact forms',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: '/contact-forms',
      summary: 'Create a contact form',
      args: {},
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read a contact form',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: WRITE,
      path: ITEM,
      summary: 'Change a contact form',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Delete a contact form',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/feedback`,
      summary: 'Submit a contact form',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['GET'],
      path: `${ITEM}/refill`,
      summary: 'Fresh quiz questions of a contact form',
      args: itemArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
