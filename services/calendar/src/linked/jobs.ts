/** Venues and organizers that were scheduled: shown within half a minute of their date. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { publishDue } from './actions';
import type { LinkedKind } from './kind';

export const publishDueSweep = (kind: LinkedKind<never>): Sweep<Deps> => ({
  name: `publish-due-${kind.many}`,
  everySeconds: 30,
  run: (deps) => publishDue(deps, kind),
});
