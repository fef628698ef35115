/**
 * Requests whose clients send their body slower than any network is hold room on the way to a service, and nobody need
 * wait for it because of them: while somebody does, the slowest of them are told that their time is over. So are the slowest of
 * an address that holds more than its share while others than itself wait, however fast they are: who sends many bodies a little
 * faster than that is no network.
 */
import type { IncomingMessage } from 'node:http';
import { networkOf } from '@sevenfold/chassis/networks';

/** A few seconds tell whether a body comes at all. */
const AFTER_MS = 2_000;
/** Slower than any network is. */
export const BYTES_PER_SECOND = 4 * 1024;
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

export interface SlowSendersOptions {
  readonly waiting: () => number;
  /** Addresses of those of them whose requests would be passed on here. */
  readonly whoWaits: () => readonly string[];
  /** So many of one address go on while others wait. */
  readonly most: number;
}

export function createSlowSenders({ waiting, whoWaits, most }: SlowSendersOptions): SlowSenders {
  const senders = new Set<Sender>();
  let timer: NodeJS.Timeout | undefined;
  let looked = 0;
  let stoodStill = false;

  const cutSlowest = (now: number): void => {
    const coming = Array.from(senders, (sender) => ({ sender, rate: rateOf(sender, now) }))
      .filter(({ rate }) => rate < Infinity)
      .sort((a, b) => a.rate - b.rate);
    const held = countsOf(coming.map(({ sender }) => sender.who));
    const all = waiting();
    const own = countsOf(whoWaits().map(networkOfAddress));
    // Whoever sends much at once waits for himself: what he has nearly sent would be lost for what he has yet to send.
    const doOthersWait = (who: string): boolean => all > (own.get(who) ?? 0);
    let wanted = all;
    for (const { sender, rate } of coming) {
      if (wanted <= 0) break;
      const its = held.get(sender.who) as number;
      if (rate >= BYTES_PER_SECOND && (its <= most || !doOthersWait(sender.who))) continue;
      held.set(sender.who, its - 1);
      wanted -= 1;
      sender.cut();
    }
  };
  const relieve = (): void => {
    const now = performance.now();
    // What came while this process stood still is read before the next look.
    stoodStill = !stoodStill && now - looked > 2 * LOOK_MS;
    looked = now;
    if (!stoodStill) cutSlowest(now);
    if (waiting() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: (request, address, cut) => {
      const who = networkOfAddress(address);
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
    wanted: () => {
      if (timer) return;
      looked = performance.now();
      timer = setInterval(relieve, LOOK_MS);
    },
  };
}

const networkOfAddress = (address: string): string => networkOf(address, 32, 64) ?? '';

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Whose body is whole, or has hardly begun, or is not read by the service, is not slow. */
function rateOf({ request, since, before }: Sender, now: number): number {
  const passed = now - since;
  if (request.complete || passed < AFTER_MS || request.isPaused()) return Infinity;
  return ((request.socket.bytesRead - before) * 1000) / passed;
}
