/**
 * Requests whose clients send their body slower than any network is hold room on the way to a service, and nobody need
 * wait for it because of them: while somebody does, the slowest of them are told that their time is over.
 */
import type { IncomingMessage } from 'node:http';

/** A few seconds tell whether a body comes at all. */
const AFTER_MS = 2_000;
const BYTES_PER_SECOND = 4 * 1024;
const LOOK_MS = 250;

interface Sender {
  readonly request: IncomingMessage;
  readonly since: number;
  readonly before: number;
  readonly cut: () => void;
}

export interface SlowSenders {
  /** Looks after a request with a body until what is answered is called. */
  watch(request: IncomingMessage, cut: () => void): () => void;
  /** Somebody waits. */
  wanted(): void;
}

export function createSlowSenders(waiting: () => number): SlowSenders {
  const senders = new Set<Sender>();
  let timer: NodeJS.Timeout | undefined;

  const relieve = (): void => {
    const now = performance.now();
    const slow = Array.from(senders, (sender) => ({ sender, rate: rateOf(sender, now) }))
      .filter(({ rate }) => rate < BYTES_PER_SECOND)
      .sort((a, b) => a.rate - b.rate);
    for (const { sender } of slow.slice(0, waiting())) sender.cut();
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: (request, cut) => {
      const sender: Sender = { request, since: performance.now(), before: request.socket.bytesRead, cut };
      senders.add(sender);
      return () => void senders.delete(sender);
    },
    wanted: () => void (timer ??= setInterval(relieve, LOOK_MS)),
  };
}

/** Whose body is whole, or has hardly begun, or is not read by the service, is not slow. */
function rateOf({ request, since, before }: Sender, now: number): number {
  const passed = now - since;
  if (request.complete || passed < AFTER_MS || request.isPaused()) return Infinity;
  return ((request.socket.bytesRead - before) * 1000) / passed;
}
