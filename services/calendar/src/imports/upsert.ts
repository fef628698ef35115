/** Events of a group of batches into the table: matched by what they are called at their source, written set-based. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';
import { slugify } from '@sevenfold/text/slug';
import { type ChangedEvent, announce } from '../events/news';
import { changedStatement, eventColumns, insertStatement, updateStatement } from './columns';
import { takeOver } from './former-uids';
import { type Stamp, insertedValues, reserveIds } from './link';
import { rowWith } from './read-batch';
import { type Known, type Target, isByGlobalId, targetsOf } from './same-events';
import { freeSlugs } from './slugs';

export interface WantedEvent {
  readonly uid: string;
  readonly globalId: string;
  readonly title: string;
  readonly imageUrl?: string;
  /** Columns that follow from what else the import brings, and JSON of all others. */
  readonly links: object;
  readonly row: string;
}

export interface Upserted {
  readonly id: number;
  readonly outcome: 'created' | 'updated' | 'skipped';
  /** Why it was left alone. */
  readonly reason?: string;
  /** Whether its picture is another one than before. */
  readonly newImage: boolean;
}

// Somebody threw it away, or said that it is not wanted: an import does not bring it back.
const LEFT_ALONE: Readonly<Record<string, string>> = {
  trash: 'It is in the trash.',
  'calendar-ignored': 'It is ignored.',
};
const CHANGED = 'Somebody changed it, and this import leaves such events as they are.';

const reasonToLeave = ({ status, edited }: Known, { authority }: Stamp): string | undefined =>
  LEFT_ALONE[status] ?? (authority === 'leave' && edited.length > 0 ? CHANGED : undefined);

const isLeftAlone = (row: Known, stamp: Stamp): boolean => reasonToLeave(row, stamp) !== undefined;

const keepsImage = ({ edited, hasImage }: Known, { authority }: Stamp): boolean =>
  authority === 'fill' && hasImage && edited.includes('image');

/** One for each that is wanted, in order. */
export async function upsert(tx: Db, wanted: readonly WantedEvent[], stamp: Stamp): Promise<Upserted[]> {
  const results = new Map<WantedEvent, Upserted>();
  await takeOver(tx, wanted, stamp.origin);
  let open = wanted;
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === 10) throw new Error(`no place for ${open.length} events`);
    const targets = targetsOf(open, await find(tx, open, stamp.origin), stamp.origin, (row) =>
      isLeftAlone(row, stamp),
    );
    const known = targets.filter(isKnown);
    await update(
      tx,
      known.filter((target) => !isLeftAlone(target.known, stamp)),
      stamp,
    );
    for (const target of known) tell(results, target, foundOf(target, stamp));
    const fresh = targets.filter((target) => !isKnown(target));
    const ids = await insert(tx, fresh, stamp);
    fresh.forEach((target, index) => {
      const id = ids[index];
      if (id !== undefined) tell(results, target, { id, outcome: 'created', newImage: true });
    });
    // Another import took the uid or the slug at this very moment: look again.
    open = open.filter((one) => !results.has(one));
  }
  return wanted.map((one) => results.get(one) as Upserted);
}

type KnownTarget = Target<WantedEvent> & { readonly known: Known };
const isKnown = (target: Target<WantedEvent>): target is KnownTarget => target.known !== undefined;

function foundOf(target: KnownTarget, stamp: Stamp): Upserted {
  const { known } = target;
  const reason = reasonToLeave(known, stamp);
  if (reason !== undefined) return { id: known.id, outcome: 'skipped', reason, newImage: false };
  const source = imageOf(target)?.imageUrl;
  return {
    id: known.id,
    outcome: 'updated',
    newImage:
      // A person's picture, or none where there was one, is not what the source says.
      (source !== known.imageSource || known.edited.includes('image')) && !keepsImage(known, stamp),
  };
}

/** The event that names the picture which is to be seen in the end: the first of those that name the same in a row. */
function imageOf({ events }: Target<WantedEvent>): WantedEvent | undefined {
  let image: WantedEvent | undefined;
  for (const one of events) if (one.imageUrl !== undefined && one.imageUrl !== image?.imageUrl) image = one;
  return image;
}

function tell(results: Map<WantedEvent, Upserted>, target: Target<WantedEvent>, said: Upserted): void {
  const image = imageOf(target);
  for (const one of target.events) results.set(one, { ...said, newImage: said.newImage && one === image });
}

/** Those with one of these uids, and of each global id by which one is known the first one besides, in the order of their ids. */
function find(tx: Db, wanted: readonly WantedEvent[], origin: string): Promise<Known[]> {
  const uids = new Set(wanted.flatMap(({ uid }) => uid || []));
  const globalIds = new Set(wanted.flatMap((one) => (isByGlobalId(one, origin) ? one.globalId : [])));
  return tx.rows<Known>(
    `select e.id, e.uid, e.global_id as "globalId", e.status, e.image_source as "imageSource", e.edited,
       e.image_id <> 0 as "hasImage"
     from (
       select id from events where origin = $1 and uid <> '' and uid = any($2::text[])
       union all
       select first.id from unnest($3::text[]) as w (global_id) cross join lateral (
         select id from events
         where origin = $1 and global_id = w.global_id and global_id <> '' and (uid = '' or uid <> all($2::text[]))
         order by id limit 1) as first) as found
     join events e using (id) order by e.id`,
    [origin, [...uids], [...globalIds]],
  );
}

async function update(tx: Db, targets: readonly KnownTarget[], stamp: Stamp): Promise<void> {
  if (targets.length === 0) return;
  const rows = new Map(targets.map((target) => [target.known.id, rowOf(target, { id: target.known.id })]));
  const changed = await tx.rows<{ id: number }>(changedStatement('events', eventColumns, stamp.authority), [
    listOf([...rows.values()]),
  ]);
  if (changed.length === 0) return;
  const updated = await tx.rows<AnnouncedRow>(
    `${updateStatement('events', eventColumns, stamp.authority)} returning ${ANNOUNCED}`,
    [listOf(changed.map(({ id }) => rows.get(id) as string)), stamp.modifiedLocal, stamp.modifiedUtc],
  );
  await announce(
    tx,
    'calendar.event.changed',
    updated.map((row) => ({ statusBefore: row.status, ...row })),
  );
}

/** JSON of a row: what a later event says counts, and what it does not mention is as it was said before. */
function rowOf({ events }: Target<WantedEvent>, own: object): string {
  const rows = events.map(({ links, row }) => rowWith([own, links], row));
  if (rows.length === 1) return rows[0] as string;
  return JSON.stringify(Object.assign({}, ...rows.map((row) => JSON.parse(row) as object)));
}

/** Ids, undefined for those that met another row. */
async function insert(
  tx: Db,
  targets: readonly Target<WantedEvent>[],
  stamp: Stamp,
): Promise<(number | undefined)[]> {
  if (targets.length === 0) return [];
  const ids = await reserveIds(tx, targets.length);
  // It is named as its first event names it.
  const first = targets.map(({ events }) => events[0] as WantedEvent);
  const slugs = await freeSlugs(
    tx,
    'events',
    first.map(({ title }, index) => slugify(title) || String(ids[index])),
  );
  const rows = targets
    .map((target, index) => {
      const slug = slugs[index] as string;
      return { slug, json: rowOf(target, { id: ids[index], slug, uid: first[index]?.uid }) };
    })
    // Two imports that want the same slugs want them in the same order.
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  const inserted = await insertFree(tx, insertedValues(listOf(rows.map(({ json }) => json)), stamp));
  await announce(
    tx,
    'calendar.event.changed',
    inserted.map((row) => ({ statusBefore: '', ...row })),
  );
  const got = new Set(inserted.map(({ id }) => id));
  return ids.map((id) => (got.has(id) ? id : undefined));
}

/**
 * Next to never does one of them meet another import's: they were looked for just now. So they are written as if all were free,
 * and once more, carefully, where that was wrong.
 */
async function insertFree(tx: Db, values: readonly unknown[]): Promise<AnnouncedRow[]> {
  const insertWhere = (met: 'passed over' | 'a failure'): Promise<AnnouncedRow[]> =>
    tx.rows<AnnouncedRow>(
      `${insertStatement('events', eventColumns, 'uid', { website: 'null' }, met)} returning ${ANNOUNCED}`,
      values,
    );
  await tx.run('savepoint free');
  try {
    const inserted = await insertWhere('a failure');
    await tx.run('release savepoint free');
    return inserted;
  } catch (error) {
    if (!isPostgresError(error) || error.code !== UNIQUE_VIOLATION) throw error;
    await tx.run('rollback to savepoint free');
    return insertWhere('passed over');
  }
}

const UNIQUE_VIOLATION = '23505';

const listOf = (rows: readonly string[]): string => `[${rows.join(',')}]`;

type AnnouncedRow = Omit<ChangedEvent, 'statusBefore'>;

const ANNOUNCED = `t.id, t.status, t.slug, t.category_ids as "categoryIds", t.tag_ids as "tagIds"`;

/** Seed of the locks on series, one for each origin. */
const SERIES_LOCKS = 7;

/**
 * Events that name another one of their origin as the series they belong to, and those that came before the one they name did, in an
 * earlier batch or import. Who names another one than before has left that, also where the other one is still to come.
 *
 * A part and its series that two imports write at the same moment do not see each other: whoever brings parts waits until the others have
 * committed, or they wait for him, and the later one looks for both. Most imports bring none, and wait for nobody.
 */
export async function linkSeries(tx: Db, { origin }: Stamp, rows: readonly Upserted[]): Promise<void> {
  const written = rows.flatMap(({ id, outcome }) => (outcome === 'skipped' ? [] : [id]));
  await tx.run(
    `select case when exists (select from events where id = any($1::bigint[]) and parent_uid <> '')
       then pg_advisory_xact_lock(hashtextextended($2, ${SERIES_LOCKS}))
       else pg_advisory_xact_lock_shared(hashtextextended($2, ${SERIES_LOCKS})) end`,
    [written, origin],
  );
  await tx.run(
    `with parts as (
       select c.id, coalesce(p.id, 0) as series
       from events c left join events p on p.origin = c.origin and p.uid = c.parent_uid and p.uid <> '' and p.id <> c.id
       where c.id = any($1::bigint[]) and c.parent_uid <> ''
       union
       select c.id, p.id
       from events p join events c on c.origin = p.origin and c.parent_uid = p.uid and c.parent_uid <> '' and c.id <> p.id
       where p.id = any($1::bigint[]) and p.uid <> ''),
     locked as (
       select c.id, parts.series from events c join parts using (id)
       where c.parent <> parts.series order by c.id for no key update of c)
     update events c set parent = l.series from locked l where c.id = l.id`,
    [written],
  );
}
