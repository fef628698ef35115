/** oEmbed: what other sites need to embed items of this one, and the way to theirs. */
import path from 'node:path';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { readRedisCa } from '@sevenfold/chassis/tls';
import type { Config } from './config';
import type { Deps } from './deps';
import { embeds } from './embeds/routes';
import { embedService } from './embeds/rpc';
import { codes } from './errors';
import { openCache } from './proxy/cache';
import type { Outside } from './proxy/fetch';
import { openGate } from './proxy/gate';
import { type Provider, readProviders } from './proxy/providers';
import { openResolve } from './proxy/resolve';
import { proxy } from './proxy/routes';
import { dialNeighbours } from './site/neighbours';
import { openSite } from './site/site';

/** How the outside is reached, and who is known there: tests have an outside of one machine. */
export interface Surroundings {
  readonly outside?: Partial<Outside>;
  readonly providers?: readonly Provider[];
}

export const oembedServiceIn = ({ outside, providers }: Surroundings = {}): ServiceDefinition<
  Deps,
  Config
> => ({
  name: 'oembed',
  namespace: 'oembed/1.0',
  title: 'oEmbed',
  description: 'oEmbed provider of the site and proxy to other providers.',
  examples: path.resolve(__dirname, '../examples.json'),
  codes,
  resources: [embeds, proxy],
  rpc: (deps) => [embedService(deps)],
  open: ({ config, log, root, dial }) => {
    const redis = openRedis(config.REDIS_URL, log, readRedisCa(config));
    const neighbours = dialNeighbours(dial, config, log);
    return {
      config,
      log,
      root,
      siteUrl: config.SITE_URL,
      neighbours,
      site: openSite(neighbours, config.SITE_URL),
      redis,
      resolve: openResolve({
        siteUrl: config.SITE_URL,
        log,
        cache: openCache(redis, config.REDIS_PREFIX, log),
        gate: openGate(),
        outside: { allowPrivate: config.OUTBOUND_ALLOW_PRIVATE, ...outside },
        findEndpoint: readProviders(providers),
      }),
    };
  },
  close: async ({ neighbours, redis }) => {
    await neighbours.close();
    await closeRedis(redis);
  },
});

export const oembedService = oembedServiceIn();
