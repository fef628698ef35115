/** Calendar: Events, venues, organizers and their terms. */
import path from 'node:path';
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import { dialContent } from './content/clients';
import type { Deps } from './deps';
import { doc } from './doc/routes';
import { events } from './events/routes';
import { organizers } from './organizers/routes';
import { categories, tags } from './terms/routes';
import { venues } from './venues/routes';

export const calendarService: ServiceDefinition<Deps, Config> = {
  name: 'calendar',
  namespace: 'calendar/events/v1',
  title: 'Events calendar',
  description: 'Events, venues, organizers and their terms.',
  migrations: path.resolve(__dirname, '../migrations'),
  resources: [doc, events, venues, organizers, categories, tags],
  open: ({ config, db, log, root }) => ({
    db,
    config,
    log,
    root,
    siteUrl: config.SITE_URL,
    content: dialContent(config.CONTENT_GRPC, config.ACTOR_SECRET),
  }),
  close: (deps) => deps.content.close(),
};
