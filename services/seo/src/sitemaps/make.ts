/**
 * Making sitemaps: each once after what it shows has changed, by whoever comes first: the worker in its rounds, or a request
 * for that one. Costs as much as the objects of one sitemap, however large the site is.
 */
import { createHash } from 'node:crypto';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as store from './store';
import { renderSitemap } from './xml';

/** Of an entry so many pictures, and of all so many bytes: fits into one message between services, and into what search engines take (50 MB). */
export const MOST = { images: 20, bytes: 12 * 1024 * 1024 };

export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Where somebody else is at it: waits for him if `mustWait`, else leaves it as it is. Answers whether it was made. */
export const make = (
  { db, log }: Pick<Deps, 'db' | 'log'>,
  place: store.Place,
  mustWait = false,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (mustWait) await store.lock(tx, place);
    else if (!(await store.tryLock(tx, place))) return false;
    await remake(tx, place, log);
    return true;
  });

async function remake(tx: Db, place: store.Place, log: Deps['log']): Promise<void> {
  // He who had it before may have made it from the same changes.
  if ((await store.takeChanges(tx, place)) === 0) return;
  const { body, entries, left } = renderSitemap(await store.listEntries(tx, place, MOST), MOST.bytes);
  if (left > 0) log.warn({ ...place, left }, 'a sitemap has no room for all of its entries');
  await store.keep(tx, place, { body, entries, digest: digestOf(body) });
}

/** At most so many of those that are stale; answers how many it looked at. */
export async function makeStale(deps: Pick<Deps, 'db' | 'log'>, most: number): Promise<number> {
  const stale = await store.listStale(deps.db, most);
  for (const place of stale) await make(deps, place);
  return stale.length;
}

const IN_A_ROUND = 200;

export const sitemapSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'make-sitemaps',
    everySeconds: 5,
    run: async (deps) => void (await makeStale(deps, IN_A_ROUND)),
  },
];
