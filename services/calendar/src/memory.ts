/** What this service's processes remember, and who says that it is old. */
import type { Memory } from '@sevenfold/chassis/db/memory';

/** `events`, `linked` (venues and organizers): from triggers. `known`: from content/known.ts. */
export const channels = ['events', 'linked', 'known'] as const;

export type CalendarMemory = Memory<(typeof channels)[number]>;
