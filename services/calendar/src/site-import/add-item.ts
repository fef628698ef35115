/**
 * One event, venue or organizer of another site: its number, its row and the note of what it is, in one transaction.
 * Unlike what single writes and imports of events bring, a venue of the same name is another one: the site had both.
 */
import { type ApiError, isPostgresError } from '@sevenfold/chassis/errors';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { AddItemRequest, AddItemResponse } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { retrying } from '@sevenfold/publishing/course';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { promiseAt } from '@sevenfold/publishing/due';
import { claim, isKeepable, isTaken } from '@sevenfold/publishing/kept-ids';
import { uniqueSlug } from '@sevenfold/publishing/slugs';
import { slugify, trashedSlug } from '@sevenfold/text/slug';
import { inTurns } from '@sevenfold/text/steps';
import { nextId } from '../common/inline';
import type { Deps } from '../deps';
import { apiError } from '../errors';
import { PUBLISHING } from '../events/names';
import { tell } from './news';
import { type Read, readingItem } from './read-item';
import * as store from './store';

export async function addItem(deps: Deps, request: AddItemRequest): Promise<AddItemResponse> {
  const { site, foreignId } = request;
  const kind = kindOf(request.kind);
  const timezone = await deps.known.timezone();
  const sources = await deps.known.sources();
  const read = await inTurns(readingItem(kind, request, { siteZone: timezone, sources }));
  if (typeof read === 'string') throw refused(read);
  try {
    return await retrying(
      deps.db,
      async (tx) => {
        const known = await store.lockMoved(tx, site, foreignId);
        const row = known && (await store.lockRow(tx, kind, known.id));
        if (row) return update(tx, kind, { ...row, leftUtc: known.leftUtc }, request, read);
        const id = await numberOf(tx, request);
        await write(tx, kind, id, request, read);
        return { id, created: true, changedHere: false };
      },
      () => deps.memory.forget(kind === 'event' ? 'events' : 'linked'),
    );
  } catch (error) {
    // What nobody foresaw when reading: a value that PostgreSQL will not have, now or ever.
    if (isPostgresError(error) && /^(?:22|23|54)/.test(error.code ?? ''))
      throw refused('It holds a value that cannot be stored.', error);
    throw error;
  }
}

const refused = (reason: string, cause?: unknown): ApiError =>
  apiError('rest_invalid_param', 400, reason, { cause });

export function kindOf(kind: string): store.Kind {
  if (kind === 'event' || kind === 'venue' || kind === 'organizer') return kind;
  throw refused(`${kind} is no kind of the calendar.`);
}

/** The one that is wanted where it is free; an odd one was claimed from the service whose numbers they are. */
async function numberOf(tx: Db, { id, site, foreignId }: AddItemRequest): Promise<number> {
  if (!isKeepable(id)) return nextId(tx);
  const holder = `${site}#${foreignId}`;
  const isOurs = id % 2 === 0 ? (await claim(tx, store.ids, [{ id, holder }])).length > 0 : true;
  return isOurs && !(await isTaken(tx, store.ids.tables, id)) ? id : nextId(tx);
}

/**
 * What came before becomes what is said now, unless somebody changed it. Whoever asks knows how it was left only if they were answered:
 * one that ended before finds what it had made, of what was said then.
 */
async function update(
  tx: Db,
  kind: store.Kind,
  row: store.Before & Pick<store.Moved, 'leftUtc'>,
  request: AddItemRequest,
  read: Read,
): Promise<AddItemResponse> {
  const { id, leftUtc, modifiedUtc } = row;
  const at = fromSqlUtc(modifiedUtc).getTime();
  const isLeft = leftUtc === null ? wasLeft(request, at) : fromSqlUtc(leftUtc).getTime() === at;
  if (isLeft === undefined) return { id, created: false, changedHere: false };
  if (isLeft) await write(tx, kind, id, request, read, row);
  return { id, created: false, changedHere: !isLeft };
}

/** What came before it was noted here how it was left: as whoever asks has noted it, or as this very request has made it. */
function wasLeft(request: AddItemRequest, at: number): boolean | undefined {
  if (request.leftUtc === '') return undefined;
  return [Date.parse(request.leftUtc), fromSqlUtc(modifiedOf(request).utc).getTime()].includes(at);
}

/** Without a last change it is as old as its publication. */
const modifiedOf = (request: AddItemRequest): { readonly local: string; readonly utc: string } => ({
  local: request.modifiedLocal || request.dateLocal,
  utc: request.modifiedUtc || request.dateUtc,
});

/** `before` is what is there already. */
async function write(
  tx: Db,
  kind: store.Kind,
  id: number,
  request: AddItemRequest,
  { columns, title }: Read,
  before?: store.Before,
): Promise<void> {
  const { status, author, dateLocal, dateUtc, links } = request;
  const modified = modifiedOf(request);
  const table = store.tables[kind];
  const wanted = slugify(request.slug || title) || String(id);
  const slug = await uniqueSlug(
    tx,
    { lock: table, table, id, fromTheStart: true },
    status === 'trash' ? trashedSlug(wanted) : wanted,
  );
  const common = {
    id,
    author,
    status,
    statusBeforeTrash: status === 'trash' ? request.statusBeforeTrash || 'draft' : '',
    slug,
    dateLocal,
    dateUtc,
    dateChosen: !request.dateOpen,
    modifiedLocal: modified.local,
    modifiedUtc: modified.utc,
    imageId: links?.image ?? 0,
  };
  const { categoryIds, tagIds } = request;
  const own =
    kind === 'event'
      ? {
          venueId: links?.venue ?? 0,
          organizerIds: links?.organizers ?? [],
          parent: links?.parent ?? 0,
          categoryIds,
          tagIds,
        }
      : {};
  const row = { ...common, ...own, ...columns };
  if (before) await store.update(tx, kind, row);
  else await store.insert(tx, kind, row);
  await store.noteMoved(tx, request.site, request.foreignId, kind, id);
  await tell(tx, kind, { id, status, slug, categoryIds, tagIds }, before?.status ?? '');
  if (kind === 'event' && status === 'future') await promiseAt(tx, PUBLISHING, id, dateUtc);
}
