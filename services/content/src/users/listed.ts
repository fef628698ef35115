/**
 * Who has published something, kept beside the rows (migrations/0041_listed_authors.sql), in the orders of lists. Whoever was noted since it
 * was written is taken from the rows themselves, in the same statement, so nothing is ever behind.
 */
import type { WholeList } from '@sevenfold/chassis/db/page';
import type { Conditions, Database } from '@sevenfold/chassis/db/sql';
import type { Log } from '@sevenfold/chassis/log';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';

type Direction = 'asc' | 'desc';

const keys = { id: 'id', name: 'name_key', slug: 'slug', url: 'url_key' } as const;
export type ListedOrder = keyof typeof keys;

type Listed = Required<Pick<WholeList, 'along' | 'beside' | 'total' | 'planFor'>>;

/** All of them but those that are left out, with their number. */
export function listedAuthors(
  conditions: Conditions,
  orderBy: ListedOrder,
  direction: Direction,
  leftOut: readonly number[] = [],
): Listed {
  const without = leftOut.length > 0 ? `${conditions.value(leftOut)}::bigint[]` : undefined;
  const butFor = (id: string): string => (without ? `${id} <> all(${without})` : 'true');
  const noted = 'select id from noted';
  // Each of the two without a condition of its own, so that PostgreSQL takes both for one table in the order of the index.
  const rows = ['listed_authors', 'anew']
    .map((table) => `select id, name_key, slug, url_key, ${table === 'anew'} as is_new from ${table}`)
    .join(' union all ');
  return {
    beside: `noted as materialized (select distinct unnest(ids) as id from author_notes),
      anew as materialized (select l.* from noted cross join lateral listed_author(noted.id) as l)`,
    along: {
      from: `from (${rows}) as l where (l.is_new or l.id not in (${noted})) and ${butFor('l.id')}`,
      id: 'l.id',
      order: [keys[orderBy], 'id'].map((key) => ({ sql: `l.${key}`, direction })),
    },
    total: `select (select n from listed_counts where kind = 'authors')
      - (select count(*) from listed_authors where id = any(array(${noted}${without ? ` union select unnest(${without})` : ''})))
      + (select count(*) from anew where ${butFor('id')})`,
    // Each row is held against all who are left out, unless PostgreSQL knows them when it plans.
    planFor: without ? 'values' : 'form',
  };
}

interface Kept {
  readonly db: Database;
  readonly log: Log;
}

// What is left waits for the next round: whoever stops the process waits for no more than these.
const AT_ONCE = 10_000;
const MOST_ROUNDS = 50;

const fold: Sweep<Kept> = {
  name: 'fold-authors',
  everySeconds: 3,
  run: async ({ db }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const taken = await db.first<{ n: number }>('select fold_authors($1) as n', [AT_ONCE]);
      if ((taken?.n ?? 0) === 0) return;
    }
  },
};

/**
 * Counted anew, for rows that came or went past the triggers; answers how many were wrong. Writers go on meanwhile: one statement sees
 * rows and notes of one moment, and nobody takes notes until this ends; who is noted is left to that.
 */
const recountAuthors = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('content:authors'))`);
    const found = await tx.first<{ n: number }>(
      `with said as materialized (
         select l.*
           from (select distinct author from posts where status = 'publish' and type in ('post', 'page')) as p
           cross join lateral listed_author(p.author) as l
       ), wrong as materialized (
         select id, s.name_key, s.slug, s.url_key, s.name_key is not null as is_there
           from said s full join listed_authors l using (id)
          where (s.name_key, s.slug, s.url_key) is distinct from (l.name_key, l.slug, l.url_key)
            and id not in (select unnest(ids) from author_notes)
       ), gone as (
         delete from listed_authors where id = any(array(select id from wrong where not is_there))
       ), put as (
         insert into listed_authors (id, name_key, slug, url_key) select id, name_key, slug, url_key from wrong where is_there
           on conflict (id) do update set name_key = excluded.name_key, slug = excluded.slug, url_key = excluded.url_key
       )
       select count(*) as n from wrong`,
    );
    // After the list itself: nobody else writes it meanwhile.
    const miscounted = await tx.run(
      `insert into listed_counts as c (kind, n) select 'authors', count(*) from listed_authors
         on conflict (kind) do update set n = excluded.n where c.n <> excluded.n`,
    );
    const wrong = (found?.n ?? 0) + miscounted;
    if (wrong > 0) await tx.run(`select tell_news('authors')`);
    return wrong;
  });

const recount: Sweep<Kept> = {
  name: 'recount-authors',
  everySeconds: 86_400,
  run: async ({ db, log }) => {
    const wrong = await recountAuthors(db);
    if (wrong > 0)
      log.warn({ wrong }, 'who has published something was not what the rows say; it was put right');
  },
};

export const listedSweeps: readonly Sweep<Kept>[] = [fold, recount];
