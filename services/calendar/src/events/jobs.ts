/**
 * Publication of scheduled events: at their moment by a job, which a sweep promises in time, and by that sweep for what was missed
 * while nobody worked.
 * How many events carry each term: see counts.ts.
 */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import { promiseNear } from '@sevenfold/publishing/due';
import type { Deps } from '../deps';
import { countAll, countChanged } from './counts';
import { PUBLISHING, QUEUE } from './names';
import { findDue } from './store';
import { publishDue } from './write';

export const eventJobs: readonly Job<Deps>[] = [
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: PUBLISHING.name,
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
        if (due.length < AT_ONCE) break;
      }
      await db.transaction((tx) =>
        promiseNear(tx, PUBLISHING, `select id, date_utc as moment from events where status = 'future'`),
      );
    },
  },
  { name: 'count-terms', everySeconds: 3, run: countChanged },
  { name: 'count-all-terms', everySeconds: 3600, run: countAll },
];
