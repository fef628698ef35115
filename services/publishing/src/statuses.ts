/**
 * The statuses of published things (INTERFACE.md part 3): which exist, which may be written and asked for, and what
 * follows from them. Which of them a service takes in a body is its own business.
 */
const importStatuses = [
  'calendar-ea-success',
  'calendar-ea-failed',
  'calendar-ea-schedule',
  'calendar-ea-pending',
  'calendar-ea-draft',
] as const;

export const writableStatuses = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  ...importStatuses,
  'calendar-ignored',
] as const;

export const registeredStatuses = [
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
  ...importStatuses,
  'calendar-ignored',
] as const;

/** What the `status` of a list may name; `any` is only a word for lists. */
export const filterableStatuses = [...registeredStatuses, 'any'] as const;

/** What `any` stands for: everything but the trash and states of the machinery. */
export const anyStatuses: readonly string[] = [...writableStatuses, 'inherit'];

/** Shown to everybody. What an import brought behaves as published (REFERENCE.md 3.4). */
export const publicStatuses: readonly string[] = ['publish', ...importStatuses];

/** To change or delete such a thing takes the right over published ones. */
export const publishedStatuses: readonly string[] = [...publicStatuses, 'future'];

export const isPublic = (status: string): boolean => publicStatuses.includes(status);

/** Not yet anything a visitor could link to: the date may still be open. */
export const unfinishedStatuses: readonly string[] = ['draft', 'pending', 'auto-draft'];
export const isUnfinished = (status: string): boolean => unfinishedStatuses.includes(status);

/** Whoever may not publish sets drafts and what waits for review, nothing else; the trash is a matter of deleting. */
export const needsPublishRight = (status: string): boolean => !isUnfinished(status) && status !== 'trash';

/** Whether the thing has its readable address; otherwise its link is the form with the id. */
export const permalinkStatuses: readonly string[] = [...publicStatuses, 'private'];
export const hasPermalink = (status: string): boolean => permalinkStatuses.includes(status);

/** `('publish', 'future')`: words of our own, so they may stand in the text of SQL, where partial indexes can match them. */
export const sqlWords = (statuses: readonly string[]): string =>
  `(${statuses.map((status) => `'${status}'`).join(', ')})`;
