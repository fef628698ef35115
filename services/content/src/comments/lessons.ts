/**
 * What moderators decide teaches the spam filter, by a job, so that no moderator waits for it. A lesson holds all that
 * it needs: it goes out although the comment is deleted meanwhile. Lessons of a comment are counted, so that one that
 * comes late, or twice, changes nothing, and the filter takes back what an earlier one taught.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Message } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { keyOf, messageOf } from './filter';
import * as filterStore from './filter-store';
import { QUEUE, TEACH_JOB } from './queue';
import { type StatusState, isSpam } from './status';
import type { CommentSubject } from './store';

export interface Lesson {
  readonly key: string;
  readonly message: Message;
  readonly decision: 'ham' | 'spam';
  readonly revision: number;
}

/** Tells the filter where somebody changed what the comment is taken for. `comment` is as it has become. */
export async function teach(
  tx: Db,
  deps: Pick<Deps, 'spamFilter' | 'siteUrl'>,
  language: string,
  before: StatusState,
  comment: CommentSubject,
): Promise<void> {
  if (!deps.spamFilter || isSpam(before) === isSpam(comment)) return;
  const { revision, referrer } = await filterStore.nextRevision(tx, comment.id);
  const place = { siteUrl: deps.siteUrl, language, post: comment.commentedPost };
  const lesson: Lesson = {
    key: keyOf(comment.id),
    message: messageOf({ ...comment, referrer }, place),
    decision: isSpam(comment) ? 'spam' : 'ham',
    revision,
  };
  await enqueue(tx, QUEUE, TEACH_JOB, lesson);
}
