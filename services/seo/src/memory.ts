/** What this service's processes remember, and who says that it is old. */
import type { Memory } from '@sevenfold/chassis/db/memory';

/** `settings`: from triggers, on own ones and on what is known of the site. */
export const channels = ['settings'] as const;

export type SeoMemory = Memory<(typeof channels)[number]>;
