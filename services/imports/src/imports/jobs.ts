/** Notices imports that went silent (a batch under the right hash, or resuming, takes them up again), and forgets the single batches of old ones. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { clearOld } from './old';
import * as store from './store';

export const importSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'stalled-imports',
    everySeconds: 15,
    run: async ({ db, config, log }) => {
      const rows = await store.markStalled(db, config.IMPORT_STALLED_AFTER);
      for (const row of rows) log.info({ import: row.importId }, 'an import went silent');
    },
  },
  {
    name: 'old-imports',
    everySeconds: 3_600,
    run: async ({ db, config: { IMPORT_HISTORY_DAYS: days } }) => {
      if (days > 0) await clearOld(db, days);
    },
  },
];
