/**
 * Looks after whatever holds a place on the way to a service because of its client, a body that is still coming or an answer that is
 * still being taken. While somebody waits for a place, some of them give way (shares.ts), by how they came on in the last two seconds: whoever did
 * much at first and then stops is slow from then on.
 */
import type { Bulkhead } from './bulkhead';
import { type Holder, whoGivesWay } from './shares';

const LOOK_MS = 250;
/** Two seconds tell how something comes on. */
const LOOKS = 8;

export interface Held {
  readonly address: string;
  /** Bytes that its client has sent or taken. */
  moved(): number;
  /** Whether it is the client that it waits for. */
  isClients(): boolean;
  /** Whether it hardly comes on; the rate is known when it has been looked at for long enough. */
  isStuck(rate: number | undefined): boolean;
  giveWay(): void;
}

export interface GivingWay {
  /** Until what is answered is called. */
  hold(held: Held): () => void;
}

export function createGivingWay({ atOnce, line, bringForward }: Bulkhead): GivingWay {
  /** With what each had moved at the last looks. */
  const all = new Map<Held, number[]>();
  let timer: NodeJS.Timeout | undefined;
  let looked = 0;
  let stoodStill = false;

  const note = (): void => {
    for (const [held, looks] of all) {
      // Whom the service keeps waiting begins anew after that.
      if (!held.isClients()) looks.length = 0;
      else if (looks.push(held.moved()) > LOOKS + 1) looks.shift();
    }
  };
  const relieve = (): void => {
    const waiters = line();
    if (waiters.length === 0) return;
    const holders = Array.from(all, holderOf).filter((holder) => holder !== undefined);
    const pairs = whoGivesWay(holders, waiters, atOnce);
    bringForward(pairs.map(([, waiter]) => waiter));
    for (const [{ held }] of pairs) {
      all.delete(held);
      held.giveWay();
    }
  };
  const look = (): void => {
    const now = performance.now();
    // What came while this process stood still is read before the next look; the time of it is nobody's.
    stoodStill = !stoodStill && now - looked > 2 * LOOK_MS;
    looked = now;
    if (!stoodStill) {
      note();
      relieve();
    }
    if (all.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    hold: (held) => {
      all.set(held, []);
      if (!timer) {
        looked = performance.now();
        timer = setInterval(look, LOOK_MS).unref();
      }
      return () => void all.delete(held);
    },
  };
}

/** Undefined for what its client does not hold. */
function holderOf([held, looks]: readonly [Held, readonly number[]]): (Holder & { held: Held }) | undefined {
  if (looks.length === 0) return undefined;
  const moved = (looks.at(-1) as number) - (looks[0] as number);
  const rate = looks.length > 1 ? (moved * 1000) / ((looks.length - 1) * LOOK_MS) : 0;
  const isKnown = looks.length > LOOKS;
  return { held, address: held.address, rate, isKnown, isStuck: held.isStuck(isKnown ? rate : undefined) };
}
