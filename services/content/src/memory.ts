/** What this service's processes remember, and who says that it is old. */
import type { Memory } from '@sevenfold/chassis/db/memory';

/** From triggers. */
export const channels = ['posts', 'settings'] as const;

export type ContentMemory = Memory<(typeof channels)[number]>;
