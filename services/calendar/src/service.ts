/** Calendar: Events, venues, organizers and their terms. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
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
  resources: [doc, events, venues, organizers, categories, tags],
  open: ({ config, log, root }) => ({ config, log, root }),
};
