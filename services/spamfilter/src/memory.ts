/** What this service's processes remember, and who says that it is old. */
import type { Memory } from '@sevenfold/chassis/db/memory';

/** `settings`: from settings/store.ts. `key`: from keys/store.ts. `blocked`: from blocked/store.ts. */
export const channels = ['settings', 'key', 'blocked'] as const;

export type SpamMemory = Memory<(typeof channels)[number]>;
