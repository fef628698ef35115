/**
 * What is remembered of a list (run-list.ts): its total, and which posts come first. A count over many rows costs more
 * than the page it belongs to, and is asked again with every page.
 */
import type { Remembered } from '@sevenfold/chassis/db/memory';

export interface Outline {
  readonly total: number;
  /** Ids of the first rows, in order; absent where walking along the order finds them as fast. */
  readonly first?: readonly number[];
  /** Of searches: there are more than the total says. */
  readonly more?: boolean;
  /** Of searches: only the newest rows were looked at. */
  readonly newestOnly?: boolean;
  /** Of searches of a large table: which part of how many rows matches, as a sample tells. */
  readonly matching?: number;
  readonly rows?: number;
}

export type PostOutlines = Remembered<Outline>;

export const outlineBounds = { lifetimeMs: 30_000, most: 1_000 } as const;
