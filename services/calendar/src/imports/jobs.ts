/** What repeats for imports: forgetting what was applied long ago. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { forgetApplied } from './store';

export const importSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'applied-batches',
    everySeconds: 86_400,
    run: async ({ db }) => {
      await forgetApplied(db);
    },
  },
];
