/** The content service: posts, pages, media, revisions, terms, users, comments, settings and registries of `core/v2`. */
import path from 'node:path';
import { type Outline, outlineBounds } from '@sevenfold/chassis/db/list';
import { linkSweeps } from '@sevenfold/chassis/db/link-maps';
import { openMemory } from '@sevenfold/chassis/db/memory';
import { dialFollowed } from '@sevenfold/chassis/grpc/pulse';
import { openSealer } from '@sevenfold/chassis/seal';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import {
  EventServiceService,
  type EventServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import {
  type SpamServiceServer,
  SpamServiceService,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Config } from './config';
import type { Deps } from './deps';
import { embeds } from './embeds';
import { commentJobs, commentSweeps } from './comments/jobs';
import { comments } from './comments/routes';
import { channels } from './memory';
import { mediaJobs, mediaSweeps } from './media/jobs';
import { openStorage } from '@sevenfold/chassis/files/open-storage';
import { media } from './media/routes';
import { mediaService } from './media/rpc';
import { mountUploads } from './media/serve-files';
import { openGuesses } from './posts/guesses';
import { postJobs, postSweeps } from './posts/jobs';
import { recountSweep } from './posts/recount-links';
import { pages, posts } from './posts/routes';
import { postService } from './posts/rpc';
import { noteAddress } from './posts/shown-from';
import { revisions } from './revisions/routes';
import { statuses, taxonomies, types } from './registries/routes';
import { openSettings } from './settings/cache';
import { settings } from './settings/routes';
import { sessionSweeps } from './sessions/jobs';
import { sessionService } from './sessions/rpc';
import { openSessions } from './sessions/sessions';
import { settingsService } from './settings/rpc';
import { siteService } from './site/rpc';
import { embedJobs } from './stored-embeds/jobs';
import { termJobs, termSweeps } from './terms/many-posts';
import { categories, eventCategories, tags } from './terms/routes';
import { termService } from './terms/rpc';
import { userJobs, userSweeps } from './users/departures';
import { openIdentity } from './users/identity';
import { listedSweeps } from './users/listed';
import { users } from './users/routes';
import { identityService } from './users/rpc';
import { ensureAdministrator } from './users/setup';
import { webhookJobs, webhookSweeps } from './webhooks/jobs';
import { webhookGauges } from './webhooks/metrics';
import { webhookSubscriptions } from './webhooks/record';
import { webhookService } from './webhooks/rpc';
import { openSender } from './webhooks/send';
import { openSources } from './webhooks/sources';
import { codes } from './errors';

export const contentService: ServiceDefinition<Deps, Config> = {
  name: 'content',
  namespace: 'core/v2',
  title: 'Content',
  description: 'Posts, pages, media, revisions, terms, users, comments, settings and registries of a site.',
  migrations: path.resolve(__dirname, '../migrations'),
  examples: path.resolve(__dirname, '../examples.json'),
  connections: { api: 13, worker: 7, apart: { searches: 2, lists: 2, identity: 2 } },
  codes,
  resources: [
    posts,
    pages,
    media,
    revisions,
    users,
    comments,
    categories,
    tags,
    eventCategories,
    types,
    statuses,
    taxonomies,
    settings,
  ],
  embeds,
  rpc: (deps) => [
    postService(deps),
    mediaService(deps),
    identityService(deps),
    sessionService(deps),
    termService(deps),
    settingsService(deps),
    siteService(deps),
    webhookService(deps),
  ],
  jobs: [...postJobs, ...embedJobs, ...mediaJobs, ...commentJobs, ...termJobs, ...userJobs, ...webhookJobs],
  subscriptions: webhookSubscriptions,
  sweeps: [
    ...postSweeps,
    ...linkSweeps,
    recountSweep,
    ...mediaSweeps,
    ...commentSweeps,
    ...sessionSweeps,
    ...termSweeps,
    ...userSweeps,
    ...listedSweeps,
    ...webhookSweeps,
  ],
  gauges: webhookGauges,
  mount: mountUploads,
  open: ({ config, db, log, listener, apart, root, dial }) => {
    const memory = openMemory(listener, channels);
    const signInDb = apart.database('identity');
    const identity = openIdentity({ db: signInDb, listener, log });
    return {
      db,
      searches: apart.searches(),
      lists: apart.lists(config.LIST_LIMIT_MS),
      config,
      log,
      root,
      memory,
      siteUrl: config.SITE_URL,
      settings: openSettings({
        db,
        memory,
        fixed: { url: config.SITE_URL },
        initial: { title: config.SITE_TITLE, timezone: config.SITE_TIMEZONE, email: config.ADMIN_EMAIL },
      }),
      identity,
      sessions: openSessions({ db, signInDb, identity, config, log }),
      guesses: openGuesses(),
      postOutlines: memory.cache<Outline>(['posts'], outlineBounds),
      generatedSlugs: memory.cache(['posts'], outlineBounds),
      storage: openStorage({ folder: config.UPLOADS_DIR, bucket: config.S3_BUCKET, config, log }),
      calendar: dial<EventServiceServer>(EventServiceService, {
        service: 'calendar',
        address: config.CALENDAR_GRPC,
      }),
      oembed: dial<EmbedServiceServer>(EmbedServiceService, {
        service: 'oembed',
        address: config.OEMBED_GRPC,
      }),
      spamFilter: config.COMMENT_SPAM_CHECK
        ? dialFollowed<SpamServiceServer>(SpamServiceService, {
            dial,
            service: 'spamfilter',
            address: config.SPAMFILTER_GRPC,
            log,
          })
        : undefined,
      webhookSealer: openSealer(config.SPAM_KEY_SECRETS, 'sevenfold webhook secret'),
      webhookSources: openSources(dial, config),
      webhookSender: openSender({
        allowPrivate: config.OUTBOUND_ALLOW_PRIVATE,
        timeoutMs: config.WEBHOOK_TIMEOUT_MS,
      }),
    };
  },
  prepare: async ({ db, config, siteUrl }) => {
    await noteAddress(db, siteUrl);
    if (config.ADMIN_USERNAME === '' || config.ADMIN_PASSWORD === '') return;
    await ensureAdministrator(db, {
      username: config.ADMIN_USERNAME,
      password: config.ADMIN_PASSWORD,
      email: config.ADMIN_EMAIL,
      applicationPassword: config.ADMIN_APPLICATION_PASSWORD,
    });
  },
  close: async (deps) => {
    deps.calendar.close();
    deps.oembed.close();
    await deps.spamFilter?.close();
    deps.webhookSources.close();
    await deps.webhookSender.close();
    await deps.searches.close();
    await deps.lists.close();
    await deps.identity.stop();
    await deps.storage.close();
  },
};
