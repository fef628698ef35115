/** Imports: callbacks through which import services deliver batches of events, and the road of those into the calendar. */
import path from 'node:path';
import { dialFollowed } from '@sevenfold/chassis/grpc/pulse';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { openTurn } from '@sevenfold/chassis/turn';
import {
  ImportServiceService,
  type ImportServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { openActivities } from './batches/activity';
import { PLACES_OF_A_GROUP, applyBatches } from './batches/apply';
import { callbacks } from './callbacks/routes';
import type { Config } from './config';
import type { Deps } from './deps';
import { imageSubscription } from './imports/images';
import { importSweeps } from './imports/jobs';
import { importGauges } from './imports/metrics';
import { importsRpc } from './imports/rpc';
import { openWatch } from './imports/watch';
import { codes } from './errors';

export const importsService: ServiceDefinition<Deps, Config> = {
  name: 'imports',
  namespace: 'calendar/event-aggregator/v1',
  title: 'Import callbacks',
  description: 'Callbacks through which an import service delivers batches of events and reports progress.',
  migrations: path.resolve(__dirname, '../migrations'),
  examples: path.resolve(__dirname, '../examples.json'),
  // Whoever delivers waits for a commit to reach the disk: several reach it together.
  connections: { api: 8, worker: 7 },
  codes,
  resources: [callbacks],
  rpc: (deps) => [importsRpc(deps)],
  jobs: [applyBatches],
  subscriptions: [imageSubscription],
  sweeps: importSweeps,
  gauges: importGauges,
  open: ({ config, db, log, listener, root, dial }) => ({
    db,
    config,
    log,
    root,
    calendar: dialFollowed<ImportServiceServer>(ImportServiceService, {
      dial,
      service: 'calendar',
      address: config.CALENDAR_GRPC,
      log,
    }),
    // Few groups of batches at a time: more would hardly be faster (the calendar and its database are busy with one), but
    // would take the machine from those who wait for an acknowledgement. Where nobody does, twice as many: one is read and
    // noted while the other is written. Imports take turns; more workers do more at once.
    turn: openTurn(config.IMPORT_AT_ONCE * PLACES_OF_A_GROUP),
    activities: openActivities(),
    watch: openWatch(listener),
  }),
  close: async (deps) => {
    await deps.calendar.close();
    deps.watch.stop();
  },
};
