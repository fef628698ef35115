/** oEmbed: what other sites need to embed a page of this one, and the proxy to the oEmbed of other sites. */
import { notImplemented } from '@sevenfold/chassis/errors';
import { type Resource, anyone, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { embedArgs, proxyArgs } from './schema';

export const embeds: Resource<Deps> = {
  name: 'embeds',
  routes: [
    route({
      methods: ['GET'],
      path: '/embed',
      summary: 'oEmbed data of a page of this site',
      args: embedArgs,
      permission: anyone,
      handle: notImplemented,
    }),
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
