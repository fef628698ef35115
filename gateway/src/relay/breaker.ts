/**
 * A circuit breaker: after some failures in a row it refuses at once, so that a hanging service holds no connections
 * and no callers; now and then it lets one request through to see whether the service is back. It counts only what
 * says that the service cannot be spoken to: an error that a service answers is a sign of life.
 *
 * The gateway asks nothing itself to find that out: health says nothing of the kind of work that failed, and a way that opened by it would
 * let in whoever comes, to wait in vain, each time. What is let through is a request of that kind, and clients take turns at it.
 */
import type { Pulse } from '@sevenfold/chassis/grpc/pulse';
import { createTurns } from './turns';

const FAILURES_TO_OPEN = 5;
const RETRY_MS = 1_000;

export interface Breaker {
  /** Whether requests are refused for now. */
  isOpen(): boolean;
  /** Whether a request of this client's, where it is one's, may go out now. Each that may must be reported by one of the two below. */
  mayPass(address?: string): boolean;
  readonly succeeded: () => void;
  readonly failed: () => void;
}

/** `now` is of a clock that nobody sets back: a way would stay shut for as long. */
export function createBreaker(now = (): number => performance.now()): Breaker {
  let failures = 0;
  let nextTry = 0;
  const turns = createTurns(now);
  return {
    isOpen: () => failures >= FAILURES_TO_OPEN,
    mayPass: (address = '') => {
      if (failures < FAILURES_TO_OPEN) return true;
      if (!turns.take(address, now() >= nextTry)) return false;
      // Whoever comes in the meantime is refused; should this one be abandoned, somebody else's is tried after the pause.
      nextTry = now() + RETRY_MS;
      return true;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: () => {
      failures += 1;
      if (failures >= FAILURES_TO_OPEN) nextTry = now() + RETRY_MS;
    },
  };
}

/**
 * The same, for a service whose beats are followed: nothing passes while it is silent, everything does from the first
 * beat on, whatever failed meanwhile.
 */
export function guardedBy(pulse: Pulse, breaker: Breaker): Breaker {
  pulse.onBack(breaker.succeeded);
  return {
    isOpen: () => pulse.isLost() || breaker.isOpen(),
    mayPass: (address) => !pulse.isLost() && breaker.mayPass(address),
    succeeded: () => {
      pulse.noteAnswer();
      breaker.succeeded();
    },
    failed: breaker.failed,
  };
}
