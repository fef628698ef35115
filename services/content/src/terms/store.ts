/**
 * Rows of terms. Lists are in the order of names without regard to case; `lower(name), id` is what the index holds and
 * what the lists of terms on posts follow.
 */
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { likePattern } from '@sevenfold/chassis/text/search';
import { slugify } from '@sevenfold/chassis/text/slug';
import { escapeHtml } from '@sevenfold/chassis/text/html';
import type { TaxonomyName } from './taxonomies';

export interface TermRow {
  readonly id: number;
  readonly taxonomy: TaxonomyName;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly parent: number;
  readonly parentPath: string;
  readonly count: number;
}

/** For `select … from terms t`. */
export const COLUMNS = `t.id, t.taxonomy, t.name, t.slug, t.description, t.parent, t.parent_path as "parentPath", t.count`;

export const findById = (db: Db, taxonomy: TaxonomyName, id: number): Promise<TermRow | undefined> =>
  db.first<TermRow>(`select ${COLUMNS} from terms t where t.id = $1 and t.taxonomy = $2`, [id, taxonomy]);

/** Of whatever taxonomy. */
export const findMany = (db: Db, ids: readonly number[]): Promise<TermRow[]> =>
  db.rows<TermRow>(`select ${COLUMNS} from terms t where t.id = any($1::bigint[]) order by t.id`, [ids]);

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
