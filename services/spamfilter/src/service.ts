/** Spam filter: The key, the settings and the statistics of the spam filter. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { keys } from './keys/routes';
import { settings } from './settings/routes';
import { statistics } from './statistics/routes';

export const spamfilterService: ServiceDefinition<Deps, Config> = {
  name: 'spamfilter',
  namespace: 'spamfilter/v1',
  title: 'Spam filter',
  description: 'The key, the settings and the statistics of the spam filter.',
  resources: [keys, settings, statistics],
  open: ({ config, log, root }) => ({ config, log, root }),
};
