/** The content service: posts, pages, media, revisions, terms, users, comments, settings and registries of `core/v2`. */
import path from 'node:path';
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { embedComment, embedComments } from './comments/embed';
import { comments } from './comments/routes';
import { openStorage } from './media/open-storage';
import { openSettings } from './settings/cache';
import { embedUsers } from './users/embed';
import { openIdentity } from './users/identity';
import { users } from './users/routes';
import { identityService } from './users/rpc';
import { ensureAdministrator } from './users/setup';

export const contentService: ServiceDefinition<Deps, Config> = {
  name: 'content',
  namespace: 'core/v2',
  title: 'Content',
  description: 'Posts, pages, media, revisions, terms, users, comments, settings and registries of a site.',
  migrations: path.resolve(__dirname, '../migrations'),
  resources: [users, comments],
  embeds: { user: embedUsers, comment: embedComment, comments: embedComments },
  rpc: (deps) => [identityService(deps)],
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
    identity: openIdentity({ db, databaseUrl: config.DATABASE_URL, log }),
    storage: openStorage(config),
  }),
  prepare: async ({ db, config }) => {
    if (config.ADMIN_USERNAME === '' || config.ADMIN_PASSWORD === '') return;
    await ensureAdministrator(db, {
      username: config.ADMIN_USERNAME,
      password: config.ADMIN_PASSWORD,
      email: config.ADMIN_EMAIL,
      applicationPassword: config.ADMIN_APPLICATION_PASSWORD,
    });
  },
  close: async (deps) => {
    await deps.settings.stop();
    await deps.identity.stop();
    await deps.storage.close();
  },
};
