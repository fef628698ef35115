/** SEO: Configuration, indexables and statistics of search-engine optimisation. */
import path from 'node:path';
import { openMemory } from '@sevenfold/chassis/db/memory';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import type { Config } from './config';
import type { Deps } from './deps';
import { headService } from './addresses/rpc';
import { checks } from './checks/routes';
import { configurations } from './configurations/routes';
import { codes } from './errors';
import { indexableJobs, indexableSubscriptions, indexableSweeps } from './indexables/jobs';
import { indexables } from './indexables/routes';
import { channels } from './memory';
import { overrideService } from './overrides/rpc';
import { openSettings } from './settings/read';
import { sitemapSweeps } from './sitemaps/make';
import { dialOwners } from './sources/clients';
import { siteSubscriptions, siteSweeps } from './sources/site';
import { statistics } from './statistics/routes';
import { statisticsSweeps } from './statistics/store';

export const seoService: ServiceDefinition<Deps, Config> = {
  name: 'seo',
  namespace: 'seo/v1',
  title: 'Search-engine optimisation',
  description: 'Configuration, indexables and statistics of search-engine optimisation.',
  migrations: path.resolve(__dirname, '../migrations'),
  examples: path.resolve(__dirname, '../examples.json'),
  codes,
  resources: [configurations, checks, indexables, statistics],
  rpc: (deps) => [headService(deps), overrideService(deps)],
  jobs: [...indexableJobs],
  subscriptions: [...siteSubscriptions, ...indexableSubscriptions],
  sweeps: [...siteSweeps, ...indexableSweeps, ...statisticsSweeps, ...sitemapSweeps],
  open: ({ config, db, dial, listener, log, root }) => {
    const memory = openMemory(listener, channels);
    return {
      db,
      config,
      log,
      root,
      siteUrl: config.SITE_URL,
      outside: { allowPrivate: config.OUTBOUND_ALLOW_PRIVATE },
      memory,
      settings: openSettings(db, memory, config),
      owners: dialOwners(dial, config, log),
    };
  },
  close: ({ owners }) => owners.close(),
};
