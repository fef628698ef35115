/** Searches of posts, as what runs searches takes them. */
import type { Finder } from '@sevenfold/chassis/db/list';
import type { OrderKey, Selection } from '@sevenfold/chassis/db/selection';
import { finderOf } from '@sevenfold/chassis/db/run-search';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { SearchOf } from './list';
import { isIndexed } from './indexed-orders';

const newestFirst: readonly OrderKey[] = [
  { sql: 'p.date_gmt', direction: 'desc' },
  { sql: 'p.id', direction: 'desc' },
];

/** The ids of a search, for `chassis/db/list.ts`. */
export const searchOf = (db: Db, selection: Selection, searched: SearchOf): Finder =>
  finderOf(db, {
    ...selection,
    ...searched,
    indexed: isIndexed(selection.order),
    first: newestFirst,
    text: 'p.search_text',
  });
