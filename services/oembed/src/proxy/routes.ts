/** oEmbed proxy: what it takes to embed items of other sites, for those who write here. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { proxyArgs } from './schema';

export const proxy: Resource<Deps> = {
  name: 'proxy',
  routes: [
    route({
      methods: ['GET'],
      path: '/proxy',
      summary: 'oEmbed data of a resource anywhere',
      args: proxyArgs,
      permission: anyone,
      handle: notImplemented,
    }),
  ],
};
