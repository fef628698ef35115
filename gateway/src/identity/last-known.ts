/**
 * Who was behind a credential when the content service could last be asked, for the time when it cannot: a service that
 * is down takes only its own namespace down. Nobody is remembered here unless the news of users are being followed, and
 * news of a user makes that user forgotten, so what was revoked before an outage stays revoked during it; news that were
 * missed, as their numbers tell, make everybody forgotten.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import type { Log } from '@sevenfold/chassis/log';
import type { IdentityNews, IdentityServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { openLru } from '@sevenfold/chassis/lru';
import type { Caller } from './caller';

/** Who it was, and by which credential. */
export type Known = Omit<Caller, 'header'>;

export interface LastKnown {
  /** Call before asking; what it returns remembers the answer, unless there was news meanwhile. */
  begin(): (name: string, known: Known) => void;
  find(name: string): Known | undefined;
  forget(name: string): void;
  stop(): Promise<void>;
}

export interface LastKnownOptions {
  readonly identity: Pick<Remote<IdentityServiceServer>, 'streamIdentityNews'>;
  /** How long an answer counts; 0: not at all. */
  readonly forMs: number;
  readonly log: Log;
  /** Rights or credentials of a user have changed; 0: of any. */
  readonly onNews: (userId: number) => void;
}

const MOST_REMEMBERED = 10_000;
const FOLLOW_MS = 3_600_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export function openLastKnown(options: LastKnownOptions): LastKnown {
  const stopping = new AbortController();
  const callers = openLru<string, Known>({ most: MOST_REMEMBERED, ttl: options.forMs || 1 });
  let following = false;
  let news = 0;
  /** Of the last change that was heard. */
  let last = 0;

  const take = ({ userId, number }: IdentityNews): void => {
    const missed = userId === 0 && (number === 0 || number !== last);
    last = userId === 0 ? number : Math.max(last, number);
    // A service that went and came back, twice in a minute, makes nobody unknown.
    if (userId === 0 && !missed) return;
    news += 1;
    if (missed) callers.clear();
    else for (const [name, { actor }] of callers) if (actor.id === userId) callers.delete(name);
    options.onNews(missed ? 0 : userId);
  };

  const follow = async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        const stream = options.identity.streamIdentityNews(
          {},
          { deadlineMs: FOLLOW_MS, signal: stopping.signal },
        );
        for await (const change of stream) {
          take(change);
          following = true;
          pause = FIRST_PAUSE_MS;
        }
      } catch (error) {
        if (following) options.log.debug({ err: error as Error }, 'the news of users cannot be followed');
      }
      following = false;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  };
  const loop = follow();

  return {
    begin: () => {
      const before = following && options.forMs > 0 ? news : -1;
      return (name, known) => {
        if (following && news === before) callers.set(name, known);
      };
    },
    find: (name) => callers.get(name),
    forget: (name) => void callers.delete(name),
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
}
