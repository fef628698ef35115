/**
 * How often an address may be wrong about passwords of posts: as often as about its own credentials, since people choose both.
 * Then it has to wait, also with the right one, or what is refused would tell it apart. Counted in each process.
 */
import type { ApiError } from '@sevenfold/chassis/errors';
import type { Call } from '@sevenfold/chassis/http/route';
import { isUnread } from '@sevenfold/chassis/http/unread';
import { openLru } from '@sevenfold/chassis/lru';
import { apiError } from '../errors';
import { laneOf } from '../users/turns';
import { type PostSubject, canEditPost, opens } from './policy';

export const MOST_WRONG = 10;
const WINDOW_MS = 60_000;
const MOST_ADDRESSES = 10_000;

type GuessCall = Pick<Call<unknown, { readonly password?: unknown }>, 'actor' | 'request' | 'args'>;

export interface Guesses {
  /** Before a password that came with a request is tried. Throws 429 where too many from its address were wrong. */
  admit(call: GuessCall, post: PostSubject): void;
}

export function openGuesses(now: () => number = Date.now): Guesses {
  // When they were wrong.
  const wrong = openLru<string, readonly number[]>({ most: MOST_ADDRESSES });
  return {
    admit: ({ actor, request, args }, post) => {
      if (post.password === '' || isUnread(args)) return;
      const { password } = args;
      if (typeof password !== 'string' || password === '') return;
      // Whoever edits it needs none.
      if (canEditPost(actor, post)) return;
      const address = laneOf(request.address);
      const begun = now() - WINDOW_MS;
      const lately = (wrong.get(address) ?? []).filter((moment) => moment > begun);
      const [first = 0] = lately;
      if (lately.length >= MOST_WRONG) throw tooMany(first - begun);
      if (!opens(post, password)) wrong.set(address, [...lately, now()]);
    },
  };
}

const tooMany = (waitMs: number): ApiError =>
  apiError(
    'rest_too_many_attempts',
    429,
    'Too many wrong passwords came from this address. Try again later.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) } },
  );
