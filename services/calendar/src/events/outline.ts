/** What is remembered of a list of events (list.ts). */
import type { Outline } from '@sevenfold/chassis/db/list';
import type { Remembered } from '@sevenfold/chassis/db/memory';

export interface EventOutline extends Outline {
  /** Ids of what began before the window, in order; undefined when there are too many to remember. */
  readonly head?: readonly number[];
  /** Number of rows behind the head; of all rows without a head. */
  readonly rest?: number;
}

export type EventOutlines = Remembered<EventOutline>;
