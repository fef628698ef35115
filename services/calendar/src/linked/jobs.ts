/** Venues and organizers that were scheduled: shown within half a minute of their date. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { publishDue } from './actions';
import { organizerKind, venueKind } from './kinds';

export const linkedSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'publish-due-linked',
    everySeconds: 30,
    run: async (deps) => {
      await publishDue(deps, venueKind);
      await publishDue(deps, organizerKind);
    },
  },
];
