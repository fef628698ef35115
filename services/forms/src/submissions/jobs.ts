/** What the worker does about stored submissions: forgets what was kept long enough, and mail of what was erased. */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as uploads from '../uploads/store';
import { SUBMISSIONS_QUEUE } from './actions';
import { FORGET_MAIL, forgetMail } from './personal-data';
import * as store from './store';
import { forgetVerdicts, teachFilter } from './teach';

const forget: Job<Deps> = job<Deps, { submissions: number[] }>({
  queue: SUBMISSIONS_QUEUE,
  name: FORGET_MAIL,
  handle: async ({ deps, payload }) => void (await forgetMail(deps.config, payload.submissions)),
});

export const submissionJobs: readonly Job<Deps>[] = [forget, teachFilter, forgetVerdicts];

async function removeOld({ db, config }: Deps): Promise<void> {
  const folders = [
    ['spam', config.SPAM_DAYS],
    ['trash', config.TRASH_DAYS],
    ['received', config.INBOX_DAYS],
  ] as const;
  for (const [folder, days] of folders) if (days > 0) await store.removeOld(db, folder, days);
  const { UPLOAD_DAYS: days } = config;
  if (days > 0) await uploads.removeOlderThan(db, days);
}

export const submissionSweeps: readonly Sweep<Deps>[] = [
  { name: 'forms:retention', everySeconds: 300, run: removeOld },
];
