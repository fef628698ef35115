/**
 * Tells the spam filter what moderators decided, and what was erased. It may be away for long: what it is told waits, and a
 * late lesson never undoes a newer one.
 */
import { toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { keyOf, messageOf } from '../feedback/spam';
import { findById } from '../feedback/store';
import * as forms from '../forms/store';
import { type Lesson, SUBMISSIONS_QUEUE, TEACH_FILTER } from './actions';
import { FORGET_VERDICTS } from './personal-data';

const OPTIONS = { deadlineMs: 10_000, repeatable: true } as const;
const LONGEST_PAUSE_SECONDS = 60;

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
  return tellOrWait(attempt, () => deps.spam.learn(lesson, OPTIONS));
}

export const forgetVerdicts: Job<Deps> = job<Deps, { submissions: number[] }>({
  queue: SUBMISSIONS_QUEUE,
  name: FORGET_VERDICTS,
  prepare: ({ deps, payload, attempt }) =>
    tellOrWait(attempt, () => deps.spam.forget({ keys: payload.submissions.map(keyOf) }, OPTIONS)),
  handle: () => Promise.resolve(),
});

/** A filter that is away is no try. */
async function tellOrWait(attempt: number, tell: () => Promise<unknown>): Promise<undefined> {
  try {
    await tell();
  } catch (error) {
    const known = toApiError(error);
    if (!isOutage(known)) throw error;
    throw new TryLater(known.message, Math.min(2 ** Math.min(attempt, 10), LONGEST_PAUSE_SECONDS), error);
  }
  return undefined;
}
