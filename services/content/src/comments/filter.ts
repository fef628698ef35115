/** The spam filter as comments know it: what it is shown of one, and what its answers mean here. */
import type { Followed } from '@sevenfold/chassis/grpc/pulse';
import {
  type CheckResponse,
  type Message,
  type SpamServiceServer,
  Verdict,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { type Linkable, postLink } from '../posts/links';
import type { Opinion } from './approval';

export type SpamFilter = Pick<Followed<SpamServiceServer>, 'check' | 'learn' | 'close'>;

/** What of a comment is judged. */
export interface Judged {
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly authorIp: string;
  readonly authorUserAgent: string;
  readonly referrer: string;
  readonly contentRaw: string;
}

export interface Place {
  readonly siteUrl: string;
  readonly language: string;
  /** Undefined when it is gone. */
  readonly post: Linkable | undefined;
}

export const keyOf = (id: number): string => `comment/${id}`;

/** Always of what is stored, so that a comment is the same message whenever the filter is asked. */
export const messageOf = (comment: Judged, { siteUrl, language, post }: Place): Message => ({
  kind: 'comment',
  authorName: comment.authorName,
  authorEmail: comment.authorEmail,
  authorUrl: comment.authorUrl,
  address: comment.authorIp,
  userAgent: comment.authorUserAgent,
  referrer: comment.referrer,
  content: comment.contentRaw,
  permalink: post ? postLink(siteUrl, post) : '',
  language,
  honeypot: false,
  secondsToFill: 0,
});

/** Throws what is no verdict: a filter that says nothing of use is as good as away. */
export function opinionOf({ verdict }: Pick<CheckResponse, 'verdict'>): Opinion {
  if (verdict === Verdict.VERDICT_HAM) return 'ham';
  if (verdict === Verdict.VERDICT_SPAM || verdict === Verdict.VERDICT_BLATANT) return 'spam';
  throw new Error(`the spam filter answered with the verdict ${verdict}`);
}
