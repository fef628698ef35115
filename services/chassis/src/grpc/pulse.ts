/**
 * Whether another service still answers, known from the beats that it sends rather than from calls that wait in vain.
 * A process that is frozen keeps its connections open: only its silence tells. The loop that beats is the loop that
 * serves, so a beat says that requests get their turn; an answer of any kind says the same and counts as one.
 *
 * Several replicas may stand behind one address, and the calls go to them in turn: when one is silent another one is
 * listened to, so only the silence of all of them counts. What a single frozen replica holds runs into its own deadline.
 */
import { type ServiceDefinition, type ServiceError, status } from '@grpc/grpc-js';
import {
  type PulseServiceServer,
  PulseServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/pulse';
import { BEAT_MS, nextBeat, onBeat } from '../beat';
import { anyone } from '../http/route';
import { untilAny } from '../joined-signals';
import type { Log } from '../log';
import { isStarting } from '../outages';
import type { Dial, Remote } from './dial';
import type { Pulse } from './promptly';
import { type RpcService, rpcService } from './method';

export type { Pulse };

/**
 * A loop that is busy for a second is not dead: with the beat before and a busy machine's delays this leaves a third of a
 * second to spare. The look that finds it is the one after, so whoever is really gone is known within two.
 */
const PATIENCE_MS = 1_600;
/** After this long another replica, if there is one, is listened to, and after each such pause the next. */
const LISTEN_ELSEWHERE_MS = 550;
const MOST_STREAMS = 3;
/** What one look may count: time in which this process itself did not turn counts little. */
const MOST_A_LOOK_MS = 1.5 * BEAT_MS;
const STREAM_MS = 3_600_000;
const FIRST_PAUSE_MS = 100;
/** A service that has just come up may leave again, and is to be followed by then. */
const LONGEST_PAUSE_MS = 500;

/** The side that beats. */
export const pulseService = (): RpcService =>
  rpcService<PulseServiceServer>(PulseServiceService, {
    watch: {
      callers: ['calendar', 'content', 'forms', 'gateway', 'imports', 'oembed', 'seo'],
      permission: anyone,
      handle: (_, { signal, stopping }) => untilAny([signal, stopping], beats),
    },
  });

async function* beats(over: AbortSignal): AsyncGenerator<object> {
  while (!over.aborted) {
    yield {};
    await nextBeat(over);
  }
}

export interface PulseOptions {
  readonly dial: Dial;
  readonly service: string;
  readonly address: string;
  readonly log: Log;
}

/** As Remote, with beats that are followed until it is closed. */
export type Followed<S> = Omit<Remote<S>, 'close'> & { close(): Promise<void> };

/** Calls of one interface of another service that do not wait for it when it has stopped answering. */
export function dialFollowed<S>(definition: ServiceDefinition, options: PulseOptions): Followed<S> {
  const { dial, service, address } = options;
  const pulse = followPulse(options);
  const remote = dial<S>(definition, { service, address, pulse });
  const close = async (): Promise<void> => {
    await pulse.stop();
    remote.close();
  };
  return { ...remote, close };
}

export function followPulse({ dial, service, address, log }: PulseOptions): Pulse {
  const remote = dial<PulseServiceServer>(PulseServiceService, { service, address });
  const lostCalls = new Set<() => void>();
  const backCalls = new Set<() => void>();
  const leftCalls = new Set<() => void>();
  const streams = new Map<AbortController, Promise<void>>();
  let stopped = false;
  let lost = false;
  let silentMs = 0;
  /** Silence is counted up to here. */
  let countedAt = performance.now();
  let nextStreamAt = LISTEN_ELSEWHERE_MS;
  let pause = FIRST_PAUSE_MS;
  let refusals = 0;
  let refusedAt = 0;
  let again: NodeJS.Timeout | undefined;

  const heard = (news = 'the service answers again'): void => {
    silentMs = 0;
    countedAt = performance.now();
    nextStreamAt = LISTEN_ELSEWHERE_MS;
    refusals = 0;
    if (!lost) return;
    lost = false;
    log.info({ upstream: service }, news);
    for (const call of [...backCalls]) call();
  };

  const listen = (): void => {
    const calling = new AbortController();
    const work = read(calling).finally(() => {
      streams.delete(calling);
      if (!stopped && streams.size === 0) again = setTimeout(listen, pause);
    });
    streams.set(calling, work);
  };
  const read = async (calling: AbortController): Promise<void> => {
    const began = performance.now();
    let isBeating = false;
    try {
      const beats = remote.watch({}, { signal: calling.signal, deadlineMs: STREAM_MS });
      for await (const _ of beats) {
        heard();
        isBeating = true;
        pause = FIRST_PAUSE_MS;
        // One that beats is enough.
        for (const other of streams.keys()) if (other !== calling) other.abort();
      }
      // It stops, and said so.
      heard();
    } catch (error) {
      if (!calling.signal.aborted) refused(error as Error, began);
    }
    if (isBeating && !calling.signal.aborted) for (const call of [...leftCalls]) call();
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const refused = (error: Error, began: number): void => {
    log.debug({ err: error, upstream: service }, 'the beats of the service cannot be followed');
    if (began > refusedAt) refusals += 1;
    refusedAt = performance.now();
    // Whoever is not there at all is met, and told of, by those who call it.
    if (!lost) silentMs = 0;
    else if (isAnswer(error)) heard();
    // The end of connections to a frozen process is no news of it: only the next one tells whether somebody is there.
    else if (refusals > 1) heard('the service refuses connections');
  };

  const fallSilent = (): void => {
    lost = true;
    log[isStarting() ? 'info' : 'warn']({ upstream: service }, 'the service has stopped answering');
    for (const call of [...lostCalls]) call();
  };
  const look = (): void => {
    const now = performance.now();
    // What was sent while this process stood still is yet to be read.
    const passed = Math.min(now - countedAt, MOST_A_LOOK_MS);
    countedAt = now;
    if (streams.size === 0) return;
    silentMs += passed;
    if (silentMs >= nextStreamAt) {
      nextStreamAt = silentMs + LISTEN_ELSEWHERE_MS;
      refusals = 0;
      if (streams.size >= MOST_STREAMS) [...streams.keys()][0]?.abort();
      listen();
    }
    if (!lost && silentMs >= PATIENCE_MS) fallSilent();
  };
  const stopLooking = onBeat(look);
  listen();

  return {
    isLost: () => lost,
    noteAnswer: () => heard(),
    onLost: (call) => registered(lostCalls, call),
    onBack: (call) => registered(backCalls, call),
    onLeft: (call) => registered(leftCalls, call),
    stop: async () => {
      stopped = true;
      stopLooking();
      clearTimeout(again);
      for (const calling of streams.keys()) calling.abort();
      await Promise.all(streams.values());
      remote.close();
    },
  };
}

function registered(calls: Set<() => void>, call: () => void): () => void {
  // Each registration is one of its own, also of the same function.
  const own = (): void => call();
  calls.add(own);
  return () => void calls.delete(own);
}

/** Older services do not beat: what they answer is an error, but an answer. */
function isAnswer(error: Error): boolean {
  const code = (error.cause as Partial<ServiceError> | undefined)?.code;
  return code !== undefined && code !== status.UNAVAILABLE && code !== status.DEADLINE_EXCEEDED;
}
