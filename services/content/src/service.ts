/** The content service: posts, pages, media, revisions, terms, users, comments, settings and registries of `core/v2`. */
import path from 'node:path';
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { openStorage } from './media/open-storage';
import { openSettings } from './settings/cache';

export const contentService: ServiceDefinition<Deps, Config> = {
  name: 'content',
  namespace: 'core/v2',
  title: 'Content',
  description: 'Posts, pages, media, revisions, terms, users, comments, settings and registries of a site.',
  migrations: path.resolve(__dirname, '../migrations'),
  resources: [],
  open: ({ config, db, log, root }) => ({
    db,
    config,
    log,
    root,
    siteUrl: config.SITE_URL,
    settings: openSettings({
      db,
      databaseUrl: config.DATABASE_URL,
      log,
      fixed: { url: config.SITE_URL },
      initial: { title: config.SITE_TITLE, timezone: config.SITE_TIMEZONE, email: config.ADMIN_EMAIL },
    }),
    storage: openStorage(config),
  }),
  close: async (deps) => {
    await deps.settings.stop();
    await deps.storage.close();
  },
};
