/** Arguments of the calendar as a file: those of the list over HTTP, with more on a page, since few who subscribe ask for a second one. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { reducedPageArgs } from '@sevenfold/chassis/http/common-args';
import { listArgs } from '../events/schema';

const MOST_IN_A_FILE = 250;

const pages = reducedPageArgs('events', MOST_IN_A_FILE);

export const feedArgs = {
  ...listArgs,
  ...pages,
  per_page: { ...pages.per_page, default: MOST_IN_A_FILE },
} as const satisfies ArgTable;
