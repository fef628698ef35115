/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, dates, rows } from '@sevenfold/chassis/testing/searched';

const linked = (table: string): string =>
  `insert into ${table} (status, slug, date_local, date_utc, modified_local, modified_utc, name)
   select 'publish', 'x' || n, ${dates}, $3 || ' needle' ${rows}`;

export const searched: Record<string, Searched> = {
  venues: { table: 'venues', insert: linked('venues') },
  organizers: { table: 'organizers', insert: linked('organizers') },
};
