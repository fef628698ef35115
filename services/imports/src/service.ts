/** Imports: Callbacks through which an import service delivers batches of events and reports progress. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { callbacks } from './callbacks/routes';

export const importsService: ServiceDefinition<Deps, Config> = {
  name: 'imports',
  namespace: 'calendar/event-aggregator/v1',
  title: 'Import callbacks',
  description: 'Callbacks through which an import service delivers batches of events and reports progress.',
  resources: [callbacks],
  open: ({ config, log, root }) => ({ config, log, root }),
};
