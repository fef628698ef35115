/** SEO: Configuration, indexables and statistics of search-engine optimisation. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { checks } from './checks/routes';
import { configurations } from './configurations/routes';
import { indexables } from './indexables/routes';
import { statistics } from './statistics/routes';

export const seoService: ServiceDefinition<Deps, Config> = {
  name: 'seo',
  namespace: 'seo/v1',
  title: 'Search-engine optimisation',
  description: 'Configuration, indexables and statistics of search-engine optimisation.',
  resources: [configurations, checks, indexables, statistics],
  open: ({ config, log, root }) => ({ config, log, root }),
};
