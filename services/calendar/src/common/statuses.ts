/** Which statuses the calendar takes: every registered one in a body (REFERENCE.md 9.4); `any` is only a word for lists. */
import { registeredStatuses } from '@sevenfold/publishing/statuses';

/** Check of the argument of bodies; empty text counts as absent. */
export const checkStatus = (status: string): string | undefined =>
  status === '' || (registeredStatuses as readonly string[]).includes(status)
    ? undefined
    : `status is not one of ${registeredStatuses.join(', ')}.`;

/** All but the trash. */
export const keptStatuses: readonly string[] = registeredStatuses.filter((status) => status !== 'trash');
