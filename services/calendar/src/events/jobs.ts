/**
 * Publication of scheduled events: at their moment by a job, and by a sweep for what was missed while nobody worked.
 * How many events carry each term: see counts.ts.
 */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { countAll, countChanged } from './counts';
import { PUBLISH_EVENT, QUEUE } from './names';
import { findDue } from './store';
import { publishDue } from './write';

export const eventJobs: readonly Job<Deps>[] = [
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: PUBLISH_EVENT,
    handle: ({ tx, payload }) => publishDue(tx, payload.id),
  }),
];

const AT_ONCE = 100;

export const eventSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'publish-due-events',
    everySeconds: 30,
    run: async ({ db }) => {
      for (;;) {
        const due = await findDue(db, AT_ONCE);
        for (const id of due) await db.transaction((tx) => publishDue(tx, id));
        if (due.length < AT_ONCE) return;
      }
    },
  },
  { name: 'count-terms', everySeconds: 3, run: countChanged },
  { name: 'count-all-terms', everySeconds: 3600, run: countAll },
];
