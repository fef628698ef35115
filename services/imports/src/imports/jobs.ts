/** Notices imports that went silent. A batch under the right hash, or resuming, takes them up again. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
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
];
