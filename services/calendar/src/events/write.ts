/** Creating, changing and deleting events. The row, its links, the domain event and the job commit together. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Clock, type Common, follow, retrying } from '@sevenfold/publishing/course';
import { promiseAt } from '@sevenfold/publishing/due';
import { wireDate } from '../common/dates';
import { nextId } from '../common/inline';
import { publicLink } from '../common/links';
import { isShown, refuseDelete, refuseEdit } from '../common/policy';
import { settleRow, settleTrash } from '../common/settle-row';
import type { Deps } from '../deps';
import { findOrCreate } from '../linked/actions';
import type { LinkedRow } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { findMany, lockNames } from '../linked/store';
import { organizerKind } from '../organizers/kind';
import { venueKind } from '../venues/kind';
import { formatCost } from './cost';
import { withEmbeds } from './embeds';
import { eventInTrash, eventNotFound } from './errors';
import { PUBLISHING } from './names';
import { announce } from './news';
import { type EventBody, type Link, type ReadEvent, readEvent } from './read';
import * as store from './store';
import { type When, settleWhen } from './when';

const whenOf = (body: EventBody): Parameters<typeof settleWhen>[1] => ({
  timezone: body.timezone,
  allDay: body.all_day,
  start: body.start_date,
  end: body.end_date,
});

export async function createEvent(deps: Deps, body: EventBody, actor: Actor): Promise<store.EventRow> {
  const timezone = await deps.known.timezone();
  const now = new Date();
  const settle = (): When => settleWhen(undefined, whenOf(body), timezone, now);
  const read = await readEvent(deps, body, actor, { check: settle });
  const when = settle();
  // A new event without a website of its own has its page here for one.
  const { website, ...others } = read.columns;
  const columns = website ? read.columns : others;
  const sources = await deps.known.sources();
  const id = await commit(deps, read, async (tx) => {
    const eventId = await nextId(tx);
    const asked = { ...body, dates: body, title: read.columns.titleRaw ?? '' };
    const row = {
      id: eventId,
      author: actor.id,
      ...when,
      costDetails: { symbol: '', position: '', values: [], shown: [] } as const,
      ...columns,
      ...(await withEmbeds(tx, sources, read.columns)),
      ...(await findLinks(tx, { now, timezone }, read, actor)),
      ...(await settleRow(tx, { ...EVENT, id: eventId }, undefined, asked, { actor, now, timezone })),
    };
    await store.insert(tx, row);
    await after(tx, { ...row, categoryIds: row.categoryIds ?? [], tagIds: row.tagIds ?? [] });
    return eventId;
  });
  return getEvent(deps, id);
}

export async function updateEvent(
  deps: Deps,
  id: number,
  said: EventBody,
  actor: Actor,
): Promise<store.EventRow> {
  const timezone = await deps.known.timezone();
  const known = await getEvent(deps, id);
  const body = withoutAsShown(deps, said, known);
  const now = new Date();
  const read = await readEvent(deps, body, actor, {
    check: () => settleWhen(known, whenOf(body), timezone, now),
    current: known,
  });
  const sources = await deps.known.sources();
  await commit(deps, read, async (tx) => {
    // Before the event is locked: imports come to what their events are linked to first as well, and would be met half way.
    const links = await findLinks(tx, { now, timezone }, read, actor);
    await follow(tx, actor, {
      ...courseOf(id),
      refuse: (subject) => refuseEdit('event')({ actor, subject }),
      settle: async (_tx, current) => {
        const asked = { ...body, dates: body, title: read.columns.titleRaw ?? current.titleRaw };
        const changes: store.EventChanges = {
          ...settleWhen(current, whenOf(body), timezone, now),
          ...read.columns,
          ...(await withEmbeds(tx, sources, read.columns)),
          ...(await withHidden(tx, links, current, actor)),
          ...(await settleRow(tx, { ...EVENT, id }, current, asked, { actor, now, timezone })),
        };
        await store.update(tx, id, changes);
        return { ...current, ...changes };
      },
    });
  });
  return getEvent(deps, id);
}

/**
 * A client that sends back what it was shown says nothing new. Without a website that is the page here, and of prices the least and
 * the greatest, in a currency that nobody may have named.
 */
function withoutAsShown({ siteUrl, config }: Deps, body: EventBody, known: store.EventRow): EventBody {
  const isOwnPage = known.website === null && body.website === publicLink(siteUrl, 'event', known);
  const isShownCost = body.cost === formatCost(known.costDetails, config.DEFAULT_CURRENCY_SYMBOL);
  return {
    ...body,
    ...(isOwnPage && { website: undefined }),
    ...(isShownCost && { cost: undefined }),
  };
}

/** To the trash. What is there already is gone for whoever deletes it. */
export async function trashEvent(deps: Deps, id: number, actor: Actor): Promise<store.EventRow> {
  const clock = { now: new Date(), timezone: await deps.known.timezone() };
  await commit(deps, undefined, (tx) =>
    follow(tx, actor, {
      ...courseOf(id),
      refuse: (subject) => refuseDelete('event')({ actor, subject }),
      settle: async (_tx, current) => {
        if (current.status === 'trash') throw eventInTrash();
        const changes = await settleTrash(tx, EVENT.table, current, current.titleRaw, clock);
        await store.update(tx, id, changes);
        return { ...current, ...changes };
      },
    }),
  );
  return getEvent(deps, id);
}

const EVENT = { one: 'event', table: 'events' } as const;

/** What is the same for every write of an event. */
const courseOf = (id: number): Common<store.FullEventRow, Announced> => ({
  lock: (tx) => store.lockById(tx, id),
  gone: eventNotFound,
  announce: (tx, before, row) => after(tx, row, before),
});

/** A scheduled event whose moment has come; anything else is left alone, so it may be asked twice. */
export async function publishDue(tx: Db, id: number): Promise<void> {
  const current = await store.lockDue(tx, id);
  if (!current) return;
  const changes = { status: 'publish', dateChosen: true };
  await store.update(tx, id, changes);
  await after(tx, { ...current, ...changes }, current);
}

async function getEvent(deps: Deps, id: number): Promise<store.EventRow> {
  const row = await store.findById(deps.db, id);
  if (!row) throw eventNotFound();
  return row;
}

/** `read` tells whether venues or organizers may have been written, too. */
async function commit<T>(deps: Deps, read: ReadEvent | undefined, work: (tx: Db) => Promise<T>): Promise<T> {
  // The message of the commit reaches this process a moment later; its own next read must not wait for that.
  const result = await retrying(deps.db, work, () => deps.memory.forget('events'));
  const links = [...(read?.venue ? [read.venue] : []), ...(read?.organizers ?? [])];
  if (links.some((one) => 'data' in one)) deps.memory.forget('linked');
  return result;
}

interface Links {
  venueId?: number;
  organizerIds?: number[];
}

/** What a body links its event to; a venue or an organizer that it describes is found or made. */
async function findLinks(
  tx: Db,
  clock: Clock,
  { venue, organizers }: ReadEvent,
  actor: Actor,
): Promise<Links> {
  const idOf = async <R extends LinkedRow>(kind: LinkedKind<R>, one: Link): Promise<number> =>
    'id' in one ? one.id : findOrCreate(tx, clock, kind, one.data, actor);
  const links: Links = {};
  if (venue !== undefined) links.venueId = venue === null ? 0 : await idOf(venueKind, venue);
  if (organizers) {
    const names = organizers.flatMap((organizer) => ('data' in organizer ? [organizer.data.name] : []));
    if (names.length > 1) await lockNames(tx, organizerKind, names);
    const ids: number[] = [];
    for (const organizer of organizers) ids.push(await idOf(organizerKind, organizer));
    links.organizerIds = [...new Set(ids)];
  }
  return links;
}

/** What the actor was not shown stays linked: he may be sending back what he was shown. */
async function withHidden(
  tx: Db,
  { venueId, organizerIds }: Links,
  current: store.EventRow,
  actor: Actor,
): Promise<Links> {
  const changes: Links = {};
  if (venueId !== undefined)
    changes.venueId = venueId || ((await hiddenOf(tx, venueKind, [current.venueId], actor))[0] ?? 0);
  if (organizerIds) {
    const ids = [...organizerIds];
    // Each in its place: of structured data the first one is the organizer.
    for (const id of await hiddenOf(tx, organizerKind, current.organizerIds, actor))
      ids.splice(current.organizerIds.indexOf(id), 0, id);
    changes.organizerIds = [...new Set(ids)];
  }
  return changes;
}

/** In order. */
async function hiddenOf<R extends LinkedRow>(
  tx: Db,
  kind: LinkedKind<R>,
  ids: readonly number[],
  actor: Actor,
): Promise<number[]> {
  const linked = ids.filter((id) => id !== 0);
  if (linked.length === 0) return [];
  const rows = await findMany(tx, kind, linked);
  const hidden = new Set(rows.filter((row) => !isShown(actor, row)).map(({ id }) => id));
  return linked.filter((id) => hidden.has(id));
}

type Announced = Pick<store.EventRow, 'id' | 'status' | 'slug' | 'dateUtc' | 'categoryIds' | 'tagIds'>;

/** Tells the other services, and promises the publication of what is scheduled. */
async function after(tx: Db, row: Announced, before?: Announced): Promise<void> {
  const statusBefore = before?.status ?? '';
  const gone = row.status === 'trash' && statusBefore !== 'trash';
  await announce(tx, gone ? 'calendar.event.deleted' : 'calendar.event.changed', [{ ...row, statusBefore }]);
  const moved = !before || wireDate(before.dateUtc) !== wireDate(row.dateUtc) || statusBefore !== 'future';
  if (row.status === 'future' && moved) await promiseAt(tx, PUBLISHING, row.id, row.dateUtc);
}
