/**
 * The two ways to name an event, a venue or an organizer, as a table: every item route exists once for each row, with
 * the same handlers.
 */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArg, reducedPageArgs } from '@sevenfold/chassis/http/common-args';

export const idArgs = {
  // Clients know it as required here, other than in core/v2.
  id: { ...idArg('item'), required: true },
} as const satisfies ArgTable;

/** Lists of this namespace have at most 50 on a page. */
export const listPageArgs = (things: string): ReturnType<typeof reducedPageArgs> =>
  reducedPageArgs(things, 50);

export const slugArgs = {
  slug: { type: 'string', required: true, description: 'Name of the item in its address.' },
} as const satisfies ArgTable;

export const ways = [
  { by: 'id', path: '/(?P<id>[\\d]+)', args: idArgs },
  { by: 'slug', path: '/by-slug/(?P<slug>[^/]+)', args: slugArgs },
] as const;
