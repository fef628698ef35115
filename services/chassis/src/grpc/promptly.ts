/**
 * A call that does not wait for a service which has stopped answering: it fails at once with 503, as does a running one
 * that changes nothing or may come twice. Any other goes on, since it may have been done; its deadline ends it.
 */
import { unavailable } from '../errors';
import { joined } from '../joined-signals';
import type { Seen } from '../news/seen';

/** What is known of the other side without asking it. */
export interface Pulse {
  /** True while nothing at all comes from a service that was reached; false when it refuses connections. */
  isLost(): boolean;
  /** Something came from the service by another way. */
  noteAnswer(): void;
  /** Calls when the service falls silent, until the function that is given back is called. */
  onLost(call: () => void): () => void;
  /** Calls when it is heard again. */
  onBack(call: () => void): () => void;
  /** Calls when beats have ended that came: a replica has stopped, or the connection to it. Another one may still be there. */
  onLeft(call: () => void): () => void;
  stop(): Promise<void>;
}

export type UnaryCall = (
  request: unknown,
  call?: { readonly signal?: AbortSignal; readonly repeatable?: boolean; readonly seen?: Seen },
) => Promise<unknown>;

export interface Promptness {
  readonly pulse: Pulse;
  /** Of the other side, for messages. */
  readonly service: string;
  /** Whether the method changes nothing. */
  readonly reads: boolean;
}

export const promptly =
  (run: UnaryCall, { pulse, service, reads }: Promptness): UnaryCall =>
  async (request, call = {}) => {
    if (pulse.isLost()) {
      call.seen?.note(service, undefined);
      throw unavailable(`The ${service} service`);
    }
    const end = joined([call.signal]);
    const stopListening = reads || call.repeatable ? pulse.onLost(() => end.abort()) : undefined;
    try {
      const answer = await run(request, { ...call, signal: end.signal });
      pulse.noteAnswer();
      return answer;
    } finally {
      stopListening?.();
      end.leave();
    }
  };

export type StreamCall = (
  request: unknown,
  call?: { readonly signal?: AbortSignal; readonly deadlineMs?: number },
) => AsyncIterable<unknown>;

/** The same for a stream that ends by itself; one that goes on for ever has its own ways with silence. */
export const promptStream = (run: StreamCall, { pulse, service }: Omit<Promptness, 'reads'>): StreamCall =>
  async function* (request, call = {}) {
    if (pulse.isLost()) throw unavailable(`The ${service} service`);
    const end = joined([call.signal]);
    let isSilent = false;
    const stopListening = pulse.onLost(() => {
      isSilent = true;
      end.abort();
    });
    try {
      for await (const message of run(request, { ...call, signal: end.signal })) {
        pulse.noteAnswer();
        yield message;
      }
    } catch (error) {
      throw isSilent ? unavailable(`The ${service} service`, undefined, error) : error;
    } finally {
      stopListening();
      end.leave();
    }
  };
