/**
 * What lists of strangers count and pass by, kept beside the rows (migrations/0021_listings.sql): which venues and organizers
 * are published and when the last of their events ends, how many they are, and how many published events begin on each day.
 * What was noted since it was written is taken from the rows themselves, in the same statement, so nothing is ever behind.
 */
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { WholeList } from '@sevenfold/chassis/db/page';
import type { Deps } from '../deps';

type Many = 'venues' | 'organizers';

interface Kind {
  readonly one: 'venue' | 'organizer';
  readonly many: Many;
}

/** SQL of the number of the published ones. */
export const numberListed = (many: Many): string =>
  `((select n from listed_counts where kind = '${many}') + (select coalesce(sum(more_${many}), 0) from listing_notes))::bigint`;

/** SQL of the number of published events that begin on the days from one to the other, both included. */
export function numberBegun(from: string, to: string): string {
  const inside = `day between ${from}::timestamp::date and ${to}::timestamp::date`;
  // Taken apart where they are selected: as a table for each note they take twice as long.
  const noted = (days: string): string =>
    `(select count(*) from (select unnest(${days}) as day from listing_notes where ${days} <> '{}') as noted where ${inside})`;
  return `(select coalesce(sum(n), 0) from event_days where ${inside})::bigint + ${noted('days')} - ${noted('gone_days')}`;
}

interface Used {
  /** Whether they have a published event; undefined: whatever they have. */
  readonly any?: boolean;
  /** Only those of which one is not over. */
  readonly upcoming: boolean;
}

/** The published ones by their events, newest first: what an index alone brings, with their number. */
export function listed(
  { one, many }: Kind,
  { any, upcoming }: Used,
): Pick<WholeList, 'along' | 'beside' | 'total'> {
  const among = 'select id from noted';
  // Each of the two without a condition of its own, so that PostgreSQL takes both for one table in the order of the index.
  const rows = `(
    select s.id, s.date_utc, s.last_end, false as is_new from listed_${many} s
    union all
    select a.id, a.date_utc, a.last_end, true from anew a) as l`;
  const parts = [
    `(l.is_new or l.id not in (${among}))`,
    ...(any === undefined ? [] : [`l.last_end is ${any ? 'not ' : ''}null`]),
    ...(upcoming ? ['l.last_end >= now()'] : []),
  ];
  const from = `from ${rows} where ${parts.join(' and ')}`;
  const used = `(select used from listed_counts where kind = '${many}')
    - (select count(s.last_end) from listed_${many} s where s.id in (${among})) + (select count(last_end) from anew)`;
  const counted = any === false ? `${numberListed(many)} - (${used})` : used;
  return {
    beside: `noted as materialized (select distinct unnest(${many}) as id from listing_notes),
      anew as materialized (select * from ${one}_listings(array(${among})))`,
    along: {
      from,
      id: 'l.id',
      order: ['l.date_utc', 'l.id'].map((sql) => ({ sql, direction: 'desc' as const })),
    },
    total: upcoming ? `select count(*) ${from}` : `select ${counted}`,
  };
}

// What is left waits for the next round of the loop: a round's rows are written in one statement, which has to end in time, and a note
// of an import names a thousand venues and organizers.
const AT_ONCE = 100;
// And whoever stops the process waits for no more rounds than these.
const MOST_ROUNDS = 50;

export const listingSweep: Sweep<Deps> = {
  name: 'fold-listings',
  everySeconds: 3,
  run: async ({ db }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const taken = await db.first<{ n: number }>('select fold_listings($1) as n', [AT_ONCE]);
      if ((taken?.n ?? 0) < AT_ONCE) return;
    }
  },
};
