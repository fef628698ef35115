/** What workers do for webhooks besides delivering: clearing up, and looking for what was overlooked. */
import type { Job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { deliver } from './deliver';
import * as deliveries from './deliveries';
import { forgotten, wake } from './rounds';
import * as store from './store';

export const webhookJobs: readonly Job<Deps>[] = [deliver];

export const webhookSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'webhook-rounds',
    everySeconds: 60,
    run: ({ db }) => db.transaction(async (tx) => wake(tx, await forgotten(tx))),
  },
  {
    name: 'old-webhook-deliveries',
    everySeconds: 600,
    run: async ({ db, config }) => {
      await store.removeLeftovers(db);
      await store.removeEndedSecrets(db);
      let removed: number;
      do removed = await deliveries.removeOld(db, config.WEBHOOK_KEEP_DAYS);
      while (removed > 0);
    },
  },
];
