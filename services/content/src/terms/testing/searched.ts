/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, rows } from '@sevenfold/chassis/testing/searched';

const terms = (taxonomy: string): string =>
  `insert into terms (taxonomy, name, slug) select '${taxonomy}', $3 || ' needle ' || n, '${taxonomy}-' || n ${rows}`;

export const searched: Record<string, Searched> = {
  categories: { table: 'terms', insert: terms('category') },
  tags: { table: 'terms', insert: terms('post_tag') },
};
