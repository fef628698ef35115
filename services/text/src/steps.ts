/*
 * Work on a text that is done in steps: a megabyte takes tenths of a second, and whoever shares the process with others lets them
 * have their turns between. Each step is a part of one text, so short ones have a single one.
 */
import { setImmediate } from 'node:timers/promises';

/** What comes out, and before that as many pauses as others may want. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Characters of a step: some milliseconds, whatever they are. */
export const STEP = 30_000;

/** Without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** With a turn for everybody else after each step, or where `pause` makes one. */
export async function inTurns<T>(
  steps: Steps<T>,
  pause: () => Promise<void> | undefined = setImmediate,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pause();
  }
}
