/** Readers of the calendar do not wait for a whole batch, which may have thousands of events, or a long one. */
import { setImmediate } from 'node:timers/promises';

const LONGEST_TURN_MS = 10;

/** To be asked between two parts of the work: makes a pause where it has gone on for long. */
export type Pause = () => Promise<void> | undefined;

export function openPauses(): Pause {
  let begun = performance.now();
  return () => (performance.now() - begun < LONGEST_TURN_MS ? undefined : pause());
  async function pause(): Promise<void> {
    await setImmediate();
    begun = performance.now();
  }
}
