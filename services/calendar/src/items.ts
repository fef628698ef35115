/**
 * The two ways to name an event, a venue or an organizer, as a table: every item route exists once for each row, with
 * the same handlers.
 */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const idArgs = {
  id: { type: 'integer', required: true, description: 'Number of the item.' },
} as const satisfies ArgTable;

export const slugArgs = {
  slug: { type: 'string', required: true, description: 'Name of the item in its address.' },
} as const satisfies ArgTable;

export const ways = [
  { by: 'id', path: '/(?P<id>[\\d]+)', args: idArgs },
  { by: 'slug', path: '/by-slug/(?P<slug>[^/]+)', args: slugArgs },
] as const;
