/** What the content service says of the site itself, kept here so that analysis never waits for it. */
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Site } from '../analysis/shape';
import type { Deps } from '../deps';
import { requestComparison } from '../indexables/compare';
import * as store from '../settings/store';

async function fetchSite({ owners, siteUrl }: Deps): Promise<Site> {
  const now = await owners.settings.getSettings({});
  return {
    title: now.title,
    tagline: now.description,
    url: siteUrl,
    language: now.language.replaceAll('_', '-') || 'en-US',
    timezone: now.timezone,
  };
}

/**
 * What is made of the site's name and address is made anew where these are others. One asks at a time: what was told first would
 * else be written down over what was told later.
 */
async function refreshSite(deps: Deps, tx: Db): Promise<void> {
  await tx.first(`select pg_advisory_xact_lock(hashtext('seo:site'))`);
  if (await store.keepSite(tx, await fetchSite(deps))) await requestComparison(tx);
}

/** Before anything is made of it for the first time. */
export async function knowSite(deps: Deps): Promise<void> {
  const { site } = await store.read(deps.db);
  if (!site) await deps.db.transaction((tx) => refreshSite(deps, tx));
}

export const siteSubscriptions: readonly Subscription<Deps>[] = [
  {
    topic: 'content.settings.changed',
    handle: ({ deps, tx }: EventCall<Deps>) => refreshSite(deps, tx),
  },
];

export const siteSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'reconcile-site',
    everySeconds: 60,
    run: (deps) => deps.db.transaction((tx) => refreshSite(deps, tx)),
  },
];
