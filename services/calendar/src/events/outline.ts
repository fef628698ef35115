/** What is remembered of a list of events (list.ts). */
import type { Remembered } from '@sevenfold/chassis/db/memory';

export interface Outline {
  /** Ids of what began before the window, in order; undefined when there are too many to remember. */
  readonly head?: readonly number[];
  /** Number of rows behind the head; of all rows without a head. */
  readonly rest: number;
  /** Ids of the first rows of the rest, in order; absent where walking along the starts finds them as fast. */
  readonly first?: readonly number[];
}

export type Outlines = Remembered<Outline>;

export const outlineOptions = { lifetimeMs: 30_000, most: 1_000 } as const;
