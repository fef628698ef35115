/**
 * Statuses of events, venues and organizers (INTERFACE.md part 3). The calendar takes every registered status in a body
 * (REFERENCE.md 9.4); `any` is only a word for lists.
 */
const importStatuses = [
  'calendar-ea-success',
  'calendar-ea-failed',
  'calendar-ea-schedule',
  'calendar-ea-pending',
  'calendar-ea-draft',
] as const;

const registeredStatuses: readonly string[] = [
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
];

/** Check of the argument of bodies; empty text counts as absent. */
export const checkStatus = (status: string): string | undefined =>
  status === '' || registeredStatuses.includes(status)
    ? undefined
    : `status is not one of ${registeredStatuses.join(', ')}.`;

/** What the `status` of a list may name. */
export const filterableStatuses: readonly string[] = [...registeredStatuses, 'any'];

/** What `any`, and a list without `status`, stands for: everything but the trash and states of the machinery. */
export const anyStatuses: readonly string[] = [
  'publish',
  'future',
  'draft',
  'pending',
  'private',
  ...importStatuses,
  'calendar-ignored',
  'inherit',
];

/** All but the trash. */
export const keptStatuses: readonly string[] = registeredStatuses.filter((status) => status !== 'trash');

const publicStatuses: ReadonlySet<string> = new Set(['publish', ...importStatuses]);

/** Shown to everybody. */
export const isPublic = (status: string): boolean => publicStatuses.has(status);

/** Only somebody who may publish may set it; what would show it to the world, now or later, or hide it from editors. */
export const needsPublishRight = (status: string): boolean =>
  isPublic(status) || status === 'future' || status === 'private' || status === 'inherit';

/** Not yet anything a visitor could link to: the slug and the date may still be open. */
export const isUnfinished = (status: string): boolean =>
  status === 'draft' || status === 'pending' || status === 'auto-draft';

/** Whether the thing has its readable address; otherwise its link is the form with the id. */
export const hasPermalink = (status: string): boolean => isPublic(status) || status === 'private';
