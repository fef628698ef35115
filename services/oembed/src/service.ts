/** oEmbed: what other sites need to embed items of this one, and the way to theirs. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { embeds } from './embeds/routes';
import { embedService } from './embeds/rpc';
import { codes } from './errors';
import { proxy } from './proxy/routes';
import { dialNeighbours } from './site/neighbours';
import { openSite } from './site/site';

export const oembedService: ServiceDefinition<Deps, Config> = {
  name: 'oembed',
  namespace: 'oembed/1.0',
  title: 'oEmbed',
  description: 'oEmbed provider of the site and proxy to other providers.',
  codes,
  resources: [embeds, proxy],
  rpc: (deps) => [embedService(deps)],
  open: ({ config, log, root, dial }) => {
    const neighbours = dialNeighbours(dial, config, log);
    return {
      config,
      log,
      root,
      siteUrl: config.SITE_URL,
      neighbours,
      site: openSite(neighbours, config.SITE_URL),
    };
  },
  close: ({ neighbours }) => neighbours.close(),
};
