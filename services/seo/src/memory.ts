/** What this service's processes remember, and who says that it is old. */
import type { Memory } from '@sevenfold/chassis/db/memory';

/** `settings`: from settings/store.ts, own ones and what is known of the site. */
export const channels = ['settings'] as const;

export type SeoMemory = Memory<(typeof channels)[number]>;
