/** One consumer of a group reads streams: what is new, what it has read before, and what others left. */
import type { RedisClient } from './redis';

export interface StreamMessage {
  readonly id: string;
  readonly message: Record<string, string>;
}

export interface Piece {
  /** Without those that the stream has lost. */
  readonly messages: readonly StreamMessage[];
  /** The id of the last one; absent where there is none any more. */
  readonly last?: string;
}

export interface StreamReader {
  /** What nobody of the group has read; waits so long for it. */
  fresh(
    streams: readonly string[],
    blockMs: number,
  ): Promise<readonly { readonly name: string; readonly messages: readonly StreamMessage[] }[]>;
  /** What this consumer has read and not confirmed, behind the id; `''` is before all of them. */
  own(stream: string, after: string, most?: number): Promise<Piece>;
  /** What nobody has confirmed for so long: it is this consumer's then. From the beginning to the end, a piece at a time. */
  abandoned(stream: string, idleMs: number): AsyncGenerator<readonly StreamMessage[]>;
}

const AT_ONCE = 100;

export function streamReader(redis: RedisClient, group: string, consumer: string): StreamReader {
  const isThere = (entry: StreamMessage | null): entry is StreamMessage => entry !== null;
  return {
    fresh: async (streams, blockMs) => {
      const asked = streams.map((key) => ({ key, id: '>' }));
      const options = { COUNT: AT_ONCE, BLOCK: blockMs };
      const replies = await redis.xReadGroup(group, consumer, asked, options);
      return (replies as { name: string; messages: StreamMessage[] }[] | null) ?? [];
    },
    own: async (stream, after, most = AT_ONCE) => {
      const start = after === '' ? '-' : `(${after}`;
      const pending = await redis.xPendingRange(stream, group, start, '+', most, { consumer });
      const ids = pending.map(({ id }) => String(id));
      if (ids.length === 0) return { messages: [] };
      const entries = await redis.xClaim(stream, group, consumer, 0, ids);
      return { messages: (entries as (StreamMessage | null)[]).filter(isThere), last: ids.at(-1) };
    },
    abandoned: async function* (stream, idleMs) {
      for (let from = '0-0'; ;) {
        const claimed = await redis.xAutoClaim(stream, group, consumer, idleMs, from, { COUNT: AT_ONCE });
        yield (claimed.messages as (StreamMessage | null)[]).filter(isThere);
        from = String(claimed.nextId);
        if (from === '0-0') return;
      }
    },
  };
}
