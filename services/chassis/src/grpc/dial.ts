/**
 * Calls to another service: typed promises over one kept-alive channel, always with a deadline. Methods that change
 * nothing are tried again when the other side was unreachable; writes only where it never looked at them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallOptions as GrpcCallOptions,
  Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  Metadata,
  type ServiceDefinition,
  type ServiceError,
  type StatusObject,
  type handleServerStreamingCall,
  type handleUnaryCall,
  status,
} from '@grpc/grpc-js';
import type { Actor } from '../actor';
import { WANTS_TAGS_HEADER } from '../http/shows';
import { AFTER_HEADER } from '../news/after';
import { type Seen, fromHeaders } from '../news/seen';
import { WANTS_WROTE_HEADER, WROTE_HEADER } from '../news/wrote';
import { isRequestId, requestId, writtenBefore, wroteHere } from '../request-id';
import { type GrpcTls, clientCredentials } from '../tls';
import type { Span } from '../tracing/spans';
import { inSpan, startStep, step, traceparent } from '../tracing/tracing';
import { signCall } from './caller';
import { READS, channelOptions } from './channel';
import { fromStatus } from './errors';
import { clientCall } from './metrics';
import { type Pulse, type StreamCall, type UnaryCall, promptStream, promptly } from './promptly';
import { REQUEST_ID } from './serve';
import { TRACEPARENT, callSpan, noteEnd } from './spans';

export interface CallOptions {
  /** On whose behalf; the other service decides by this actor's rights. */
  readonly actor?: Actor;
  /** Default: that of the request for which the caller runs. */
  readonly requestId?: string;
  /** Milliseconds; default that of the caller for single calls and 60,000 for streams. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** What changes something, but nothing more when it comes again: it is given up as soon as the service falls silent. */
  readonly repeatable?: boolean;
  /** Notes what the answer shows; one that does not come, or does not say, is noted as unknown. Of single calls only. */
  readonly seen?: Seen;
}

export type Remote<S> = {
  [K in keyof S as string extends K ? never : K]: S[K] extends handleUnaryCall<infer Q, infer R>
    ? (request: Q, options?: CallOptions) => Promise<R>
    : S[K] extends handleServerStreamingCall<infer Q, infer R>
      ? (request: Q, options?: CallOptions) => AsyncIterable<R>
      : never;
} & { close(): void };

/** The other side. */
export interface Target {
  /** Name of the other service, for messages. */
  readonly service: string;
  /** `host:port`, or any address gRPC resolves (`dns:///content-headless:9090`). */
  readonly address: string;
  /** With it, calls do not wait for a service that has stopped answering. */
  readonly pulse?: Pulse;
  /** Where single calls run, or wait until the signal says that nobody wants them any more; by default wherever they are made. */
  readonly room?: <T>(call: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;
  /** Whether streams, too, end with an error when it falls silent: all of them have an end of their own. */
  readonly endsStreams?: boolean;
}

/** This side: what every call of a process is signed with. */
export interface CallerOptions {
  /** Name of the calling service; each method of the other side says which ones it serves. */
  readonly caller: string;
  readonly actorSecret: string;
  /** Absent: no TLS. */
  readonly tls?: GrpcTls;
  /** Of single calls that do not say it themselves, in milliseconds; default 2,000. */
  readonly deadlineMs?: number;
  /** What reads of this service have to come after (news/after.ts); by default what the request comes after that they are made for. */
  readonly after?: (service: string) => string;
}

export type DialOptions = Target & CallerOptions;

export type Dial = <S>(definition: ServiceDefinition, target: Target) => Remote<S>;

export const dialer =
  (caller: CallerOptions): Dial =>
  <S>(definition: ServiceDefinition, target: Target) =>
    dial<S>(definition, { ...caller, ...target });

const SINGLE_MS = 2_000;
const STREAM_MS = 60_000;

/** `S` is the server type that ts-proto generates beside the definition. */
export function dial<S>(definition: ServiceDefinition, options: DialOptions): Remote<S> {
  const client = new Client(options.address, clientCredentials(options.tls), channelOptions(definition));
  const remote: Record<string, unknown> = { close: () => client.close() };
  for (const [name, method] of Object.entries(definition)) {
    const serialize = method.requestSerialize as (value: unknown) => Buffer;
    const deserialize = method.responseDeserialize as (bytes: Buffer) => unknown;
    remote[name] = method.responseStream
      ? (request: unknown, call: CallOptions = {}) =>
          readStream(
            () =>
              client.makeServerStreamRequest(
                method.path,
                serialize,
                deserialize,
                request,
                ...sending(call, options, method.path, STREAM_MS),
              ),
            call,
            options.service,
            method.path,
          )
      : (request: unknown, call: CallOptions = {}) =>
          step(
            () => callSpan('client', method.path),
            (span) =>
              single(
                (metadata, ends, answered) =>
                  client.makeUnaryRequest(
                    method.path,
                    serialize,
                    deserialize,
                    request,
                    metadata,
                    ends,
                    answered,
                  ),
                call,
                options,
                method.path,
                READS.test(name),
                span,
              ),
          );
    if (options.room && !method.responseStream) remote[name] = roomy(remote[name] as UnaryCall, options.room);
    if (options.pulse) {
      const { pulse, service } = options;
      if (!method.responseStream)
        remote[name] = promptly(remote[name] as UnaryCall, { pulse, service, reads: READS.test(name) });
      else if (options.endsStreams)
        remote[name] = promptStream(remote[name] as StreamCall, { pulse, service });
    }
  }
  return remote as Remote<S>;
}

const roomy =
  (run: UnaryCall, room: NonNullable<Target['room']>): UnaryCall =>
  (request, call) =>
    room(() => run(request, call), call?.signal).catch((error: unknown) => {
      // One that found no room has shown nothing.
      call?.seen?.note('', undefined);
      throw error;
    });

/**
 * A connection that the other side is closing takes no new call: it says so without having looked at it, so that a write,
 * too, may come again. The library itself does that once, which is too few where the next replica closes one as well.
 */
const wasRefused = ({ code, details }: StatusObject): boolean =>
  code === status.UNAVAILABLE && details === 'Stream refused by server';
const MOST_TRIES = 4;
/** A process that stood still hears of several that are closing at once; a moment later it has new ones. */
const REFUSED_PAUSE_MS = 10;

type Answered = (error: ServiceError | null, value?: unknown) => void;
type Begin = (metadata: Metadata, ends: GrpcCallOptions, answered: Answered) => ClientUnaryCall;
interface Ended {
  readonly end: StatusObject;
  readonly error: ServiceError | null;
  readonly value: unknown;
}

async function single(
  begin: Begin,
  call: CallOptions,
  options: DialOptions,
  path: string,
  isRead: boolean,
  span: Span | undefined,
): Promise<unknown> {
  const ended = clientCall(options.service, path);
  const [metadata, ends] = sending(call, options, path, options.deadlineMs ?? SINGLE_MS);
  const wrote = isRead ? undefined : wroteHere()?.asks(options.service);
  if (wrote) metadata.set(WANTS_WROTE_HEADER, '1');
  const after = isRead ? (options.after ?? writtenBefore)(options.service) : '';
  if (after !== '') metadata.set(AFTER_HEADER, after);
  const attempt = (): Promise<Ended> => attemptOf(begin, metadata.clone(), ends, call.signal);
  let last = await attempt();
  for (let tries = 1; tries < MOST_TRIES && wasRefused(last.end) && !call.signal?.aborted; tries += 1) {
    await sleep(tries * REFUSED_PAUSE_MS);
    last = await attempt();
  }
  const { end, error, value } = last;
  const valueOf = (header: string): string | undefined => end.metadata.get(header)[0]?.toString();
  call.seen?.note(options.service, end.code === status.OK ? fromHeaders(valueOf) : undefined);
  // What failed may have been done all the same.
  wrote?.(end.code === status.OK ? valueOf(WROTE_HEADER) : undefined);
  ended(end.code);
  noteEnd(span, end.code);
  if (error) throw fromStatus(error, options.service);
  return value;
}

/** Its end comes within the same turn as its answer. */
function attemptOf(
  begin: Begin,
  metadata: Metadata,
  ends: GrpcCallOptions,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  return new Promise((resolve) => {
    let answer: Pick<Ended, 'error' | 'value'> = { error: null, value: undefined };
    const running = begin(metadata, ends, (error, value) => (answer = { error, value }));
    const cancel = (): void => running.cancel();
    running.on('status', (end) => {
      signal?.removeEventListener('abort', cancel);
      resolve({ end, ...answer });
    });
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
  });
}

/** The call begins with the reading: a stream that nobody comes to read is none. */
async function* readStream(
  open: () => ClientReadableStream<unknown>,
  call: CallOptions,
  service: string,
  path: string,
): AsyncGenerator<unknown> {
  call.signal?.throwIfAborted();
  const ended = clientCall(service, path);
  let code = status.CANCELLED;
  const span = startStep(() => callSpan('client', path));
  const stream = inSpan(span, open);
  // The iteration tells of faults; one that comes after its end is nobody's.
  stream.on('error', () => undefined);
  const cancel = (): void => stream.cancel();
  call.signal?.addEventListener('abort', cancel, { once: true });
  try {
    for await (const message of stream) yield message;
    code = status.OK;
  } catch (error) {
    code = (error as ServiceError).code ?? status.UNKNOWN;
    throw fromStatus(error as ServiceError, service);
  } finally {
    call.signal?.removeEventListener('abort', cancel);
    stream.cancel();
    ended(code);
    noteEnd(span, code);
    span?.end();
  }
}

function sending(
  call: CallOptions,
  options: DialOptions,
  method: string,
  fallbackMs: number,
): [Metadata, GrpcCallOptions] {
  const deadlineMs = call.deadlineMs ?? fallbackMs;
  const metadata = new Metadata();
  const id = call.requestId ?? requestId();
  if (isRequestId(id)) metadata.set(REQUEST_ID, id);
  const from = traceparent();
  if (from !== '') metadata.set(TRACEPARENT, from);
  if (call.seen) metadata.set(WANTS_TAGS_HEADER, '1');
  signCall(metadata, { caller: options.caller, method, actor: call.actor, deadlineMs }, options.actorSecret);
  return [metadata, { deadline: Date.now() + deadlineMs }];
}
