/** What the worker does about submissions besides their mail: checks them late, settles what was left, forgets. */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as forms from '../forms/store';
import * as allowance from './allowance';
import * as receipts from './receipts';
import { judgePatiently, pauseAfter } from './spam';
import * as store from './store';
import { settle } from './submit';

/** Longer than a request lasts. */
const ABANDONED_SECONDS = 60;
const MOST_AT_ONCE = 500;

/** Of a submission that was accepted while the spam filter was away. */
const checkSubmission: Job<Deps> = job<Deps, { submission: number }, store.Judgement | undefined>({
  queue: store.FEEDBACK_QUEUE,
  name: store.CHECK,
  prepare: async ({ deps, payload, attempt }) => {
    const row = await store.findById(deps.db, payload.submission);
    const form = row && (await forms.findAny(deps.db, row.formId));
    // Its values have gone with its mail, or with whom they were about.
    if (!row || !form || Object.keys(row.values).length === 0) return undefined;
    return orLater(pauseAfter(attempt), () => judgePatiently(deps, deps.parsed(form), row));
  },
  handle: async ({ tx, payload }, judgement) => {
    if (judgement) await store.noteJudgement(tx, payload.submission, judgement);
    else await store.leaveUnchecked(tx, payload.submission);
  },
});

export const feedbackJobs: readonly Job<Deps>[] = [checkSubmission];

/** What a process took and did not live to settle. One that cannot be settled keeps none behind it from being so. */
async function settleAbandoned(deps: Deps): Promise<void> {
  const faults: unknown[] = [];
  for (const id of await store.abandoned(deps.db, ABANDONED_SECONDS, MOST_AT_ONCE))
    await settleOne(deps, id).catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
}

async function settleOne(deps: Deps, id: number): Promise<void> {
  const row = await store.findById(deps.db, id);
  const form = row && (await forms.findAny(deps.db, row.formId));
  if (row && form) await settle(deps, form, row);
}

async function forget({ db }: Deps): Promise<void> {
  await receipts.removeExpired(db);
  await allowance.removePast(db);
  await store.removePassing(db);
}

export const feedbackSweeps: readonly Sweep<Deps>[] = [
  { name: 'forms:abandoned', everySeconds: 15, run: settleAbandoned },
  { name: 'forms:forget', everySeconds: 60, run: forget },
];
