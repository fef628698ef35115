/** Keeps the stored key readable under the newest secret, and asks about it again where no answer came. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { resealKey, verifyAgain } from './actions';

export const keySweeps: readonly Sweep<Deps>[] = [
  {
    name: 'reseal-key',
    everySeconds: 3_600,
    run: async (deps) => {
      const outcome = await resealKey(deps);
      if (outcome === 'sealed anew') deps.log.info('the key was sealed under the newest secret');
      if (outcome === 'lost')
        deps.log.error('the key was stored under a secret that is no longer configured');
    },
  },
  { name: 'verify-key', everySeconds: 600, run: (deps) => verifyAgain(deps, ['unasked']) },
  // A key may be given up or paid for again.
  { name: 'verify-key-daily', everySeconds: 86_400, run: (deps) => verifyAgain(deps, ['valid', 'invalid']) },
];
