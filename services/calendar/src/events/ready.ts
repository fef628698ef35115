/**
 * Events as JSON text in memory: making one, with all it is linked to, costs far more than finding it. A text belongs
 * to one version of a row (the transaction that wrote it), so a changed event is never shown as it was; it is dropped
 * when a venue, an organizer or anything known of the content service changes, and lives for seconds in any case.
 */
import type { Memory } from '../common/memory';
import type { Deps } from '../deps';
import { presentEvents } from './presenter';
import * as store from './store';

/** As long as terms and their counts count as fresh. */
const LIFETIME_MS = 10_000;
const MOST = 5_000;

export const openReady = (memory: Memory): Deps['ready'] =>
  memory.cache(['linked', 'known'], { lifetimeMs: LIFETIME_MS, most: MOST });

/**
 * Texts of the events, in the order asked for; `single` as for presentEvents. Undefined when the event has become another
 * version since it was found: whoever asks looks again, with the rights that count for what it is now.
 */
export async function eventTexts(
  deps: Deps,
  listed: readonly store.EventVersion[],
  single = false,
): Promise<readonly (string | undefined)[]> {
  const missing: store.EventVersion[] = [];
  // All that is missing is made at once, after the whole list has been looked through.
  const made = Promise.resolve().then(() => makeTexts(deps, missing, single));
  return Promise.all(
    listed.map((event) =>
      deps.ready.get(`${event.id} ${event.version} ${single}`, () => {
        missing.push(event);
        return made.then((byId) => byId.get(event.id));
      }),
    ),
  );
}

async function makeTexts(
  deps: Deps,
  events: readonly store.EventVersion[],
  single: boolean,
): Promise<ReadonlyMap<number, string>> {
  if (events.length === 0) return new Map();
  const versions = new Map(events.map(({ id, version }) => [id, version]));
  const found = await store.findVersions(deps.db, [...versions.keys()]);
  const rows = found.filter(({ id, version }) => version === versions.get(id));
  const items = await presentEvents(deps, rows, single);
  return new Map(rows.map(({ id }, index) => [id, JSON.stringify(items[index])]));
}
