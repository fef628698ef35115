/** oEmbed: oEmbed provider of the site and proxy to other providers. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { embeds } from './embeds/routes';

export const oembedService: ServiceDefinition<Deps, Config> = {
  name: 'oembed',
  namespace: 'oembed/1.0',
  title: 'oEmbed',
  description: 'oEmbed provider of the site and proxy to other providers.',
  resources: [embeds],
  open: ({ config, log, root }) => ({ config, log, root }),
};
