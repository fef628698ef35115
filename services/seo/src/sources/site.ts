/** What the content service says of the site itself, kept here so that analysis never waits for it. */
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Site } from '../analysis/shape';
import type { Deps } from '../deps';
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

/** Whether anything was new. */
const refreshSite = async (deps: Deps, tx: Db): Promise<boolean> => store.keepSite(tx, await fetchSite(deps));

export const siteSubscriptions: readonly Subscription<Deps>[] = [
  {
    topic: 'content.settings.changed',
    handle: async ({ deps, tx }: EventCall<Deps>) => void (await refreshSite(deps, tx)),
  },
];

export const siteSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'reconcile-site',
    everySeconds: 60,
    run: async (deps) => void (await refreshSite(deps, deps.db)),
  },
];
