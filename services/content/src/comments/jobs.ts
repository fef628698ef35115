/**
 * Background work of comments: those that came while the spam filter was away are checked when it is back, it is told
 * what moderators decided, and the spam folder is emptied.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { type Job, type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { announced, removeLocked } from './actions';
import { type Opinion, place } from './approval';
import { keyOf, messageOf, opinionOf } from './filter';
import * as filterStore from './filter-store';
import type { Lesson } from './lessons';
import { CHECK_JOB, QUEUE, TEACH_JOB } from './queue';
import * as store from './store';

/** Nobody waits for a job, and a filter that has just come back may be busy. */
const DEADLINE_MS = 10_000;
const LONGEST_PAUSE_SECONDS = 30;

type Waiting<P> = Omit<JobCall<Deps, P>, 'tx'>;

const pauseAfter = ({ attempt }: Waiting<unknown>): number =>
  doubledSeconds(attempt, 0.25, LONGEST_PAUSE_SECONDS);

// ---- comments that wait for the filter -----------------------------------------------------------------------------

interface Checked {
  readonly post: number;
  readonly opinion: Opinion;
  readonly keepDays: number;
}

/** Undefined when it does not wait any more. */
async function check(call: Waiting<{ comment: number }>): Promise<Checked | undefined> {
  const { spamFilter, db, settings, siteUrl } = call.deps;
  const comment = await filterStore.findUnchecked(db, call.payload.comment);
  if (!comment) return undefined;
  // The site goes on without a filter: what waited for it goes where it would have gone.
  if (!spamFilter) return { post: comment.post, opinion: 'unasked', keepDays: 0 };
  const { language } = await settings.get();
  const message = messageOf(comment, { siteUrl, language, post: comment.commentedPost });
  const answer = await orLater(pauseAfter(call), () =>
    spamFilter.check(
      { key: keyOf(comment.id), message },
      { deadlineMs: DEADLINE_MS, signal: call.signal, repeatable: true },
    ),
  );
  return { post: comment.post, opinion: opinionOf(answer), keepDays: answer.keepDays };
}

/** A comment that somebody decided on meanwhile, or that an earlier delivery of the job has moved, stays where it is. */
async function settleChecked(tx: Db, id: number, { post, opinion, keepDays }: Checked): Promise<void> {
  await filterStore.noteKeepDays(tx, keepDays);
  await store.lockById(tx, id, [post]);
  const comment = await filterStore.findUnchecked(tx, id);
  if (!comment) return;
  await filterStore.settle(tx, id);
  const { status, statusBefore } = place(comment.wanted, opinion);
  if (comment.status === 'post-trashed') {
    // It is with its post in the trash, and this is what it comes back as.
    await store.update(tx, id, { statusBefore: `${status} ${statusBefore}`.trim() });
    return;
  }
  if (status === comment.status) return;
  await store.update(tx, id, { status, statusBefore });
  await emit(tx, 'content.comment.changed', announced({ ...comment, status }, comment.status));
}

export const commentJobs: readonly Job<Deps>[] = [
  job<Deps, { comment: number }, Checked | undefined>({
    queue: QUEUE,
    name: CHECK_JOB,
    prepare: check,
    handle: async ({ tx, payload }, checked) => {
      if (checked) await settleChecked(tx, payload.comment, checked);
    },
  }),
  job<Deps, Lesson>({
    queue: QUEUE,
    name: TEACH_JOB,
    prepare: async (call) => {
      const { spamFilter } = call.deps;
      if (!spamFilter) return undefined;
      const { key, message, revision } = call.payload;
      const decision = call.payload.decision === 'spam' ? Verdict.VERDICT_SPAM : Verdict.VERDICT_HAM;
      await orLater(pauseAfter(call), () =>
        spamFilter.learn(
          { key, message, decision, revision },
          { deadlineMs: DEADLINE_MS, signal: call.signal, repeatable: true },
        ),
      );
      return undefined;
    },
    // The effect is the filter's: the revision keeps a second delivery from having another one.
    handle: () => Promise.resolve(),
  }),
];

// ---- the spam folder -----------------------------------------------------------------------------------------------

/** Of one run: a folder that was flooded is emptied over several, so that a stopping process does not wait for it. */
const MOST_REMOVED = 1_000;

async function emptySpam({ db, spamFilter }: Deps): Promise<void> {
  if (!spamFilter) return;
  for (const { id, post } of await filterStore.staleSpam(db, MOST_REMOVED))
    await db.transaction(async (tx) => {
      const comment = await store.lockById(tx, id, [post]);
      // A moderator may have taken it out meanwhile.
      const [stale] = await filterStore.staleSpam(tx, 1, id);
      if (comment && stale) await removeLocked(tx, comment);
    });
}

export const commentSweeps: readonly Sweep<Deps>[] = [
  { name: 'content.empty-spam', everySeconds: 300, run: emptySpam },
];
