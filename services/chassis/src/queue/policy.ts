/**
 * What Redis does when its memory is full. Only where it refuses to write (`noeviction`) does it keep what it was given: any other policy
 * takes away queues and streams, a part at a time, and nobody is told.
 */
import type { Log } from '../log';
import { answered } from './answered';
import type { RedisClient } from './redis';

/** The policy that loses what it was given; undefined where it keeps it, or does not tell. */
export const lossyPolicy = (info: string): string | undefined => {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1];
  return policy === 'noeviction' ? undefined : policy;
};

/** Warns of one, once for as long as it is the same: each connection may lead to another server. */
export function watchPolicy(redis: RedisClient, log: Log): void {
  let told: string | undefined;
  const look = async (): Promise<void> => {
    const policy = lossyPolicy(await answered(redis.info('memory')));
    if (policy && policy !== told)
      log.warn(
        { policy },
        'Redis takes jobs and domain events away when its memory is full: maxmemory-policy must be noeviction',
      );
    told = policy;
  };
  // Who may not ask is told nothing.
  redis.on('ready', () => void look().catch(() => undefined));
}
