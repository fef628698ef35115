/**
 * Consumers of domain events: one consumer group for each service, over Redis Streams. Seeing an event twice has one effect
 * (take-in.ts). What a stream loses its sender notices and sends again (forgotten.ts).
 */
import { isOutageStatus, toApiError } from '../errors';
import { logFault } from '../outages';
import { forRequest, requestId } from '../request-id';
import type { Span } from '../tracing/spans';
import { arrive } from '../tracing/tracing';
import { type RedisClient, closeRedis, openRedis } from './redis';
import { streamKey } from './forgotten';
import { AWAY_IN_A_ROW, type TakeAll, openLeftBehind } from './left-behind';
import { eventsTotal } from './metrics';
import { messageSpan } from './spans';
import { streamReader } from './stream-reader';
import { type EventCall, type Message, type TakeInOptions, openTakeIn } from './take-in';

export type { EventCall } from './take-in';

export interface Subscription<D> {
  readonly topic: string;
  /**
   * Asked once for all events of a topic that one read brings, after they came: false lets them pass without a
   * transaction, and without a note that they were here. For what mostly nobody wants.
   */
  readonly wants?: (deps: D, topic: string) => Promise<boolean>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
  readonly handle: (call: EventCall<D, any>) => Promise<void>;
}

export interface ConsumersOptions<D> extends TakeInOptions<D> {
  readonly subscriptions: readonly Subscription<D>[];
  readonly redisUrl: string;
  readonly redisCa?: Buffer;
  readonly prefix: string;
  /** How long an event is left to the one who read it; default half a minute. */
  readonly claimAfterMs?: number;
  /** How long the name of a consumer that stopped asking is kept; default a day. */
  readonly forgetAfterMs?: number;
}

/** `away`: failed, since something that it needs is. */
type Outcome = 'taken' | 'repeated' | 'set aside' | 'failed' | 'away';

const isAway = (error: unknown): boolean => isOutageStatus(toApiError(error).status);

const BLOCK_MS = 2_000;
const NOT_CONNECTED_MS = 50;
const CLAIM_AFTER_MS = 30_000;
const FORGET_AFTER_MS = 24 * 60 * 60_000;
const LEAVE_WITHIN_MS = 1_000;

// Every process has a name of its own, and Redis keeps names for ever. Deleting a name throws away what is pending
// under it, for nobody to claim, so looking and deleting are one step. ARGV: group, own name, milliseconds after which
// others are forgotten, 'leaving' when the own name goes too.
const FORGET = `
  for _, fields in ipairs(redis.call('xinfo', 'consumers', KEYS[1], ARGV[1])) do
    local one = {}
    for i = 1, #fields, 2 do one[fields[i]] = fields[i + 1] end
    local goes = one.idle >= tonumber(ARGV[3])
    if one.name == ARGV[2] then goes = ARGV[4] == 'leaving' end
    if goes and one.pending == 0 then
      redis.call('xgroup', 'delconsumer', KEYS[1], ARGV[1], one.name)
    end
  end`;

export interface Consumers {
  stop(): Promise<void>;
}

export function startConsumers<D>(options: ConsumersOptions<D>): Consumers {
  const { group, prefix, claimAfterMs = CLAIM_AFTER_MS } = options;
  const consumer = `${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  // Blocking reads need a connection of their own.
  const redis: RedisClient = openRedis(options.redisUrl, options.log, options.redisCa);
  const reader = streamReader(redis, group, consumer);
  const leftBehind = openLeftBehind(reader);
  const takeIn = openTakeIn(options);
  const byStream = new Map(options.subscriptions.map((row) => [streamKey(prefix, row.topic), row]));
  let stopped = false;
  const prepared = new Set<string>();

  const prepare = async (): Promise<void> => {
    for (const stream of byStream.keys()) {
      if (prepared.has(stream)) continue;
      await redis.xGroupCreate(stream, group, '0', { MKSTREAM: true }).catch((error: Error) => {
        if (!error.message.includes('BUSYGROUP')) throw error;
      });
      prepared.add(stream);
    }
  };

  const forget = async (connection: RedisClient, when: 'staying' | 'leaving'): Promise<void> => {
    const age = String(options.forgetAfterMs ?? FORGET_AFTER_MS);
    for (const stream of byStream.keys())
      await connection.eval(FORGET, { keys: [stream], arguments: [group, consumer, age, when] });
  };

  /** Best effort, within a second: what stays behind is forgotten by the others after a day. */
  const leave = async (): Promise<void> => {
    const connection = redis.duplicate();
    connection.on('error', () => undefined);
    const timer = setTimeout(() => void closeRedis(connection), LEAVE_WITHIN_MS);
    try {
      await connection.connect();
      await forget(connection, 'leaving');
    } catch {
      // Redis went away, or has lost the stream and with it the name.
    } finally {
      clearTimeout(timer);
      await closeRedis(connection);
    }
  };

  // One event that cannot be taken in must not hold up the rest: it stays pending and is claimed again later.
  const take = (stream: string, id: string, one: Message<D>): Promise<Outcome> =>
    forRequest(one.message.request, () =>
      arrive(messageSpan('consumer', 'event', one.row.topic, ''), one.message.traceparent ?? '', (span) =>
        takeOne(stream, id, one, span),
      ),
    );
  const takeOne = async (
    stream: string,
    id: string,
    one: Message<D>,
    span: Span | undefined,
  ): Promise<Outcome> => {
    let outcome: Outcome;
    try {
      outcome = await takeIn(one);
    } catch (error) {
      outcome = isAway(error) ? 'away' : 'failed';
      span?.fail(error as Error);
      if (stopped) return outcome;
      logFault(
        options.log,
        error,
        { stream, id },
        'a domain event could not be taken in; it will be tried again',
      );
    }
    note(one.row.topic, outcome);
    if (outcome !== 'failed' && outcome !== 'away') await confirm(stream, [id]);
    return outcome;
  };

  /** What Redis does not hear of comes again, to be known by its note: no fault of the event, and nothing is held up by it. */
  const confirm = (stream: string, ids: string[]): Promise<unknown> =>
    redis
      .xAck(stream, group, ids)
      .catch((error: Error) =>
        options.log.debug(
          { err: error, stream, ids },
          'domain events could not be confirmed; they come again',
        ),
      );

  /** Undefined where it cannot be told. */
  const isWanted = async (
    { wants, topic }: Subscription<D>,
    stream: string,
  ): Promise<boolean | undefined> => {
    try {
      return wants ? await wants(options.deps, topic) : true;
    } catch (error) {
      if (!stopped) logFault(options.log, error, { stream });
      return undefined;
    }
  };

  const takeAll: TakeAll = async (stream, messages, { untilAway = true, isAgain = false } = {}) => {
    const row = byStream.get(stream);
    if (!row || messages.length === 0) return true;
    const wanted = await isWanted(row, stream);
    if (wanted === undefined) return false;
    if (!wanted) {
      await confirm(
        stream,
        messages.map(({ id }) => id),
      );
      eventsTotal.inc({ topic: row.topic, outcome: 'passed' }, messages.length);
      return true;
    }
    let inARow = 0;
    for (const { id, message } of messages) {
      inARow = (await take(stream, id, { row, message, isAgain })) === 'away' ? inARow + 1 : 0;
      if (untilAway && inARow === AWAY_IN_A_ROW) return false;
    }
    return true;
  };
  const takeOrWait = async (...[stream, messages, how]: Parameters<TakeAll>): Promise<boolean> => {
    const isThrough = await takeAll(stream, messages, how);
    if (!isThrough) leftBehind.add(stream);
    return isThrough;
  };

  /** All of them, however many go on failing. */
  const takeOver = async (stream: string): Promise<void> => {
    if (leftBehind.has(stream)) return;
    for await (const messages of reader.abandoned(stream, claimAfterMs))
      if (stopped || !(await takeOrWait(stream, messages, { isAgain: true }))) return;
  };

  const note = (topic: string, outcome: Outcome): void => {
    eventsTotal.inc({ topic, outcome: outcome === 'away' ? 'failed' : outcome });
    options.log[requestId() === '' ? 'debug' : 'info']({ topic, outcome }, 'domain event');
  };

  const loop = (async () => {
    let pause = 0;
    let nextClaim = 0;
    while (!stopped) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      // That it is away is told of by the connection itself.
      if (!redis.isReady) {
        prepared.clear();
        pause = NOT_CONNECTED_MS;
        continue;
      }
      try {
        await prepare();
        await leftBehind.retry(takeAll);
        if (performance.now() > nextClaim) {
          nextClaim = performance.now() + claimAfterMs;
          for (const stream of byStream.keys()) await takeOver(stream);
          // After the claims: a dead consumer has nothing pending any more once its events are taken over.
          await forget(redis, 'staying');
        }
        const open = [...byStream.keys()].filter((stream) => !leftBehind.has(stream));
        const blockMs = leftBehind.size === 0 ? BLOCK_MS : Math.min(BLOCK_MS, leftBehind.pause());
        const news = open.length === 0 ? [] : await reader.fresh(open, blockMs);
        for (const { name, messages } of news) await takeOrWait(name, messages);
        pause = open.length === 0 ? leftBehind.pause() : 0;
      } catch (error) {
        if (stopped) break;
        // A stream that was flushed away has lost its group too: make it anew.
        prepared.clear();
        if (pause <= NOT_CONNECTED_MS)
          options.log.warn({ err: error as Error, group }, 'domain events cannot be read; trying again');
        pause = Math.min(pause === 0 ? 100 : pause * 2, 2_000);
      }
    }
  })();

  return {
    stop: async () => {
      stopped = true;
      const reachable = redis.isReady;
      // The last read may be waiting for news: closing its connection ends it.
      await closeRedis(redis);
      await loop;
      if (reachable) await leave();
    },
  };
}
