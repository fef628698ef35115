/**
 * Tells the spam filter what moderators decided, and what was erased. It may be away for long: what it is told waits, and a
 * late lesson never undoes a newer one.
 */
import { type Job, type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { keyOf, messageOf, pauseAfter } from '../feedback/spam';
import { findById } from '../feedback/store';
import * as forms from '../forms/store';
import { type Lesson, SUBMISSIONS_QUEUE, TEACH_FILTER } from './actions';
import { FORGET_VERDICTS } from './personal-data';

const OPTIONS = { deadlineMs: 10_000, repeatable: true } as const;

const DECISIONS = { ham: Verdict.VERDICT_HAM, spam: Verdict.VERDICT_SPAM } as const;

export const teachFilter: Job<Deps> = job<Deps, Lesson>({
  queue: SUBMISSIONS_QUEUE,
  name: TEACH_FILTER,
  prepare: teach,
  // All of it is the filter's: by its key and its number a lesson that comes twice is one.
  handle: () => Promise.resolve(),
});

async function teach({ deps, payload, attempt }: Omit<JobCall<Deps, Lesson>, 'tx'>): Promise<undefined> {
  const row = await findById(deps.db, payload.submission);
  const form = row && (await forms.findAny(deps.db, row.formId));
  // What was erased teaches nobody.
  if (!row || !form) return undefined;
  const { decision, revision } = payload;
  const message = messageOf(deps.parsed(form), row);
  const lesson = { key: keyOf(row.id), message, decision: DECISIONS[decision], revision };
  await orLater(pauseAfter(attempt), () => deps.spam.learn(lesson, OPTIONS));
  return undefined;
}

export const forgetVerdicts: Job<Deps> = job<Deps, { submissions: number[] }>({
  queue: SUBMISSIONS_QUEUE,
  name: FORGET_VERDICTS,
  prepare: async ({ deps, payload, attempt }) => {
    const keys = payload.submissions.map(keyOf);
    await orLater(pauseAfter(attempt), () => deps.spam.forget({ keys }, OPTIONS));
    return undefined;
  },
  handle: () => Promise.resolve(),
});
