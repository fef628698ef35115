/**
 * How long the streams of domain events are. What every group has read goes when there is more than enough; what one of them has
 * not read stays for it, up to a length that no group which still lives reaches within a long outage of its service.
 */
import type { Log } from '../log';
import { eventsCut } from './metrics';
import type { RedisClient } from './redis';

export interface StreamBounds {
  /** So many of the latest stay, read or not: a Redis that lost some is found out by them. */
  readonly length: number;
  /** The most that are kept for groups that do not read. */
  readonly most: number;
}

/** An event takes some 170 bytes in Redis. */
export const STREAM_BOUNDS: StreamBounds = { length: 100_000, most: 500_000 };

/** Takes away what is old, as far as it may go, a whole node of the stream (100 events) at a time. */
export async function trimStream(
  redis: RedisClient,
  { key, topic }: { readonly key: string; readonly topic: string },
  { length, most }: StreamBounds,
  log: Log,
): Promise<void> {
  const there = await redis.xLen(key);
  if (there <= length) return;
  const unread = await firstUnread(redis, key);
  const options = { strategyModifier: '~', LIMIT: there - length } as const;
  const gone =
    unread === undefined
      ? await redis.xTrim(key, 'MAXLEN', length, { strategyModifier: '~' })
      : await redis.xTrim(key, 'MINID', unread, options);
  if (there - gone <= most) return;
  const count = await redis.xTrim(key, 'MAXLEN', most, { strategyModifier: '~' });
  if (count === 0) return;
  eventsCut.inc(count);
  log.warn(
    { topic, count },
    'a stream of domain events is too long: the oldest are gone, and somebody has not read them',
  );
}

/** The oldest event that a group has not read, or has not finished; undefined where there are no groups. */
async function firstUnread(redis: RedisClient, stream: string): Promise<string | undefined> {
  const groups = await redis.xInfoGroups(stream);
  const ids = await Promise.all(
    groups.map(async ({ name, pending, 'last-delivered-id': last }) =>
      pending > 0 ? ((await redis.xPending(stream, name)).firstId ?? last) : last,
    ),
  );
  return ids.sort(byAge)[0];
}

/** `milliseconds-number`; both of any length. */
const byAge = (a: string, b: string): number => {
  const [[time, number], [otherTime, otherNumber]] = [partsOf(a), partsOf(b)];
  return time - otherTime || number - otherNumber;
};
const partsOf = (id: string): [number, number] => {
  const [time, number = '0'] = id.split('-');
  return [Number(time), Number(number)];
};
