/**
 * Whether a new comment is shown at once, waits for a moderator, or goes straight to the trash or the spam folder. Pure
 * functions of all they need, so that every verdict can be tested without a database: the rules of the site decide, and
 * what the spam filter says comes on top.
 */
import { type Find, openFinder } from '@sevenfold/text/finder';
import { stripTags } from '@sevenfold/text/html';
import { applyStatusWord, type StatusState } from './status';
import type { CommentStatus } from './store';

export interface Submission {
  /** As stored, and as shown: bare addresses have become links there. */
  readonly contentRaw: string;
  readonly contentHtml: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly authorIp: string;
  readonly authorUserAgent: string;
  /** Written by a moderator or by the author of the post. */
  readonly isTrusted: boolean;
  /** A comment of the same person was approved before. */
  readonly approvedBefore: boolean;
}

export interface ApprovalRules {
  readonly disallowedWords: readonly string[];
  readonly hasTrash: boolean;
}

/** As many links make a comment wait, whoever wrote it: one is a source, two are often advertising. */
const LINKS_OF_SUSPICION = 2;

export function decideStatus(submission: Submission, rules: ApprovalRules): CommentStatus {
  if (submission.isTrusted) return 'approved';
  if (hasDisallowedWord(submission, rules.disallowedWords)) return rules.hasTrash ? 'trash' : 'spam';
  if (linksIn(submission.contentHtml) >= LINKS_OF_SUSPICION) return 'hold';
  return submission.approvedBefore ? 'approved' : 'hold';
}

/** What the spam filter says of a comment; `unknown` when it was asked and gave no answer in time. */
export type Opinion = 'unasked' | 'ham' | 'spam' | 'unknown';

export interface Placed extends StatusState {
  /** The status without the filter, of a comment that waits for it; otherwise empty. */
  readonly unchecked: CommentStatus | '';
}

/** Where a comment goes that the rules give the status `wanted`. Taken out of spam it goes there after all. */
export function place(wanted: CommentStatus, opinion: Opinion): Placed {
  const state = { status: wanted, statusBefore: '' };
  if (opinion === 'unknown') return { status: 'hold', statusBefore: '', unchecked: wanted };
  return { ...((opinion === 'spam' && applyStatusWord(state, 'spam')) || state), unchecked: '' };
}

export const linksIn = (html: string): number => html.match(/<a\s[^>]*href/gi)?.length ?? 0;

/** Parts of words count: `pill` finds `pills`. Tags do not hide a word that they cut in two. */
export function hasDisallowedWord(submission: Submission, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  const { contentRaw, authorName, authorEmail, authorUrl, authorIp, authorUserAgent } = submission;
  const texts = [
    contentRaw,
    stripTags(contentRaw),
    authorName,
    authorEmail,
    authorUrl,
    authorIp,
    authorUserAgent,
  ];
  return finderOf(words)(texts.join('\n').toLowerCase(), () => true);
}

/** Lists that sites pass on to each other have tens of thousands of words: each comment would cost what making one costs. */
function finderOf(words: readonly string[]): Find {
  const known = finders.get(words);
  if (known) return known;
  const find = openFinder(words.map((word) => word.toLowerCase()));
  finders.set(words, find);
  return find;
}
const finders = new WeakMap<readonly string[], Find>();

/** `viagra, casino` as words; the same ones as long as the list is the same. */
export function wordsOf(list: string): readonly string[] {
  if (list !== latest.list) {
    const words = list
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
    latest = { list, words };
  }
  return latest.words;
}
let latest: { readonly list: string; readonly words: readonly string[] } = { list: '', words: [] };
