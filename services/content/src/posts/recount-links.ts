/**
 * Maps of links (chassis/db/link-maps.ts) counted anew: rows that somebody emptied with `truncate`, or put back past the triggers,
 * leave no notes, and nothing else would ever see that it is wrong.
 */
import { recountMaps } from '@sevenfold/chassis/db/link-maps';
import type { Database } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { linksOf } from './track';

/** Answers how many chunks were wrong. Nobody folds notes meanwhile; writers go on. */
const recount = (db: Database): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtext('content:links'))`);
    const wrong = (await recountMaps(tx, linksOf('categories'))) + (await recountMaps(tx, linksOf('tags')));
    if (wrong > 0) await tx.run(`select pg_notify('posts', ''), tell_news('post')`);
    return wrong;
  });

export const recountSweep: Sweep<Pick<Deps, 'db' | 'log'>> = {
  name: 'recount-links',
  everySeconds: 86_400,
  run: async ({ db, log }) => {
    const maps = await recount(db);
    if (maps > 0) log.warn({ maps }, 'maps of links were not what the rows say; they were put right');
  },
};
