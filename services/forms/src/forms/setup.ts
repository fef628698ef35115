/** The first form of a site, so that a newcomer has one to look at. Runs at every start of every replica. */
import { slugify } from '@sevenfold/text/slug';
import type { Deps } from '../deps';
import * as store from './store';
import { newForm } from './write';

const TITLE = 'Contact form 1';

export async function ensureFirstForm({ db, siteUrl }: Pick<Deps, 'db' | 'siteUrl'>): Promise<void> {
  if (await store.hasAny(db)) return;
  await db.transaction(async (tx) => {
    const slug = slugify(TITLE);
    // Waits for a replica that starts at the same time.
    await store.takenSlugs(tx, slug);
    if (!(await store.hasAny(tx))) await store.insert(tx, slug, { ...newForm(siteUrl), title: TITLE });
  });
}
