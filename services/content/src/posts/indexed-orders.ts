/** Which orders of lists of posts an index brings. */
import type { OrderKey } from '@sevenfold/chassis/db/selection';

/** Orders whose index knows which rows come first without the rows. */
const INDEXED: ReadonlySet<string> = new Set([
  'p.date_gmt',
  'p.modified_gmt',
  'p.title_key',
  'p.slug',
  'p.id',
]);

export const isIndexed = (order: readonly OrderKey[]): boolean => INDEXED.has(order[0]?.sql ?? '');
