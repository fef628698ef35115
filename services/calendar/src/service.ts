/** Calendar: Events, venues, organizers and their terms. */
import path from 'node:path';
import { outlineBounds } from '@sevenfold/chassis/db/list';
import { linkSweeps } from '@sevenfold/chassis/db/link-maps';
import { openMemory } from '@sevenfold/chassis/db/memory';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import type { Config } from './config';
import { dialContent } from './content/clients';
import { departureJobs, departureSweeps } from './content/departures';
import { contentSubscriptions, contentSweeps } from './content/follow';
import { openKnown } from './content/known';
import { followContent } from './content/news';
import type { Deps } from './deps';
import { listingSweep } from './common/listings';
import { recountSweep } from './common/recount';
import { docOf } from './doc/routes';
import { embedJobs, embedSubscriptions } from './events/embeds';
import type { EventOutline } from './events/outline';
import { eventJobs, eventSweeps } from './events/jobs';
import { openReady } from './events/ready';
import { eventService } from './events/rpc';
import { events } from './events/routes';
import { feedService } from './feeds/rpc';
import { imageJobs } from './imports/images';
import { importSweeps } from './imports/jobs';
import { importService } from './imports/rpc';
import { openSlowHosts } from './imports/slow-hosts';
import { publishDueSweep } from './linked/jobs';
import { linksOptions } from './linked/list';
import { openRows } from './linked/memory';
import { channels } from './memory';
import { organizerKind } from './organizers/kind';
import { organizers } from './organizers/routes';
import { siteImportService } from './site-import/rpc';
import { embeds } from './terms/embed';
import { categories, tags } from './terms/routes';
import { texts } from './texts/routes';
import { venueKind } from './venues/kind';
import { placeSweep } from './venues/places';
import { venues } from './venues/routes';
import { codes } from './errors';

const described = [events, venues, organizers, categories, tags];

export const calendarService: ServiceDefinition<Deps, Config> = {
  name: 'calendar',
  namespace: 'calendar/events/v1',
  title: 'Events calendar',
  description: 'Events, venues, organizers and their terms.',
  migrations: path.resolve(__dirname, '../migrations'),
  examples: path.resolve(__dirname, '../examples.json'),
  connections: { api: 11, worker: 7, apart: { searches: 2, lists: 2 } },
  codes,
  resources: [docOf(described), ...described, texts],
  embeds,
  rpc: (deps) => [eventService(deps), feedService(deps), importService(deps), siteImportService(deps)],
  jobs: [...eventJobs, ...embedJobs, ...departureJobs, ...imageJobs],
  subscriptions: [...contentSubscriptions, ...embedSubscriptions],
  sweeps: [
    ...eventSweeps,
    placeSweep,
    listingSweep,
    recountSweep,
    ...linkSweeps,
    publishDueSweep(venueKind),
    publishDueSweep(organizerKind),
    ...contentSweeps,
    ...departureSweeps,
    ...importSweeps,
  ],
  open: ({ config, db, log, listener, apart, root, dial }) => {
    const memory = openMemory(listener, channels);
    const content = dialContent(dial, config.CONTENT_GRPC, log);
    const known = openKnown({ db, content, memory, log, fallbackTimezone: config.SITE_TIMEZONE });
    return {
      db,
      searches: apart.searches(),
      lists: apart.lists(config.LIST_LIMIT_MS),
      config,
      log,
      root,
      siteUrl: config.SITE_URL,
      content,
      oembed: dial<EmbedServiceServer>(EmbedServiceService, {
        service: 'oembed',
        address: config.OEMBED_GRPC,
      }),
      memory,
      known,
      contentNews: followContent({ dial, address: config.CONTENT_GRPC, known, log }),
      linked: {
        venues: openRows(db, memory, venueKind),
        organizers: openRows(db, memory, organizerKind),
      },
      ready: openReady(memory),
      linksOfEvents: memory.cache<readonly number[]>(['events'], linksOptions),
      slowHosts: openSlowHosts(),
      outlines: memory.cache<EventOutline>(['events', 'linked'], outlineBounds),
    };
  },
  // What stood in for the content service may be older than the news of it.
  heard: ({ contentNews, known }) => ({ content: known.isSure() ? contentNews.heard() : '' }),
  otherNews: ({ contentNews }) => ({ content: contentNews }),
  close: async (deps) => {
    await deps.contentNews.stop();
    await deps.content.close();
    deps.oembed.close();
    await deps.searches.close();
    await deps.lists.close();
  },
};
