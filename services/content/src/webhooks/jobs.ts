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
  { name: 'reseal-webhook-secrets', everySeconds: 3_600, run: reseal },
  {
    name: 'old-webhook-deliveries',
    everySeconds: 600,
    run: async ({ db, config }) => {
      await store.removeLeftovers(db);
      await store.removeEndedSecrets(db);
      await deliveries.removeOld(db, config.WEBHOOK_KEEP_DAYS);
    },
  },
];

/** So that a secret of the configuration may go when the one before it has sealed everything anew. */
async function reseal({ db, webhookSealer, log }: Deps): Promise<void> {
  const { secretId } = webhookSealer;
  if (secretId === undefined) return;
  for (const kept of await store.sealedOtherwise(db, secretId)) {
    const secret = webhookSealer.open(kept);
    if (secret === undefined)
      log.error(
        { webhook: kept.webhook },
        'the secret of a webhook is stored under one that is no longer configured',
      );
    else await store.reseal(db, kept, webhookSealer.seal(secret));
  }
}
