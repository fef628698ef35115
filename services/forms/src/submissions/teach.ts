/** Tells the spam filter what moderators decided. It may be away for long: a lesson waits, and a late one never undoes a newer. */
import { isOutageStatus, toApiError } from '@sevenfold/chassis/errors';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { keyOf, messageOf } from '../feedback/spam';
import { findById } from '../feedback/store';
import * as forms from '../forms/store';
import { type Lesson, SUBMISSIONS_QUEUE, TEACH_FILTER } from './actions';

const DEADLINE_MS = 10_000;
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
  try {
    await deps.spam.learn(
      {
        key: keyOf(row.id),
        message: messageOf(deps.parsed(form), row),
        decision: DECISIONS[decision],
        revision,
      },
      { deadlineMs: DEADLINE_MS, repeatable: true },
    );
  } catch (error) {
    const known = toApiError(error);
    if (!isOutageStatus(known.status)) throw error;
    throw new TryLater(known.message, Math.min(2 ** Math.min(attempt, 10), LONGEST_PAUSE_SECONDS), error);
  }
  return undefined;
}
