/** What the worker does about submissions besides their mail. */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as receipts from './receipts';

export const feedbackSweeps: readonly Sweep<Deps>[] = [
  { name: 'forms:receipts', everySeconds: 60, run: ({ db }) => receipts.removeExpired(db) },
];
