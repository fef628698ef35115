/** What workers do for sessions: rows of those that are over go. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as store from './store';

export const sessionSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'sessions-over',
    everySeconds: 600,
    run: async ({ db }) => {
      await store.removeOver(db);
    },
  },
];
