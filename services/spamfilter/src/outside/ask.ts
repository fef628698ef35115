/*
 * An outside service that knows the comment-check protocol, asked beside everything else. It is one voice among others: it
 * has little time, it is left alone for a while when it does not answer, and without it the rest decides.
 */
import { postForm } from '@sevenfold/chassis/outgoing';
import type { Log } from '@sevenfold/chassis/log';
import { trimEnd } from '@sevenfold/text/trim';
import type { Message } from '../checks/message';
import type { Config } from '../config';
import type { Evidence } from '../evidence/evidence';

export type Opinion = 'spam' | 'blatant' | 'ham';
/** Or it does not know the key. */
export type Answer = Opinion | 'key refused';

export interface Outside {
  /** Undefined where nobody is to be asked, or no answer came. Never throws. */
  check(siteKey: string | undefined, message: Message): Promise<Answer | undefined>;
  /** What a moderator decided; throws where it did not arrive. */
  tell(siteKey: string, decision: 'spam' | 'ham', message: Message, signal?: AbortSignal): Promise<void>;
}

/** Callers wait two seconds for a verdict. */
const CHECK_MS = 1_000;
const TELL_MS = 10_000;
// The answer is a word, or a sentence of what was wrong.
const LIMIT_BYTES = 4_096;
const MOST_AT_ONCE = 16;
const FAILURES = 5;
const PAUSE_MS = 30_000;

export function openOutside(config: Config, log: Log): Outside {
  const { SPAM_CHECK_URL: base, OUTBOUND_ALLOW_PRIVATE: allowPrivate, SITE_URL: blog } = config;
  let underWay = 0;
  let failures = 0;
  let pausedUntil = 0;
  const post = (
    verb: string,
    siteKey: string,
    message: Message,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): ReturnType<typeof postForm> =>
    postForm(`${trimEnd(base, '/')}/${verb}`, fieldsOf(message, siteKey, blog), {
      allowPrivate,
      limitBytes: LIMIT_BYTES,
      userAgent: 'Sevenfold spam filter',
      ...options,
    });
  const failed = (reason: string): undefined => {
    failures++;
    // One message at the start of each pause, whose end lets a single failure begin the next one.
    if (failures < FAILURES) return undefined;
    pausedUntil = Date.now() + PAUSE_MS;
    failures = FAILURES - 1;
    log.warn({ reason }, 'the outside service is left alone for a while');
    return undefined;
  };
  return {
    check: async (siteKey, message) => {
      if (base === '' || !siteKey || underWay >= MOST_AT_ONCE || Date.now() < pausedUntil) return undefined;
      underWay++;
      try {
        const { status, text, headers } = await post('comment-check', siteKey, message, {
          timeoutMs: CHECK_MS,
        });
        const word = text.trim();
        if (status === 200 && word === 'invalid') {
          failed('it refuses the key');
          return 'key refused';
        }
        if (status !== 200 || (word !== 'true' && word !== 'false')) return failed(`status ${status}`);
        failures = 0;
        if (word === 'false') return 'ham';
        return Object.entries(headers).some(([name, value]) => /-pro-tip$/.test(name) && value === 'discard')
          ? 'blatant'
          : 'spam';
      } catch (error) {
        // The request holds the key, and an error may hold the request: only its message is told.
        return failed((error as Error).message);
      } finally {
        underWay--;
      }
    },
    tell: async (siteKey, decision, message, signal) => {
      if (base === '') return;
      const { status } = await post(`submit-${decision}`, siteKey, message, {
        timeoutMs: TELL_MS,
        signal,
      }).catch((error: unknown) => {
        throw new Error(`The outside service cannot be told: ${(error as Error).message}`);
      });
      if (status !== 200) throw new Error(`The outside service answered with status ${status}.`);
    },
  };
}

function fieldsOf(message: Message, siteKey: string, blog: string): Record<string, string> {
  return {
    api_key: siteKey,
    blog,
    blog_lang: message.language,
    blog_charset: 'UTF-8',
    user_ip: message.address,
    user_agent: message.userAgent,
    referrer: message.referrer,
    permalink: message.permalink,
    comment_type: message.kind,
    comment_author: message.authorName,
    comment_author_email: message.authorEmail,
    comment_author_url: message.authorUrl,
    comment_content: message.content,
    ...(message.honeypot ? { honeypot_field_name: 'honeypot', honeypot: 'filled' } : {}),
  };
}

const WEIGHTS: Readonly<Record<Opinion, number>> = { ham: -1.5, spam: 3.5, blatant: 7 };
const SAID: Readonly<Record<Opinion, string>> = {
  ham: 'The outside service knows nothing against it.',
  spam: 'The outside service calls it spam.',
  blatant: 'The outside service would not even keep it.',
};

export const asEvidence = (opinion: Opinion | undefined): Evidence[] =>
  opinion === undefined ? [] : [{ name: 'outside', weight: WEIGHTS[opinion], detail: SAID[opinion] }];
