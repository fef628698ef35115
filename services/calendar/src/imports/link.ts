/**
 * Venues and organizers of a group of batches: found by global id or by name, made once, all in a few statements. Makers
 * of the same name wait for each other at the lock that single writes take as well (linked/actions.ts), in one order for
 * all, so that no two of them wait in a circle.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { slugify } from '@sevenfold/text/slug';
import type { Publication } from '@sevenfold/publishing/dates';
import { isPublic, publicStatuses, sqlWords, unfinishedStatuses } from '@sevenfold/publishing/statuses';
import {
  type Authority,
  type Column,
  NAME,
  changedStatement,
  insertStatement,
  organizerColumns,
  updateStatement,
  venueColumns,
} from './columns';
import { type Told, tellAll } from '../linked/news';
import { PUBLIC_FIRST, lockNames } from '../linked/store';
import { small } from './fields';
import type { Linked } from './parse-linked';
import { type Found, type Known, type Meant, type Namesakes, type Target, targetsOf } from './same-linked';
import { freeSlugs } from './slugs';

interface Kind {
  readonly one: 'venue' | 'organizer';
  readonly table: 'venues' | 'organizers';
  readonly columns: readonly Column[];
  /** Seed of the locks on names, as the single writes have it. */
  readonly lockSpace: number;
  /** Values of new rows that differ from what their type suggests. */
  readonly defaults: Readonly<Record<string, string>>;
}

export const VENUES: Kind = {
  one: 'venue',
  table: 'venues',
  columns: venueColumns,
  lockSpace: 3,
  defaults: { show_map: 'true', show_map_link: 'true' },
};
export const ORGANIZERS: Kind = {
  one: 'organizer',
  table: 'organizers',
  columns: organizerColumns,
  lockSpace: 4,
  defaults: {},
};

/** What new rows have in common. */
export interface Stamp {
  readonly author: number;
  readonly origin: string;
  readonly publication: Publication;
  readonly modifiedLocal: string;
  readonly modifiedUtc: string;
  readonly authority: Authority;
}

/** For the statement that inserts them, as JSON. */
export const insertedValues = (rows: string, { publication, ...stamp }: Stamp): unknown[] => [
  rows,
  stamp.author,
  stamp.origin,
  publication.status,
  publication.dateLocal,
  publication.dateUtc,
  publication.dateChosen,
  stamp.modifiedLocal,
  stamp.modifiedUtc,
];

export interface LinkResult {
  readonly ids: ReadonlyMap<Linked, number>;
  readonly created: ReadonlySet<number>;
}

export async function link(tx: Db, kind: Kind, wanted: readonly Linked[], stamp: Stamp): Promise<LinkResult> {
  const all = { ids: new Map<Linked, number>(), created: new Set<number>() };
  // Nearly always all at once. Where names change to and fro only a few are looked for in vain.
  for (let [at, size] = [0, wanted.length]; at < wanted.length;) {
    const next = wanted.slice(at, at + size);
    const settled = await linkNext(tx, kind, next, stamp, all);
    at += settled;
    size = settled < next.length ? FEW : 2 * size;
  }
  return all;
}

const FEW = 50;

/** Answers how many of them are settled; the others are to be looked for anew, since names have changed. */
async function linkNext(
  tx: Db,
  kind: Kind,
  wanted: readonly Linked[],
  stamp: Stamp,
  { ids, created }: { readonly ids: Map<Linked, number>; readonly created: Set<number> },
): Promise<number> {
  const isNewPublic = isPublic(stamp.publication.status);
  const look = async (): Promise<Meant & { readonly globalIds: ReadonlySet<string> }> => {
    const found = await find(tx, kind, wanted);
    const globalIds = new Set(found.byGlobalId.map(({ globalId }) => globalId));
    return { ...targetsOf(wanted, found, isNewPublic), globalIds };
  };
  const seen = await look();
  let { targets, settled } = seen;
  // What is made, or named anew, or has its global id from now on: another import may bring the same under another name.
  const open = new Set<string>();
  for (const [{ name, globalId }, { id, isRenamed }] of targets) {
    const isKnown = globalId === '' ? id !== undefined : seen.globalIds.has(globalId) && !isRenamed;
    if (!isKnown) for (const word of [name, globalId]) if (word !== '') open.add(word);
  }
  if (open.size > 0) {
    await lockNames(tx, kind, [...open]);
    ({ targets, settled } = await look());
  }
  const made = await create(tx, kind, missingOf(targets), stamp);
  for (const [one, target] of targets) ids.set(one, target.id ?? (made.get(target) as number));
  for (const id of made.values()) created.add(id);
  await update(tx, kind, new Set(targets.values()), stamp);
  return settled;
}

const missingOf = (targets: ReadonlyMap<Linked, Target>): Target[] => [
  ...new Set([...targets.values()].filter(({ id }) => id === undefined)),
];

interface FoundRow extends Known {
  /** By which of the names it was found, from 1; by its global id without one. */
  readonly place: number | null;
  readonly isFirst: boolean;
}

/**
 * What is in the trash is not found: somebody did not want it any more. Nor is a person's draft by its name: events that everybody reads
 * would name what hardly anybody may see, and whoever may write drafts could hide any place from them.
 */
async function find(tx: Db, { table }: Kind, wanted: readonly Linked[]): Promise<Found> {
  const names = claimsByName(wanted);
  const row = `t.id, t.name, t.global_id, t.status in ${sqlWords(publicStatuses)} as is_public`;
  const namesakes = `from ${table} t
    where md5(lower(t.name)) = md5(lower(w.name)) and lower(t.name) = lower(w.name) and t.status <> 'trash'
      and (t.origin <> '' or t.status not in ${sqlWords(unfinishedStatuses)})`;
  const rows = await tx.rows<FoundRow>(
    `select null::int as place, false as "isFirst", found.id, found.name, found.global_id as "globalId", found.is_public as "isPublic"
     from unnest($1::text[]) as w (global_id) cross join lateral (
       select ${row} from ${table} t where t.global_id <> '' and t.global_id = w.global_id and t.status <> 'trash'
       order by t.id limit 1) as found
     union all
     select w.n::int, found.is_first, found.id, found.name, found.global_id, found.is_public
     from unnest($2::text[], $3::int[]) with ordinality as w (name, claims, n) cross join lateral (
       (select true as is_first, ${row} ${namesakes} order by ${PUBLIC_FIRST}, t.id limit 1)
       union all
       (select false, ${row} ${namesakes} and t.global_id = '' order by ${PUBLIC_FIRST}, t.id limit w.claims)) as found`,
    [
      [...new Set(wanted.flatMap(({ globalId }) => globalId || []))],
      names.map(({ name }) => name),
      names.map(({ claims }) => claims.size),
    ],
  );
  const byName = new Map(
    names.map(({ name }): [string, Namesakes] => [small(name), { withoutGlobalId: [] }]),
  );
  const inOrder = [...byName.values()];
  for (const one of rows) {
    const namesakes = one.place === null ? undefined : inOrder[one.place - 1];
    if (namesakes && one.isFirst) namesakes.first = one;
    else namesakes?.withoutGlobalId.push(one);
  }
  return { byGlobalId: rows.filter(({ place }) => place === null), byName };
}

/** A name as it was written first, and the global ids that may each become that of a row without one. */
interface Claims {
  readonly name: string;
  readonly claims: Set<string>;
}

/** One for each name, whatever its case. */
function claimsByName(wanted: readonly Linked[]): Claims[] {
  const names = new Map<string, Claims>();
  for (const { name, globalId } of wanted) {
    const same = names.get(small(name)) ?? { name, claims: new Set() };
    names.set(small(name), same);
    if (globalId !== '') same.claims.add(globalId);
  }
  return [...names.values()];
}

async function create(
  tx: Db,
  { one: kind, table, columns, defaults }: Kind,
  missing: readonly Target[],
  stamp: Stamp,
): Promise<Map<Target, number>> {
  const made = new Map<Target, number>();
  let open = [...missing];
  for (let tries = 0; open.length > 0; tries++) {
    if (tries === 10) throw new Error(`no free slugs for ${open.length} ${table}`);
    const newIds = await reserveIds(tx, open.length);
    const slugs = await freeSlugs(
      tx,
      table,
      open.map(({ name }, index) => slugify(name) || String(newIds[index])),
    );
    const rows = open
      .map((one, index) => ({
        global_id: one.globalId,
        id: newIds[index],
        slug: slugs[index],
        name: one.name,
        ...one.columns,
      }))
      // Two imports that want the same slugs want them in the same order.
      .sort((a, b) => ((a.slug as string) < (b.slug as string) ? -1 : 1));
    const inserted = await tx.rows<Told>(
      `${insertStatement(table, columns, 'name', defaults)} returning ${TOLD}`,
      insertedValues(JSON.stringify(rows), stamp),
    );
    await tellAll(tx, kind, inserted, () => '');
    const got = new Set(inserted.map(({ id }) => id));
    const left: Target[] = [];
    open.forEach((one, index) => {
      const id = newIds[index] as number;
      if (got.has(id)) made.set(one, id);
      else left.push(one);
    });
    open = left;
  }
  return made;
}

async function update(
  tx: Db,
  { one: kind, table, columns }: Kind,
  targets: Iterable<Target>,
  stamp: Stamp,
): Promise<void> {
  const all = [NAME, ...columns];
  const rows = new Map<number, object>();
  for (const { id, globalId, columns: said, isRenamed, name } of targets)
    if (id !== undefined && (globalId !== '' || Object.keys(said).length > 0))
      rows.set(id, { ...said, global_id: globalId || undefined, id, name: isRenamed ? name : undefined });
  if (rows.size === 0) return;
  const changed = await tx.rows<{ id: number }>(changedStatement(table, all, stamp.authority), [
    JSON.stringify([...rows.values()]),
  ]);
  if (changed.length === 0) return;
  const updated = await tx.rows<Told>(`${updateStatement(table, all, stamp.authority)} returning ${TOLD}`, [
    JSON.stringify(changed.map(({ id }) => rows.get(id))),
    stamp.modifiedLocal,
    stamp.modifiedUtc,
  ]);
  // An import says nothing of their status.
  await tellAll(tx, kind, updated, ({ status }) => status);
}

const TOLD = 't.id, t.status, t.slug';

export async function reserveIds(tx: Db, count: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(
    `select nextval('object_ids') as id from generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}
