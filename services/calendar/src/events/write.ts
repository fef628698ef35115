/** Creating, changing and deleting events. The row, its links, the domain event and the job commit together. */
import type { Actor } from '@sevenfold/chassis/actor';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { ApiError, mapConstraint } from '@sevenfold/chassis/errors';
import { denied } from '@sevenfold/chassis/http/allow';
import { toLocal } from '@sevenfold/text/dates';
import { fromSqlUtc, settlePublication, sqlUtc } from '@sevenfold/publishing/dates';
import { wireDate, wantedDate } from '../common/dates';
import { nextId } from '../common/inline';
import { mayDelete, mayEdit } from '../common/policy';
import { settleSlug } from '../common/slugs';
import { scaleStatus } from '../common/status-scaling';
import type { Deps } from '../deps';
import { findOrCreateOrganizer, lockOrganizers } from '../organizers/actions';
import { findOrCreateVenue } from '../venues/actions';
import { eventInTrash, eventNotFound } from './errors';
import { PUBLISH_EVENT, QUEUE } from './names';
import { announce } from './news';
import { type Asker, type EventBody, type ReadEvent, readEvent } from './read';
import * as store from './store';
import { type When, settleWhen } from './when';

const whenOf = (body: EventBody): Parameters<typeof settleWhen>[1] => ({
  timezone: body.timezone,
  allDay: body.all_day,
  start: body.start_date,
  end: body.end_date,
});

export async function createEvent(deps: Deps, body: EventBody, asker: Asker): Promise<store.EventRow> {
  const { actor } = asker;
  const timezone = await deps.known.timezone();
  const now = new Date();
  const publication = settlePublication(
    undefined,
    scaleStatus(actor, body.status),
    wantedDate(body, timezone, now),
    now,
    timezone,
  );
  const settle = (): When => settleWhen(undefined, whenOf(body), timezone, now);
  const read = await readEvent(deps, body, asker, settle);
  const when = settle();
  const id = await commit(deps, read, async (tx) => {
    const eventId = await nextId(tx);
    const title = read.columns.titleRaw ?? '';
    const row = {
      id: eventId,
      author: actor.id,
      ...publication,
      statusBeforeTrash: publication.status === 'trash' ? 'draft' : '',
      modifiedLocal: toLocal(now, timezone),
      modifiedUtc: sqlUtc(now),
      ...when,
      costDetails: { symbol: '', position: '', values: [], shown: [] } as const,
      ...read.columns,
      ...(await link(tx, deps, read, actor)),
      slug: await settleSlug(
        tx,
        { table: 'events', id: eventId },
        { status: publication.status, asked: body.slug, title },
      ),
    };
    await store.insert(tx, row);
    await after(tx, { ...row, categoryIds: row.categoryIds ?? [], tagIds: row.tagIds ?? [] }, '');
    return eventId;
  });
  return getEvent(deps, id);
}

/** The one who asks was found to be allowed by what the row was; by now it may be something else. */
export async function updateEvent(
  deps: Deps,
  id: number,
  body: EventBody,
  asker: Asker,
): Promise<store.EventRow> {
  const { actor } = asker;
  const timezone = await deps.known.timezone();
  const known = await getEvent(deps, id);
  const now = new Date();
  const read = await readEvent(deps, body, asker, () => settleWhen(known, whenOf(body), timezone, now));
  await commit(deps, read, async (tx) => {
    const current = await lock(tx, id);
    refuse(mayEdit('event')({ actor, subject: current }), actor);
    const publication = settlePublication(
      current,
      scaleStatus(actor, body.status, current),
      wantedDate(body, timezone, now),
      now,
      timezone,
    );
    const { status } = publication;
    if (status === 'trash' && current.status !== 'trash')
      refuse(mayDelete('event')({ actor, subject: current }), actor);
    const changes: store.EventChanges = {
      ...publication,
      statusBeforeTrash: beforeTrash(current, status),
      modifiedLocal: toLocal(now, timezone),
      modifiedUtc: sqlUtc(now),
      ...settleWhen(current, whenOf(body), timezone, now),
      ...read.columns,
      ...(await link(tx, deps, read, actor)),
      slug: await settleSlug(
        tx,
        { table: 'events', id },
        { current, status, asked: body.slug, title: read.columns.titleRaw ?? current.titleRaw },
      ),
    };
    await store.update(tx, id, changes);
    await after(tx, { ...current, ...changes }, current.status, current);
  });
  return getEvent(deps, id);
}

/** To the trash. What is there already is gone for whoever deletes it. */
export async function trashEvent(deps: Deps, id: number, actor: Actor): Promise<store.EventRow> {
  const timezone = await deps.known.timezone();
  const now = new Date();
  await commit(deps, undefined, async (tx) => {
    const current = await lock(tx, id);
    refuse(mayDelete('event')({ actor, subject: current }), actor);
    if (current.status === 'trash') throw eventInTrash();
    const changes = {
      status: 'trash',
      statusBeforeTrash: current.status,
      modifiedLocal: toLocal(now, timezone),
      modifiedUtc: sqlUtc(now),
      slug: await settleSlug(
        tx,
        { table: 'events', id },
        { current, status: 'trash', title: current.titleRaw },
      ),
    };
    await store.update(tx, id, changes);
    await after(tx, { ...current, ...changes }, current.status, current);
  });
  return getEvent(deps, id);
}

/** A scheduled event whose moment has come; anything else is left alone, so it may be asked twice. */
export async function publishDue(tx: Db, id: number): Promise<void> {
  const current = await store.lockById(tx, id);
  if (current?.status !== 'future') return;
  if (fromSqlUtc(current.dateUtc).getTime() > Date.now()) return;
  const slug = await settleSlug(
    tx,
    { table: 'events', id },
    { current, status: 'publish', title: current.titleRaw },
  );
  const changes = { status: 'publish', dateChosen: true, slug };
  await store.update(tx, id, changes);
  await after(tx, { ...current, ...changes }, 'future', current);
}

async function getEvent(deps: Deps, id: number): Promise<store.EventRow> {
  const row = await store.findById(deps.db, id);
  if (!row) throw eventNotFound();
  return row;
}

async function lock(tx: Db, id: number): Promise<store.FullEventRow> {
  const row = await store.lockById(tx, id);
  if (!row) throw eventNotFound();
  return row;
}

function refuse(denial: Parameters<typeof denied>[0] | undefined, actor: Actor): void {
  if (denial) throw denied(denial, actor);
}

const beforeTrash = (current: store.EventRow, status: string): string =>
  status !== 'trash' ? '' : current.status === 'trash' ? current.statusBeforeTrash : current.status;

/** `read` tells whether venues or organizers may have been written, too. */
async function commit<T>(deps: Deps, read: ReadEvent | undefined, work: (tx: Db) => Promise<T>): Promise<T> {
  const result = await mapConstraint({ events_slug: slugTaken }, () => deps.db.transaction(work));
  // The message of the commit reaches this process a moment later; its own next read must not wait for that.
  deps.memory.forget('events');
  const links = [...(read?.venue ? [read.venue] : []), ...(read?.organizers ?? [])];
  if (links.some((one) => 'data' in one)) deps.memory.forget('linked');
  return result;
}

const slugTaken = (): ApiError =>
  new ApiError('conflict', 409, 'Another event took this slug at the same time. Try again.');

async function link(tx: Db, deps: Deps, read: ReadEvent, actor: Actor): Promise<store.EventChanges> {
  const changes: { venueId?: number; organizerIds?: number[] } = {};
  if (read.venue !== undefined)
    changes.venueId =
      read.venue === null
        ? 0
        : 'id' in read.venue
          ? read.venue.id
          : await findOrCreateVenue(tx, deps, read.venue.data, actor);
  if (read.organizers) {
    const ids: number[] = [];
    const named = read.organizers.flatMap((organizer) => ('data' in organizer ? [organizer.data] : []));
    if (named.length > 1) await lockOrganizers(tx, named);
    for (const organizer of read.organizers)
      ids.push(
        'id' in organizer ? organizer.id : await findOrCreateOrganizer(tx, deps, organizer.data, actor),
      );
    changes.organizerIds = [...new Set(ids)];
  }
  return changes;
}

type Announced = Pick<store.EventRow, 'id' | 'status' | 'dateUtc' | 'categoryIds' | 'tagIds'>;

/** Tells the other services, and promises the publication of what is scheduled. */
async function after(tx: Db, row: Announced, statusBefore: string, before?: Announced): Promise<void> {
  const gone = row.status === 'trash' && statusBefore !== 'trash';
  await announce(tx, gone ? 'calendar.event.deleted' : 'calendar.event.changed', [{ ...row, statusBefore }]);
  const moved = !before || wireDate(before.dateUtc) !== wireDate(row.dateUtc) || statusBefore !== 'future';
  if (row.status === 'future' && moved)
    await enqueue(tx, QUEUE, PUBLISH_EVENT, { id: row.id }, { runAt: fromSqlUtc(row.dateUtc) });
}
