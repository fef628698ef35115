/**
 * Requests whose clients send their body slower than any network is hold room on the way to a service, and nobody need
 * wait for it because of them: while somebody does, the slowest of them are told that their time is over. So are the slowest of
 * an address that holds more than its share, however fast they are: who sends many bodies a little faster than that is no network.
 */
import type { IncomingMessage } from 'node:http';
import { networkOf } from '@sevenfold/chassis/networks';

/** A few seconds tell whether a body comes at all. */
const AFTER_MS = 2_000;
const BYTES_PER_SECOND = 4 * 1024;
const LOOK_MS = 250;

interface Sender {
  readonly request: IncomingMessage;
  readonly who: string;
  readonly since: number;
  readonly before: number;
  readonly cut: () => void;
}

export interface SlowSenders {
  /** Looks after a request with a body until what is answered is called. */
  watch(request: IncomingMessage, address: string, cut: () => void): () => void;
  /** Somebody waits. */
  wanted(): void;
}

/** `most` of one address go on while others wait. */
export function createSlowSenders(waiting: () => number, most: number): SlowSenders {
  const senders = new Set<Sender>();
  let timer: NodeJS.Timeout | undefined;

  const relieve = (): void => {
    const now = performance.now();
    const coming = Array.from(senders, (sender) => ({ sender, rate: rateOf(sender, now) }))
      .filter(({ rate }) => rate < Infinity)
      .sort((a, b) => a.rate - b.rate);
    const held = new Map<string, number>();
    for (const { sender } of coming) held.set(sender.who, (held.get(sender.who) ?? 0) + 1);
    let wanted = waiting();
    for (const { sender, rate } of coming) {
      if (wanted <= 0) break;
      const its = held.get(sender.who) as number;
      if (rate >= BYTES_PER_SECOND && its <= most) continue;
      held.set(sender.who, its - 1);
      wanted -= 1;
      sender.cut();
    }
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: (request, address, cut) => {
      const who = networkOf(address, 32, 64) ?? '';
      const sender: Sender = {
        request,
        who,
        since: performance.now(),
        before: request.socket.bytesRead,
        cut,
      };
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
