/**
 * Maps of links: which rows name each of the things that many name, as a bit for each id (links.ts reads them; content/migrations/0035_link_maps.sql
 * makes them, calendar/migrations/0023_link_maps.sql does so for events). What is written is noted by triggers; these sweeps write the bits.
 */
import type { Sweep } from '../queue/sweeps';
import type { Database } from './sql';

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
