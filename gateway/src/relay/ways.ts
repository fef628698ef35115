/**
 * A way to a service for one kind of work: its own room and its own breaker, so that what is wrong with one kind (writes
 * that hang, files that are huge) is felt by no other. All ways to a service hear the same beats of it.
 */
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import { errors } from '../edge/errors';
import { type Breaker, createBreaker, guardedBy } from './breaker';
import { type Bulkhead, createBulkhead } from './bulkhead';
import { type GivingWay, createGivingWay } from './giving-way';
import { counted, countRefused } from './metrics';

export type Kind = 'reads' | 'writes' | 'uploads' | 'calls' | 'sign-in' | 'streams';

export interface Way {
  readonly upstream: string;
  readonly kind: Kind;
  readonly breaker: Breaker;
  readonly bulkhead: Bulkhead;
  readonly givingWay: GivingWay;
  readonly pulse: Pulse;
}

/** Longest head of an answer: services bound what hangs on the question to a quarter of it. */
export const HEAD_BYTES = 64 * 1024;

/** As long as people wait for a page that then comes after all. */
const WAIT_MS = 5_000;
/** For each that runs, so many may wait. */
const WAITING = 2;

export function openWay(upstream: string, kind: Kind, atOnce: number, pulse: Pulse, timeoutMs: number): Way {
  const bulkhead = createBulkhead({
    atOnce,
    // What goes on for as long as somebody watches makes room for nobody soon.
    mostWaiting: kind === 'streams' ? 0 : atOnce * WAITING,
    waitMs: Math.min(WAIT_MS, timeoutMs / 2),
    onRefused: countRefused({ upstream, kind }),
  });
  return {
    upstream,
    kind,
    pulse,
    breaker: counted(guardedBy(pulse, createBreaker()), { upstream, kind }),
    bulkhead,
    givingWay: createGivingWay(bulkhead),
  };
}

/** A place on the way until what is answered is called. Throws 503 where there is none. */
export function takePlace({ bulkhead, upstream }: Way): () => void {
  const refuse = (): never => {
    throw errors.busy(upstream);
  };
  const place = bulkhead.place({ start: () => undefined, refuse });
  place.enter();
  return () => place.leave();
}

/** Room on the way for as long as the work takes. Throws 503 where there is none, or nobody wants it any more. */
export function inRoom<T>(
  { bulkhead, upstream }: Way,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      place.leave();
      reject(errors.serviceDown(upstream, signal?.reason));
    };
    const place = bulkhead.place({
      start: () => {
        signal?.removeEventListener('abort', giveUp);
        work()
          .finally(() => place.leave())
          .then(resolve, reject);
      },
      refuse: () => {
        signal?.removeEventListener('abort', giveUp);
        reject(errors.busy(upstream));
      },
    });
    signal?.addEventListener('abort', giveUp, { once: true });
    place.enter();
  });
}
