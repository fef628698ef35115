/**
 * Who was right lately, told to the other gateways of a site through Redis: guesses count for all of them, so who is not refused for
 * those at one of them is not at another. Redis keeps keyed hashes alone, by which nobody is let in; it is asked only before somebody
 * would be refused, and while it is away or slow nobody was right lately elsewhere.
 */
import { createHmac } from 'node:crypto';
import { openLru } from '@sevenfold/chassis/lru';
import type { RedisClient } from '@sevenfold/chassis/queue/redis';
import { deriver, secretsOf } from '@sevenfold/chassis/secrets';
import { within } from '@sevenfold/chassis/stop';
import type { Config } from '../config';

/** As long as each gateway remembers it by itself. */
export const RIGHT_LATELY_MS = 24 * 3_600_000;
const TOLD_MS = 10 * 60_000;
const MOST_TOLD = 10_000;
const PATIENCE_MS = 250;
/** A Redis that is frozen owes so many answers, never more. */
const MOST_ASKED = 64;

const derived = deriver('sevenfold right lately');

export interface RightLately {
  /** `who` may hold what is secret: it stays here. */
  find(who: string): Promise<boolean>;
  /** Best effort, once in ten minutes. */
  tell(who: string): void;
  /** What was told or found here counts nowhere any more. */
  forget(who: string): void;
}

export function openRightLately(
  { ACTOR_SECRET, REDIS_PREFIX }: Pick<Config, 'ACTOR_SECRET' | 'REDIS_PREFIX'>,
  redis: RedisClient | undefined,
): RightLately {
  const keys = secretsOf(ACTOR_SECRET).map((secret) => derived(secret, 'key', 32));
  const nameBy = (key: Buffer, who: string): string =>
    `${REDIS_PREFIX}:right:${createHmac('sha256', key).update(who).digest('base64url')}`;
  /** The first is what is told; gateways that have the secrets of before find what they told by the others. */
  const namesOf = (who: string): string[] => keys.map((key) => nameBy(key, who));
  const told = openLru<string, true>({ most: MOST_TOLD, ttl: TOLD_MS });

  let asked = 0;
  /** Undefined where there is no answer in time. */
  const ask = async <T>(work: (client: RedisClient) => Promise<T>): Promise<T | undefined> => {
    if (!redis?.isReady || asked >= MOST_ASKED) return undefined;
    asked += 1;
    const answer = work(redis)
      .catch(() => undefined)
      .finally(() => (asked -= 1));
    return within(PATIENCE_MS, answer);
  };
  return {
    find: async (who) => {
      const names = namesOf(who);
      const found = ((await ask((client) => client.exists(names))) ?? 0) > 0;
      if (found) told.set(names[0] as string, true);
      return found;
    },
    tell: (who) => {
      const name = nameBy(keys[0] as Buffer, who);
      if (told.has(name)) return;
      told.set(name, true);
      void ask((client) => client.set(name, '1', { PX: RIGHT_LATELY_MS })).then((done) => {
        if (done === undefined) told.delete(name);
      });
    },
    forget: (who) => {
      const names = namesOf(who);
      if (told.delete(names[0] as string)) void ask((client) => client.del(names));
    },
  };
}

export interface Ways<T> {
  /** As whoever may be guessing. */
  readonly counted: (check: () => Promise<T>) => Promise<T>;
  readonly wasRight: () => Promise<boolean>;
  /** As who was right lately. */
  readonly spared: (check: () => Promise<T>) => Promise<T>;
}

/** Runs the check as one that is counted, and as one that is spared where the count refuses it to who was right lately. */
export async function unlessRight<T>(
  check: () => Promise<T>,
  { counted, wasRight, spared }: Ways<T>,
): Promise<T> {
  let isLetIn = false;
  try {
    return await counted(() => {
      isLetIn = true;
      return check();
    });
  } catch (error) {
    if (isLetIn || !(await wasRight())) throw error;
    return spared(check);
  }
}
