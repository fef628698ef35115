/** What a body says of a comment, cleaned and measured: the same for a new one and a changed one. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import type { WantedDate } from '@sevenfold/publishing/dates';
import { type DateTime, toLocal } from '@sevenfold/text/dates';
import { addNofollow, sanitizeInline } from '@sevenfold/text/html';
import { renderCommentBody } from '@sevenfold/text/render';
import { cleanText, isLonger, shorten, stripControl } from '@sevenfold/text/text';
import { cleanUrl } from '../common/clean-url';
import type { Deps } from '../deps';
import { wantedDate } from '../posts/settle-row';
import { argumentError, faulty } from '../errors';
import type { SiteSettings } from '../settings/values';
import { capabilitiesOf } from '../users/roles';
import * as users from '../users/store';
import type { createArgs, updateArgs } from './schema';

type Fields = ArgsOf<typeof createArgs> | ArgsOf<typeof updateArgs>;

/** Who a new comment, or a changed one, is by. */
export interface Author {
  readonly author: number;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly isModerator: boolean;
}

export async function authorById({ db }: Pick<Deps, 'db'>, id: number): Promise<Author> {
  const user = id > 0 ? await users.findById(db, id) : undefined;
  if (!user)
    throw argumentError('author', 'rest_comment_author_invalid', 400, 'The author is no user of this site.');
  return {
    author: user.id,
    authorName: user.name,
    authorEmail: user.email,
    authorUrl: user.url,
    isModerator: capabilitiesOf(user.roles).has('moderate_comments'),
  };
}

/** Strangers may send a megabyte, which takes a second to clean: nothing that is kept, or not refused, is as long as this. */
const MOST_CLEANED = 4_000;
const cleaned = (text: string): string => cleanText(shorten(text, MOST_CLEANED));

export function ownWords(args: Fields): Partial<Pick<Author, 'authorName' | 'authorEmail' | 'authorUrl'>> {
  return {
    ...(args.author_name !== undefined && { authorName: cleaned(args.author_name) }),
    ...(args.author_email !== undefined && { authorEmail: args.author_email }),
    ...(args.author_url !== undefined && { authorUrl: cleanUrl(args.author_url) }),
  };
}

const LONGEST_AGENT = 254;
export const userAgent = (text: string): string => cleaned(text).slice(0, LONGEST_AGENT);

/** Undefined when nothing is said. Takes text or `{raw}`. */
export function contentOf(
  value: unknown,
  actor: Actor,
  { use_smilies: smilies }: Pick<SiteSettings, 'use_smilies'>,
): { contentRaw: string; contentHtml: string } | undefined {
  const given = typeof value === 'string' ? value : (value as { raw?: unknown } | undefined)?.raw;
  if (typeof given !== 'string') return undefined;
  const text = stripControl(given);
  if (isLonger(text, LONGEST.content))
    throw argumentError(
      'content',
      'comment_content_column_length',
      400,
      `A comment has at most ${LONGEST.content} characters.`,
    );
  const contentRaw = can(actor, 'unfiltered_html') ? text : addNofollow(sanitizeInline(text));
  if (contentRaw.trim() === '') return undefined;
  return { contentRaw, contentHtml: renderCommentBody(contentRaw, { smilies }) };
}

export function noContent(): never {
  throw argumentError(
    'content',
    'rest_comment_content_invalid',
    400,
    'A comment needs content: text that is not blank.',
  );
}

const LONGEST = { content: 65525, author_name: 245, author_email: 100, author_url: 200 } as const;

const TOO_LONG = {
  author_name: 'comment_author_column_length',
  author_email: 'comment_author_email_column_length',
  author_url: 'comment_author_url_column_length',
} as const;

export function checkLengths(args: Fields): void {
  const faults = (Object.keys(TOO_LONG) as (keyof typeof TOO_LONG)[])
    .filter((param) => isLonger(args[param] ?? '', LONGEST[param]))
    .map((param) => ({
      param,
      code: TOO_LONG[param],
      message: `${param} has at most ${LONGEST[param]} characters.`,
    }));
  if (faults.length > 0) throw faulty(400, faults);
}

/** `date` wins over `date_gmt`, null is the present; undefined when neither is given. */
export function dateOf(args: Fields, timezone: string): ReadDate | undefined {
  const date = wantedDate(args, timezone);
  return date === 'reset' ? { ...now(timezone), isInstant: true } : date;
}

type ReadDate = Exclude<WantedDate, 'reset' | undefined>;

export function now(timezone: string): DateTime {
  const utc = new Date(Math.floor(Date.now() / 1000) * 1000);
  return { local: toLocal(utc, timezone), utc };
}
