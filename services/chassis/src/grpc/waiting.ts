/** Whether whoever made a call still waits for its answer. What is done for him ends when he gives up, and only then. */
import type { Asker } from '../request-id';

/** Who waits for the answer of a call. */
export interface Waiting extends Asker {
  /** He has been told all there is. */
  answered(): void;
}

/** Made once: each one would cost a look at the stack. */
const GONE = new DOMException('the caller gave up', 'AbortError');

/** The library says of each call that it was cancelled, once it is over; nothing is to be ended then. */
export function waitingFor(call: { on(event: 'cancelled', heard: () => void): unknown }): Waiting {
  let isAnswered = false;
  let isGone = false;
  let controller: AbortController | undefined;
  call.on('cancelled', () => {
    if (isAnswered) return;
    isGone = true;
    controller?.abort(GONE);
  });
  return {
    // Most never look.
    signal: () => {
      controller ??= new AbortController();
      if (isGone) controller.abort(GONE);
      return controller.signal;
    },
    isGone: () => isGone,
    answered: () => void (isAnswered = true),
  };
}
