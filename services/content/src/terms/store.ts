/**
 * Rows of terms. Lists are in the order of names without regard to case; `lower(name), id` is what the index holds and
 * what the lists of terms on posts follow. Writes of the tree (parents, slugs, deletions) ask `lockTree` first.
 */
import { type Db } from '@sevenfold/chassis/db/sql';
import { boundsOf } from '@sevenfold/publishing/slugs';
import type { Version } from '../common/versions';
import type { TaxonomyName } from './taxonomies';

export interface TermRow {
  readonly id: number;
  readonly taxonomy: TaxonomyName;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
  /** Slugs of the ancestors, joined by slashes. */
  readonly parentPath: string;
  readonly count: number;
}

/** For `select … from terms t`. */
const COLUMNS_BUT_DESCRIPTION = `t.id, t.taxonomy, t.name, t.slug, t.parent, t.parent_path as "parentPath", t.count`;
export const COLUMNS = `${COLUMNS_BUT_DESCRIPTION}, t.description`;
/** For those inside of other answers, which say nothing of what describes them. */
export const EMBEDDED_COLUMNS = `${COLUMNS_BUT_DESCRIPTION}, '' as description`;

// ---- reads -------------------------------------------------------------------------------------------------------

export const findById = (db: Db, taxonomy: TaxonomyName, id: number): Promise<TermRow | undefined> =>
  db.first<TermRow>(`select ${COLUMNS} from terms t where t.id = $1 and t.taxonomy = $2`, [id, taxonomy]);

/** Of whatever taxonomy, each with so many characters of its description. */
export const findMany = (
  db: Db,
  ids: readonly number[],
  mostDescribed: number,
): Promise<(TermRow & { readonly version: string })[]> =>
  db.rows(
    `select ${COLUMNS_BUT_DESCRIPTION}, left(t.description, $2) as description, t.xmin::text as version
     from terms t where t.id = any($1::bigint[]) order by t.id`,
    [ids, mostDescribed],
  );

export const listVersions = (db: Db, afterId: number, limit: number): Promise<Version[]> =>
  db.rows<Version>('select id, xmin::text as version from terms where id > $1 order by id limit $2', [
    afterId,
    limit,
  ]);

export const findBySlug = (db: Db, taxonomy: TaxonomyName, slug: string): Promise<TermRow | undefined> =>
  db.first<TermRow>(`select ${COLUMNS} from terms t where t.taxonomy = $1 and t.slug = $2`, [taxonomy, slug]);

/** Terms of the name on one level, the oldest first. */
export const findByName = (
  db: Db,
  taxonomy: TaxonomyName,
  parent: number,
  name: string,
): Promise<TermRow | undefined> =>
  db.first<TermRow>(
    `select ${COLUMNS} from terms t
     where t.taxonomy = $1 and lower(t.name) = lower($2) and t.parent = $3 order by t.id limit 1`,
    [taxonomy, name, parent],
  );

/** The terms and all below them. */
export async function listDescendants(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `with recursive tree as (
       select id from terms where id = any($1::bigint[])
       union
       select t.id from terms t join tree on t.parent = tree.id where t.parent <> 0)
     select id from tree order by id`,
    [ids],
  );
  return rows.map((row) => row.id);
}

/** The term and those above it, the nearest first. */
export const listLine = (db: Db, id: number): Promise<{ id: number; slug: string }[]> =>
  db.rows<{ id: number; slug: string }>(
    `with recursive line as (
       select id, slug, parent, 0 as depth from terms where id = $1
       union all
       select t.id, t.slug, t.parent, line.depth + 1 from terms t join line on t.id = line.parent)
     select id, slug from line order by depth`,
    [id],
  );

/** Those of the slugs that another term has. */
export async function takenSlugs(
  db: Db,
  taxonomy: TaxonomyName,
  slugs: readonly string[],
  except = 0,
): Promise<ReadonlySet<string>> {
  const rows = await db.rows<{ slug: string }>(
    'select slug from terms where taxonomy = $1 and slug = any($2::text[]) and id <> $3',
    [taxonomy, slugs, except],
  );
  return new Set(rows.map((row) => row.slug));
}

/** The slug itself, which is taken, and the numbered copies of it; of a long one all that begin as it does. */
export async function takenCopies(
  db: Db,
  taxonomy: TaxonomyName,
  slug: string,
  except = 0,
): Promise<string[]> {
  const { low, high } = boundsOf(slug);
  const rows = await db.rows<{ slug: string }>(
    'select slug from terms where taxonomy = $1 and slug ~>=~ $2 and slug ~<~ $3 and id <> $4',
    [taxonomy, low, high, except],
  );
  return [slug, ...rows.map((row) => row.slug)];
}

// ---- writes ------------------------------------------------------------------------------------------------------

/**
 * Who changes the shape of a taxonomy's tree, or slugs in it, is alone; who only adds a leaf shares. Keeps loops out
 * and `parent_path` right. Writes of terms are rare: one lock for each taxonomy is enough.
 */
export async function lockTree(tx: Db, taxonomy: TaxonomyName, mode: 'alone' | 'shared'): Promise<void> {
  const lock = mode === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await tx.first(`select ${lock}(hashtext('terms'), hashtext($1))`, [taxonomy]);
}

export interface NewTerm {
  /** The next one, unless it moves in with a number of its own. */
  readonly id?: number;
  readonly taxonomy: TaxonomyName;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
}

/** Undefined when somebody else has just taken the slug. */
export const insert = (tx: Db, term: NewTerm): Promise<TermRow | undefined> =>
  tx.first<TermRow>(
    `insert into terms as t (id, taxonomy, name, slug, description, parent, parent_path)
     values (coalesce($6, nextval(pg_get_serial_sequence('terms', 'id'))), $1, $2, $3, $4, $5, coalesce((${pathOf('$5')}), ''))
     on conflict (taxonomy, slug) do nothing
     returning ${COLUMNS}`,
    [term.taxonomy, term.name, term.slug, term.description, term.parent, term.id],
  );

/** Path of the term with the id, own slug included. */
const pathOf = (id: string): string =>
  `select case when p.parent_path = '' then p.slug else p.parent_path || '/' || p.slug end from terms p where p.id = ${id}`;

export interface TermChanges {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
}

export const update = (tx: Db, id: number, term: TermChanges): Promise<TermRow | undefined> =>
  tx.first<TermRow>(
    `update terms t
     set name = $2, slug = $3, description = $4, parent = $5, parent_path = coalesce((${pathOf('$5')}), '')
     where t.id = $1 returning ${COLUMNS}`,
    [id, term.name, term.slug, term.description, term.parent],
  );

/** After the slug or place of the terms changed: the paths of all below them. Answers whose changed. */
export const refreshPathsBelow = (tx: Db, ids: readonly number[]): Promise<TermRow[]> =>
  tx.rows<TermRow>(
    `with recursive tree as (
       select id, case when parent_path = '' then slug else parent_path || '/' || slug end as path, parent_path
         from terms where id = any($1::bigint[])
       union all
       select t.id, tree.path || '/' || t.slug, tree.path from terms t join tree on t.parent = tree.id where t.parent <> 0)
     update terms t set parent_path = tree.parent_path
       from tree where t.id = tree.id and t.parent_path <> tree.parent_path
     returning ${COLUMNS}`,
    [ids],
  );

/** Takes the term out of its tree: its children go to its parent. Answers the children as they are then. */
export async function remove(tx: Db, term: TermRow): Promise<TermRow[]> {
  await tx.run('delete from terms where id = $1', [term.id]);
  return tx.rows<TermRow>(
    `update terms t set parent = $2, parent_path = $3 where t.parent = $1 returning ${COLUMNS}`,
    [term.id, term.parent, term.parentPath],
  );
}

// ---- for posts ---------------------------------------------------------------------------------------------------

/**
 * The ids that are terms of the taxonomy, in the order of the terms' names. In a transaction they also stay terms
 * until it ends: a deletion waits for it, and then takes the term off what was written.
 */
export async function existingInNameOrder(
  db: Db,
  taxonomy: TaxonomyName,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db.rows<{ id: number }>(
    `select id from terms where taxonomy = $1 and id = any($2::bigint[]) order by lower(name), id for key share`,
    [taxonomy, ids],
  );
  return rows.map((row) => row.id);
}

/** Published posts that terms gained or lost. Rows are locked in the order of ids, so that two writers never deadlock. */
export async function adjustOwnCounts(tx: Db, deltas: ReadonlyMap<number, number>): Promise<void> {
  const changes = [...deltas].filter(([, delta]) => delta !== 0);
  if (changes.length === 0) return;
  await tx.run(
    `with deltas as (select * from unnest($1::bigint[], $2::bigint[]) as d (id, delta)),
          locked as (select id from terms where id in (select id from deltas) order by id for no key update)
     update terms t set own_count = greatest(0, t.own_count + d.delta)
       from deltas d join locked using (id) where t.id = d.id`,
    [changes.map(([id]) => id), changes.map(([, delta]) => delta)],
  );
}
