/** Event categories and event tags: one resource, two rows. The terms themselves belong to the content service. */
import { notImplemented } from '@sevenfold/chassis/errors';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { type Resource, WRITE, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { idArgs } from '../items';
import { categoryArgs, tagArgs } from './schema';

interface Kind {
  readonly name: 'categories' | 'tags';
  readonly one: string;
  readonly args: { readonly list: ArgTable; readonly create: ArgTable; readonly update: ArgTable };
}

const terms = ({ name, one, args }: Kind): Resource<Deps> => ({
  name,
  routes: [
    route({
      methods: ['GET'],
      path: `/${name}`,
      summary: `List event ${name}`,
      args: args.list,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['POST'],
      path: `/${name}`,
      summary: `Create an event ${one}`,
      args: args.create,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['GET'],
      path: `/${name}/(?P<id>[\\d]+)`,
      summary: `Read an event ${one}`,
      args: idArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: ['DELETE'],
      path: `/${name}/(?P<id>[\\d]+)`,
      summary: `Delete an event ${one}`,
      args: idArgs,
      permission: anyone,
      handle: notImplemented,
    }),
    route({
      methods: WRITE,
      path: `/${name}/(?P<id>[\\d]+)`,
      summary: `Change an event ${one}`,
      args: args.update,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
});

export const categories = terms({ name: 'categories', one: 'category', args: categoryArgs });
export const tags = terms({ name: 'tags', one: 'tag', args: tagArgs });
