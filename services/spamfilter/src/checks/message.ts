/** One message as the filter sees it: every field there, cut to a bound, without what a database refuses. */
import { createHash } from 'node:crypto';
import { shorten, stripControl } from '@sevenfold/text/text';
import type { Message as Sent } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { MOST_CONTENT } from '../classifier/words';

export interface Message {
  readonly kind: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly address: string;
  readonly userAgent: string;
  readonly referrer: string;
  readonly content: string;
  readonly permalink: string;
  readonly language: string;
  readonly honeypot: boolean;
  readonly secondsToFill: number;
}

const MOST: Readonly<Record<Exclude<keyof Message, 'honeypot' | 'secondsToFill'>, number>> = {
  kind: 40,
  authorName: 250,
  authorEmail: 320,
  authorUrl: 2_000,
  address: 64,
  userAgent: 500,
  referrer: 2_000,
  content: MOST_CONTENT,
  permalink: 2_000,
  language: 20,
};

export function messageOf(sent: Partial<Sent> | undefined): Message {
  const text = (name: keyof typeof MOST): string => stripControl(shorten(sent?.[name] ?? '', MOST[name]));
  const seconds = sent?.secondsToFill ?? 0;
  return {
    kind: text('kind'),
    authorName: text('authorName'),
    authorEmail: text('authorEmail'),
    authorUrl: text('authorUrl'),
    address: text('address'),
    userAgent: text('userAgent'),
    referrer: text('referrer'),
    content: text('content'),
    permalink: text('permalink'),
    language: text('language'),
    honeypot: sent?.honeypot ?? false,
    secondsToFill: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
  };
}

/** The same for the same message, of whose text nothing can be read in it. */
export const fingerprintOf = (message: Message): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest();
