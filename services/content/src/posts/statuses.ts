/** Post statuses (INTERFACE.md part 3): which may be written, which may be asked for, and which everybody may read. */
const calendarStatuses = [
  'calendar-ea-success',
  'calendar-ea-failed',
  'calendar-ea-schedule',
  'calendar-ea-pending',
  'calendar-ea-draft',
  'calendar-ignored',
] as const;

export const writableStatuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  ...calendarStatuses,
] as const;

export const filterableStatuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  'trash',
  'auto-draft',
  'inherit',
  'request-pending',
  'request-confirmed',
  'request-failed',
  'request-completed',
  ...calendarStatuses,
  'any',
] as const;

/** What `any` stands for: everything but the trash and states of the machinery. */
export const anyStatuses: readonly string[] = [...writableStatuses, 'inherit'];

const publicStatuses: ReadonlySet<string> = new Set([
  'publish',
  'calendar-ea-success',
  'calendar-ea-failed',
  'calendar-ea-schedule',
  'calendar-ea-pending',
  'calendar-ea-draft',
]);

/** Shown to everybody. */
export const isPublic = (status: string): boolean => publicStatuses.has(status);

/** Not yet anything a visitor could link to: the slug and the date may still be open. */
export const isUnfinished = (status: string): boolean => status === 'draft' || status === 'pending';

/** Whether the post has its readable address; otherwise its link is the form with the id. */
export const hasPermalink = (status: string): boolean =>
  isPublic(status) || status === 'private' || status === 'inherit';

/** hasPermalink in SQL. */
export const PERMALINK_STATUSES_SQL = `('private', 'inherit', ${[...publicStatuses].map((status) => `'${status}'`).join(', ')})`;
