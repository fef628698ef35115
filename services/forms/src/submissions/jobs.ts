/** What the worker does about stored submissions: forgets what was kept long enough, and mail of what was erased. */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as uploads from '../uploads/store';
import { SUBMISSIONS_QUEUE } from './actions';
import { FORGET_MAIL, forgetMail } from './personal-data';
import * as store from './store';
import { forgetVerdicts, teachFilter } from './teach';

/** So that one statement never holds up others for long. */
const MOST_AT_ONCE = 500;

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
  for (const [folder, days] of folders)
    if (days > 0) await untilFew(() => store.removeOld(db, folder, { days, most: MOST_AT_ONCE }));
  const { UPLOAD_DAYS: days } = config;
  if (days > 0) await untilFew(() => uploads.removeOlderThan(db, days, MOST_AT_ONCE));
}

async function untilFew(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === MOST_AT_ONCE);
}

export const submissionSweeps: readonly Sweep<Deps>[] = [
  { name: 'forms:retention', everySeconds: 300, run: removeOld },
];
