/**
 * Events as JSON text in memory: making one, with all it is linked to, costs far more than finding it. A text belongs
 * to one version of a row (the transaction that wrote it), so a changed event is never shown as it was; it is dropped
 * when a venue, an organizer or anything known of the content service changes, and lives for seconds in any case. What
 * strangers see serves everybody as long as all that the event is linked to is public; otherwise each reader has texts
 * of his own.
 */
import { type Actor, isLoggedIn, stranger } from '@sevenfold/chassis/actor';
import { getMany, placesOfText } from '@sevenfold/chassis/db/memory';
import { LONG_ROW_BYTES } from '@sevenfold/chassis/http/ready';
import type { CalendarMemory } from '../memory';
import type { Deps } from '../deps';
import { canRead } from '../common/policy';
import { presentEvents, showEvents } from './presenter';
import { type LateText, type ReadyText, isLate } from './ready-text';
import * as store from './store';

/** As long as terms and their counts count as fresh. */
const LIFETIME_MS = 10_000;
const MOST = 5_000;

export const openReady = (memory: CalendarMemory): Deps['ready'] =>
  memory.cache(['linked', 'known'], {
    lifetimeMs: LIFETIME_MS,
    most: MOST,
    placesOf: (one) => (one && !isLate(one) ? placesOfText(one.text.length) : 1),
  });

type Text = ReadyText | LateText | undefined;

/**
 * Texts of the events as the reader may see them, in the order asked for; `single` as for presentEvents. Undefined when
 * the event has become another version since it was found: whoever asks looks again, with the rights that count for
 * what it is now. Long ones of many are late (ready-text.ts); of one by itself none is.
 */
export function eventTexts(
  deps: Deps,
  listed: readonly store.EventVersion[],
  actor: Actor,
  single: true,
): Promise<readonly (ReadyText | undefined)[]>;
export function eventTexts(
  deps: Deps,
  listed: readonly store.EventVersion[],
  actor: Actor,
): Promise<readonly Text[]>;
export async function eventTexts(
  deps: Deps,
  listed: readonly store.EventVersion[],
  actor: Actor,
  single = false,
): Promise<readonly Text[]> {
  const common = await remembered(deps, listed, stranger, single);
  const isOthers = (text: Text): boolean => text !== undefined && !isLate(text) && !text.sameForAll;
  const own = isLoggedIn(actor) ? listed.filter((_, index) => isOthers(common[index])) : [];
  const texts = new Map(common.map((ready, index) => [listed[index]?.id, ready]));
  const mine = own.length === 0 ? [] : await remembered(deps, own, actor, single);
  own.forEach(({ id }, index) => texts.set(id, mine[index]));
  return listed.map(({ id }) => texts.get(id));
}

function remembered(
  deps: Deps,
  listed: readonly store.EventVersion[],
  reader: Actor,
  single: boolean,
): Promise<readonly Text[]> {
  const who = keyOf(reader);
  const keyOfText = (event: store.EventVersion): string => `${event.id} ${event.version} ${single} ${who}`;
  return getMany(deps.ready, listed, keyOfText, (missing) =>
    makeTexts(deps, missing, reader, single, keyOfText),
  );
}

/** Rights may change while a text is remembered: it belongs to the user with the rights he had. */
const keyOf = ({ id, capabilities }: Actor): string =>
  id === 0 && capabilities.size === 0 ? '' : `${id} ${[...capabilities].sort().join()}`;

async function makeTexts(
  deps: Deps,
  events: readonly store.EventVersion[],
  reader: Actor,
  single: boolean,
  keyOfText: (event: store.EventVersion) => string,
): Promise<ReadonlyMap<string, ReadyText | LateText>> {
  const versions = new Map(events.map(({ id, version }) => [id, version]));
  const most = single ? Number.MAX_SAFE_INTEGER : LONG_ROW_BYTES;
  const found = (await store.findVersions(deps.db, [...versions.keys()], most)).filter(
    ({ id, version }) => version === versions.get(id),
  );
  const rows = found.flatMap(({ row }) => row ?? []);
  const shown = await showEvents(deps, rows, reader, single);
  const texts = new Map<number, ReadyText | LateText>(
    shown.map(({ item, sameForAll, tags }, index) => [
      (rows[index] as store.EventRow).id,
      { text: JSON.stringify(item), sameForAll, tags },
    ]),
  );
  return new Map(found.map((one) => [keyOfText(one), texts.get(one.id) ?? LATE]));
}

const LATE: LateText = { isLate: true };

/** By itself, as it is now; undefined where it became what the reader may not see. */
export async function lateEvent(
  deps: Deps,
  listed: store.EventVersion,
  reader: Actor,
): Promise<object | undefined> {
  const [found] = await store.findVersions(deps.db, [listed.id], Number.MAX_SAFE_INTEGER);
  if (!found?.row) return undefined;
  const { row, version } = found;
  if (version !== listed.version && (row.status === 'trash' || !canRead(reader, row))) return undefined;
  return (await presentEvents(deps, [row], reader))[0];
}
