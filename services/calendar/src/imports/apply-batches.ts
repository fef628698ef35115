/**
 * Batches of an import into the calendar: read, matched, linked and written set-based, in one transaction with the note
 * of their keys. No statement is made for a single event, and no event can fail a batch.
 */
import { systemActor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';
import { toLocal } from '@sevenfold/text/dates';
import { shorten } from '@sevenfold/text/text';
import type { AppliedBatch, ApplyBatchesRequest } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { settlePublication, sqlUtc } from '@sevenfold/publishing/dates';
import { heirOf } from '../content/departures';
import { CATEGORY, TAG } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { LONGEST } from '../events/fields';
import { type Placed, type Terms, answersOf } from './answer';
import { toAuthority } from './columns';
import { small } from './fields';
import { promiseImages } from './images';
import { ORGANIZERS, type Stamp, VENUES, link } from './link';
import { openPauses } from './pauses';
import { type ReadBatch, type ReadEvent, readBatch } from './read-batch';
import * as store from './store';
import { resolveNames } from './terms';
import { type Upserted, linkSeries, upsert } from './upsert';

/** Rights of whatever an import brings: terms may be made, HTML is cleaned. */
const importer = systemActor(['manage_imports']);

export async function applyBatches(deps: Deps, request: ApplyBatchesRequest): Promise<AppliedBatch[]> {
  const { importId, batches } = request;
  const keys = batches.map(({ key }) => key);
  const before = await store.appliedBefore(deps.db, keys);
  const zone = await deps.known.timezone();
  const now = new Date();
  const context = {
    actor: importer,
    sources: await deps.known.sources(),
    origin: request.origin,
    siteZone: zone,
    now,
    longest: LONGEST,
  };
  const pause = openPauses();
  const read: ReadBatch[] = [];
  for (const { key, eventsJson } of batches) {
    if (before.has(key)) continue;
    read.push(await readBatch(key, eventsJson, context, pause));
  }
  const terms = await termsOf(deps, importId, read);
  const stamp: Stamp = {
    author: await heirOf(deps.db, request.owner),
    origin: request.origin,
    publication: settlePublication(undefined, request.defaultStatus || 'publish', undefined, now, zone),
    modifiedLocal: toLocal(now, zone),
    modifiedUtc: sqlUtc(now),
    authority: toAuthority(request.authority),
  };
  const commit = (wanted: readonly ReadBatch[]): Promise<Map<string, AppliedBatch>> =>
    patiently(() =>
      deps.db.transaction(async (tx) => {
        // One at a time for each import: a second delivery waits here, and then finds what the first one has done.
        await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 5))', [importId]);
        const known = await store.appliedBefore(tx, keys);
        const fresh = wanted.filter(({ key }) => !known.has(key));
        const applied = await write(tx, importId, fresh, terms, stamp);
        await store.noteApplied(tx, applied);
        return new Map([...known, ...applied]);
      }),
    );
  const done = await commit(read).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    return commit(await withoutRefused(deps, importId, read, terms, stamp));
  });
  // The message of the commit reaches this process a moment later; its own next read must not wait for that.
  deps.memory.forget('events');
  deps.memory.forget('linked');
  return keys.map((key) => done.get(key) as AppliedBatch);
}

async function termsOf(deps: Deps, importId: string, read: readonly ReadBatch[]): Promise<Terms> {
  const events = read.flatMap((batch) => batch.events.map(({ event }) => event));
  const [categories, tags] = await Promise.all([
    resolveNames(
      deps,
      importer,
      importId,
      CATEGORY,
      events.flatMap((event) => event.categories ?? []),
    ),
    resolveNames(
      deps,
      importer,
      importId,
      TAG,
      events.flatMap((event) => event.tags ?? []),
    ),
  ]);
  return { categories, tags };
}

async function write(
  tx: Db,
  importId: string,
  batches: readonly ReadBatch[],
  terms: Terms,
  stamp: Stamp,
): Promise<Map<string, AppliedBatch>> {
  const events = batches.flatMap((read, batch) => read.events.map((one): Placed => ({ ...one, batch })));
  const venues = await link(
    tx,
    VENUES,
    events.flatMap(({ event }) => event.venue ?? []),
    stamp,
  );
  const organizers = await link(
    tx,
    ORGANIZERS,
    events.flatMap(({ event }) => event.organizers ?? []),
    stamp,
  );
  const rows = await upsert(
    tx,
    events.map(({ event }) => ({
      uid: event.uid,
      globalId: event.globalId,
      title: event.title,
      imageUrl: event.imageUrl,
      links: {
        global_id: event.globalId || undefined,
        image_source: event.imageUrl,
        venue_id: event.venue === null ? 0 : event.venue && venues.ids.get(event.venue),
        organizer_ids: event.organizers && idsOf(event.organizers, organizers.ids),
        category_ids: event.categories && idsOf(event.categories.map(small), terms.categories.ids),
        tag_ids: event.tags && idsOf(event.tags.map(small), terms.tags.ids),
      },
      row: event.row,
    })),
    stamp,
  );
  await linkSeries(tx, stamp, rows);
  const pictures = events.flatMap(({ event, batch }, index) => {
    const { id, newImage } = rows[index] as Upserted;
    return newImage && event.imageUrl ? [{ event, id, url: event.imageUrl, batch }] : [];
  });
  await promiseImages(tx, importId, stamp, pictures);

  const told = await toldNow(tx, importId, events, terms);
  return answersOf({ batches, events, rows, venues, organizers, terms: told, pictures });
}

/** What the import made is told by the first of its batches that names it and is kept. */
async function toldNow(tx: Db, importId: string, events: readonly Placed[], terms: Terms): Promise<Terms> {
  const { categories, tags } = terms;
  const made = events
    .flatMap(({ event }) => [
      ...idsOf((event.categories ?? []).map(small), categories.ids),
      ...idsOf((event.tags ?? []).map(small), tags.ids),
    ])
    .filter((id) => categories.created.has(id) || tags.created.has(id));
  const created = await store.notToldBefore(tx, importId, [...new Set(made)]);
  return { categories: { ...categories, created }, tags: { ...tags, created } };
}

/** PostgreSQL will not have a value, now or ever. */
const isRefusal = (error: unknown): boolean =>
  isPostgresError(error) && /^(?:22|23|54)/.test(error.code ?? '');

class Undone extends Error {}

/**
 * What nobody foresaw when reading: events that PostgreSQL refuses are found by halving, every try undone, and skipped
 * like all others that make no sense. The rest of the batch goes on.
 */
async function withoutRefused(
  deps: Deps,
  importId: string,
  batches: readonly ReadBatch[],
  terms: Terms,
  stamp: Stamp,
): Promise<ReadBatch[]> {
  const refused = new Set<ReadEvent>();
  const fits = (events: readonly ReadEvent[]): Promise<boolean> =>
    deps.db
      .transaction(async (tx): Promise<boolean> => {
        const batch = { key: '', events: events.map((event, index) => ({ index, event })), skipped: [] };
        await write(tx, importId, [batch], terms, stamp);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (error instanceof Undone) return true;
        if (isRefusal(error)) return false;
        throw error;
      });
  const sift = async (events: readonly ReadEvent[]): Promise<void> => {
    if (await fits(events)) return;
    if (events.length === 1) return void refused.add(events[0] as ReadEvent);
    const middle = Math.ceil(events.length / 2);
    await sift(events.slice(0, middle));
    await sift(events.slice(middle));
  };
  await sift(batches.flatMap(({ events }) => events.map(({ event }) => event)));
  return batches.map(({ key, events, skipped }) => ({
    key,
    events: events.filter(({ event }) => !refused.has(event)),
    skipped: [
      ...skipped,
      ...events
        .filter(({ event }) => refused.has(event))
        .map(({ index, event }) => ({
          index,
          uid: event.uid,
          title: shorten(event.title, 200),
          reason: 'It holds a value that cannot be stored.',
        })),
    ],
  }));
}

function idsOf<K>(keys: readonly K[], ids: ReadonlyMap<K, number>): number[] {
  const found: number[] = [];
  for (const key of keys) {
    const id = ids.get(key);
    if (id !== undefined && !found.includes(id)) found.push(id);
  }
  return found;
}

const MOST_TRIES = 4;
const DEADLOCK = '40P01';

/** Imports that share events, venues and slugs may meet in a circle; PostgreSQL lets one of them begin anew. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const again = isPostgresError(error) && error.code === DEADLOCK && tries < MOST_TRIES;
      if (!again) throw error;
    }
  }
}
