/** Events of a group of batches into the table: matched by what they are called at their source, written set-based. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isPostgresError } from '@sevenfold/chassis/errors';
import { slugify } from '@sevenfold/text/slug';
import { type ChangedEvent, announce } from '../events/news';
import { changedStatement, eventColumns, insertStatement, updateStatement } from './columns';
import { type Stamp, insertedValues, reserveIds } from './link';
import { rowWith } from './read-batch';
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

interface Known {
  readonly n: number;
  readonly id: number;
  readonly status: string;
  readonly imageSource: string;
  /** What a person wrote of it since. */
  readonly edited: readonly string[];
  readonly hasImage: boolean;
}

// Somebody threw it away, or said that it is not wanted: an import does not bring it back.
const LEFT_ALONE: Readonly<Record<string, string>> = {
  trash: 'It is in the trash.',
  'calendar-ignored': 'It is ignored.',
};
const CHANGED = 'Somebody changed it, and this import leaves such events as they are.';

const isLeft = ({ edited }: Known, { authority }: Stamp): boolean =>
  authority === 'leave' && edited.length > 0;

const keepsImage = ({ edited, hasImage }: Known, { authority }: Stamp): boolean =>
  authority === 'fill' && hasImage && edited.includes('image');

/** One for each that is wanted, in order. No two of them may have the same uid, or the same global id without uid. */
export async function upsert(tx: Db, wanted: readonly WantedEvent[], stamp: Stamp): Promise<Upserted[]> {
  const results: Upserted[] = new Array<Upserted>(wanted.length);
  let open = wanted.map((_, index) => index);
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === 10) throw new Error(`no place for ${open.length} events`);
    const known = await match(
      tx,
      open.map((index) => wanted[index] as WantedEvent),
      stamp.origin,
    );
    const updates = new Map<number, WantedEvent>();
    const fresh: number[] = [];
    open.forEach((index, n) => {
      const one = wanted[index] as WantedEvent;
      const row = known.get(n + 1);
      if (!row) return void fresh.push(index);
      const reason = LEFT_ALONE[row.status] ?? (isLeft(row, stamp) ? CHANGED : undefined);
      const source = one.imageUrl;
      results[index] = {
        id: row.id,
        outcome: reason === undefined ? 'updated' : 'skipped',
        reason,
        newImage:
          reason === undefined &&
          source !== undefined &&
          // A person's picture, or none where there was one, is not what the source says.
          (source !== row.imageSource || row.edited.includes('image')) &&
          !keepsImage(row, stamp),
      };
      if (reason === undefined) updates.set(row.id, one);
    });
    await update(tx, updates, stamp);
    const created = await insert(
      tx,
      fresh.map((index) => wanted[index] as WantedEvent),
      stamp,
    );
    // Another import took the uid or the slug at this very moment: look again.
    open = fresh.filter((index, n) => {
      const id = created[n];
      if (id !== undefined)
        results[index] = {
          id,
          outcome: 'created',
          newImage: wanted[index]?.imageUrl !== undefined,
        };
      return id === undefined;
    });
  }
  return results;
}

/** Other sites of this kind name their events by global ids; everybody else by uids, and by global ids without one. */
export const knowsByGlobalId = (origin: string): boolean => origin === 'url';

/** By position, from 1. */
async function match(tx: Db, wanted: readonly WantedEvent[], origin: string): Promise<Map<number, Known>> {
  const rows = await tx.rows<Known>(
    `select w.n, e.id, e.status, e.image_source as "imageSource", e.edited, e.image_id <> 0 as "hasImage"
     from unnest($2::text[], $3::text[]) with ordinality as w (uid, global_id, n)
     cross join lateral (
       select * from (
         (select 1 as place, id, status, image_source, edited, image_id from events
          where (w.uid = '' or $4) and w.global_id <> '' and origin = $1 and global_id = w.global_id and global_id <> ''
          order by id limit 1)
         union all
         (select 2, id, status, image_source, edited, image_id from events
          where w.uid <> '' and origin = $1 and uid = w.uid and uid <> '')) as found
       order by place limit 1) as e`,
    [origin, wanted.map(({ uid }) => uid), wanted.map(({ globalId }) => globalId), knowsByGlobalId(origin)],
  );
  return new Map(rows.map((row) => [row.n, row]));
}

async function update(tx: Db, wanted: ReadonlyMap<number, WantedEvent>, stamp: Stamp): Promise<void> {
  if (wanted.size === 0) return;
  const rowsOf = (ids: readonly number[]): string =>
    listOf(
      ids.map((id) => {
        const { links, row } = wanted.get(id) as WantedEvent;
        return rowWith({ id, ...links }, row);
      }),
    );
  const changed = await tx.rows<{ id: number }>(changedStatement('events', eventColumns, stamp.authority), [
    rowsOf([...wanted.keys()]),
  ]);
  if (changed.length === 0) return;
  const rows = await tx.rows<AnnouncedRow>(
    `${updateStatement('events', eventColumns, stamp.authority)} returning ${ANNOUNCED}`,
    [rowsOf(changed.map(({ id }) => id)), stamp.modifiedLocal, stamp.modifiedUtc],
  );
  await announce(
    tx,
    'calendar.event.changed',
    rows.map((row) => ({ statusBefore: row.status, ...row })),
  );
}

/** Ids, undefined for those that met another row. */
async function insert(tx: Db, wanted: readonly WantedEvent[], stamp: Stamp): Promise<(number | undefined)[]> {
  if (wanted.length === 0) return [];
  const ids = await reserveIds(tx, wanted.length);
  const slugs = await freeSlugs(
    tx,
    'events',
    wanted.map(({ title }, index) => slugify(title) || String(ids[index])),
  );
  const rows = wanted
    .map(({ uid, links, row }, index) => {
      const slug = slugs[index] as string;
      return { slug, json: rowWith({ id: ids[index], slug, uid, ...links }, row) };
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

/**
 * Events that name another one of their origin as the series they belong to: those that were written now, and those that came
 * before the one they name did, in an earlier batch or import.
 */
export async function linkSeries(tx: Db, rows: readonly Upserted[]): Promise<void> {
  await tx.run(
    `with parts as (
       select c.id, p.id as series
       from events c join events p on p.origin = c.origin and p.uid = c.parent_uid and p.uid <> ''
       where c.id = any($1::bigint[]) and c.parent_uid <> ''
       union
       select c.id, p.id
       from events p join events c on c.origin = p.origin and c.parent_uid = p.uid and c.parent_uid <> ''
       where p.id = any($2::bigint[]) and p.uid <> ''),
     locked as (
       select c.id, parts.series from events c join parts using (id)
       where c.id <> parts.series and c.parent <> parts.series order by c.id for no key update of c)
     update events c set parent = l.series from locked l where c.id = l.id`,
    [idsOf(rows, 'created', 'updated'), idsOf(rows, 'created')],
  );
}

const idsOf = (rows: readonly Upserted[], ...outcomes: readonly Upserted['outcome'][]): number[] =>
  rows.flatMap(({ id, outcome }) => (outcomes.includes(outcome) ? [id] : []));
