/** Rows to be searched for, for test/src/rules/searches.test.ts. */
import { type Searched, dates, rows } from '@sevenfold/chassis/testing/searched';

export const searched: Record<string, Searched> = {
  events: {
    table: 'events',
    query: '&start_date=2019-01-01&end_date=2030-01-01',
    insert: `insert into events (status, slug, date_local, date_utc, modified_local, modified_utc, title_raw, title_html, cost_details, timezone,
             start_local, end_local, start_utc, end_utc)
      select 'publish', 'x' || n, ${dates}, $3 || ' needle', 'x', '{"symbol":"","position":"","values":[],"shown":[]}', 'UTC', ${dates} ${rows}`,
  },
};
