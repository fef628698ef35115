/**
 * Maps of links: which rows name each of the things that many name, as a bit for each id (links.ts reads them; content/migrations/0035_link_maps.sql
 * makes them, calendar/migrations/0023_link_maps.sql does so for events). What is written is noted by triggers; these sweeps write the bits.
 */
import type { Sweep } from '../queue/sweeps';
import { bitsOr } from './id-sets';
import type { Links } from './links';
import type { Database, Db } from './sql';

/** From here on the links of a thing take ten times the room of its map, and the time to read them many times that. */
const MANY = 5_000;

// A note of an import names a thousand rows. What is left waits for the next round: whoever stops the process waits for no more than these.
const AT_ONCE = 50;
const MOST_ROUNDS = 50;

const fold: Sweep<{ readonly db: Database }> = {
  name: 'fold-links',
  everySeconds: 3,
  run: async ({ db }) => {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const taken = await db.first<{ n: number }>('select fold_links($1) as n', [AT_ONCE]);
      if ((taken?.n ?? 0) < AT_ONCE) return;
    }
  },
};

/**
 * Bits that are not what the rows say are put right, for rows that came or went past the triggers; answers in how many chunks. Whoever
 * calls it keeps others from folding: what is noted, or changes meanwhile, is left to them.
 */
export const recountMaps = (tx: Db, { list, rows, names }: Links): Promise<number> =>
  tx.run(
    `with said as (
       select target, id >> 13 as chunk, bit_or(link_bit(id)) as bits
         from (select id, unnest(${names}) as target from ${rows}) as r
        where target in (select target from mapped_links where list = $1)
        group by 1, 2
     ), known as (
       select target, chunk, bits from link_maps where list = $1
     ), noted as (
       select id >> 13 as chunk, bit_or(link_bit(id)) as bits
         from (select unnest(ids) as id from link_notes) as n group by 1
     )
     insert into link_maps (list, target, chunk, bits)
       select $1, target, chunk, bits
         from (
           select target, chunk, k.bits as known,
                  (${bitsOr('s.bits')} & ~${bitsOr('n.bits')})
                  | (${bitsOr('k.bits')} & ${bitsOr('n.bits')}) as bits
             from said s full join known k using (target, chunk) left join noted n using (chunk)) as counted
        where bits <> ${bitsOr('known')}
       on conflict (list, target, chunk) do update set bits = excluded.bits`,
    [list],
  );

export const linkSweeps: readonly Sweep<{ readonly db: Database }>[] = [
  fold,
  {
    // Counts all links, which is a second where there are ten million.
    name: 'map-links',
    everySeconds: 600,
    run: async ({ db }) => {
      for (let round = 0; round < MOST_ROUNDS; round++) {
        const given = await db.first<{ n: number }>('select map_links($1) as n', [MANY]);
        if ((given?.n ?? 0) === 0) return;
      }
    },
  },
];
