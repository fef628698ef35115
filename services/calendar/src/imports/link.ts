/**
 * Venues and organizers of a group of batches: found by global id or by name, made once, all in a few statements. Makers
 * of the same name wait for each other at the lock that single writes take as well (linked/actions.ts), in one order for
 * all, so that no two of them wait in a circle.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { slugify } from '@sevenfold/text/slug';
import type { Publication } from '@sevenfold/publishing/dates';
import { sqlWords, unfinishedStatuses } from '@sevenfold/publishing/statuses';
import {
  type Authority,
  type Column,
  changedStatement,
  insertStatement,
  organizerColumns,
  updateStatement,
  venueColumns,
} from './columns';
import { type Told, tellAll } from '../linked/news';
import { PUBLIC_FIRST, lockNames } from '../linked/store';
import type { Linked } from './parse-linked';
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
  /** By `keyOf`. */
  readonly ids: ReadonlyMap<string, number>;
  readonly created: ReadonlySet<number>;
}

/** Which of them are one: those of one global id, or of one name whatever its case. */
export const keyOf = ({ globalId, name }: Linked): string =>
  globalId === '' ? `name:${name.toLowerCase()}` : `id:${globalId}`;

/** What the later one says counts. Most events of a batch say nothing new of where they take place. */
function both(before: Linked, after: Linked): Linked {
  const { name, globalId, columns } = after;
  const isSame =
    name === before.name &&
    globalId === before.globalId &&
    Object.entries(columns).every(([column, value]) => before.columns[column] === value);
  return isSame ? before : { name, globalId, columns: { ...before.columns, ...columns } };
}

export async function link(tx: Db, kind: Kind, wanted: readonly Linked[], stamp: Stamp): Promise<LinkResult> {
  const byKey = new Map<string, Linked>();
  for (const one of wanted) {
    const key = keyOf(one);
    const before = byKey.get(key);
    byKey.set(key, before ? both(before, one) : one);
  }
  if (byKey.size === 0) return { ids: new Map(), created: new Set() };
  // Named with its global id here and without it there, it is still one.
  const named = new Map(
    [...byKey.values()].flatMap((one) => (one.globalId ? [[one.name.toLowerCase(), one]] : [])),
  );
  const aliases = new Map<string, string>();
  for (const [key, one] of byKey) {
    const same = one.globalId === '' ? named.get(one.name.toLowerCase()) : undefined;
    if (same) aliases.set(key, keyOf(same));
  }
  for (const key of aliases.keys()) byKey.delete(key);
  const all = [...byKey.values()];
  const ids = new Map<string, number>();
  const find = async (some: readonly Linked[]): Promise<Linked[]> => {
    const found = await findIds(tx, kind, some);
    const missing: Linked[] = [];
    some.forEach((one, index) => {
      const id = found.get(index + 1);
      if (id === undefined) missing.push(one);
      else ids.set(keyOf(one), id);
    });
    return missing;
  };
  let missing = await find(all);
  const created = new Set<number>();
  if (missing.length > 0) {
    await lockNames(
      tx,
      kind,
      missing.map(({ name }) => name),
    );
    missing = await find(missing);
    for (const [one, id] of await create(tx, kind, missing, stamp)) {
      ids.set(keyOf(one), id);
      created.add(id);
    }
  }
  await update(
    tx,
    kind,
    all.flatMap((one) => {
      const id = ids.get(keyOf(one)) as number;
      return created.has(id) || (Object.keys(one.columns).length === 0 && one.globalId === '')
        ? []
        : [{ id, one }];
    }),
    stamp,
  );
  for (const [alias, key] of aliases) ids.set(alias, ids.get(key) as number);
  return { ids, created };
}

/**
 * By position, from 1. What is in the trash is not found: somebody did not want it any more. Nor is a person's draft by its name: events
 * that everybody reads would name what hardly anybody may see, and whoever may write drafts could hide any place from them.
 */
async function findIds(tx: Db, { table }: Kind, wanted: readonly Linked[]): Promise<Map<number, number>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx.rows<{ n: number; id: number }>(
    `select w.n, coalesce(by_global.id, by_name.id) as id
     from unnest($1::text[], $2::text[]) with ordinality as w (name, global_id, n)
     left join lateral (
       select t.id from ${table} t where t.global_id <> '' and t.global_id = w.global_id and t.status <> 'trash'
       order by t.id limit 1) as by_global on true
     left join lateral (
       select t.id from ${table} t
       where md5(lower(t.name)) = md5(lower(w.name)) and lower(t.name) = lower(w.name) and t.status <> 'trash'
         and (w.global_id = '' or t.global_id = '')
         and (t.origin <> '' or t.status not in ${sqlWords(unfinishedStatuses)})
       order by ${PUBLIC_FIRST}, t.id limit 1) as by_name on true
     where coalesce(by_global.id, by_name.id) is not null`,
    [wanted.map(({ name }) => name), wanted.map(({ globalId }) => globalId)],
  );
  return new Map(rows.map(({ n, id }) => [n, id]));
}

async function create(
  tx: Db,
  { one: kind, table, columns, defaults }: Kind,
  missing: readonly Linked[],
  stamp: Stamp,
): Promise<Map<Linked, number>> {
  // Two global ids may share a name: then they are two rows.
  const made = new Map<Linked, number>();
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
    const left: Linked[] = [];
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
  known: readonly { id: number; one: Linked }[],
  stamp: Stamp,
): Promise<void> {
  if (known.length === 0) return;
  const rows = new Map<number, object>();
  for (const { id, one } of known)
    rows.set(id, { ...rows.get(id), ...one.columns, global_id: one.globalId || undefined, id });
  const changed = await tx.rows<{ id: number }>(changedStatement(table, columns, stamp.authority), [
    JSON.stringify([...rows.values()]),
  ]);
  if (changed.length === 0) return;
  const updated = await tx.rows<Told>(
    `${updateStatement(table, columns, stamp.authority)} returning ${TOLD}`,
    [JSON.stringify(changed.map(({ id }) => rows.get(id))), stamp.modifiedLocal, stamp.modifiedUtc],
  );
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
