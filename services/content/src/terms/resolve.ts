/**
 * Terms from what people wrote: ids, names or slugs, many at once, made where they are missing. One statement when all
 * are there; four when some must be made, however many (find, lock, insert, announce).
 *
 * Two that make the same name at one moment, in whatever process, get one term: making takes a lock and looks again
 * under it. Single creations (actions.ts) do not take the lock; what they win at that moment is found by one more look.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { denied } from '@sevenfold/chassis/http/allow';
import { slugify } from '@sevenfold/text/slug';
import { announce } from './actions';
import { LONGEST_NAME, cleanName, slugOfName } from './clean';
import { termErrors } from './errors';
import { mayCreateMissing } from './policy';
import { type TermRow, COLUMNS } from './store';
import type { Taxonomy, TaxonomyName } from './taxonomies';
import { deny } from '../errors';

/** A number is an id, text a name or a slug. */
export type TermRef = number | string;

export interface Resolved {
  readonly term?: TermRow;
  readonly created: boolean;
  /** Made for the import that asks, now or when it asked before. */
  readonly isOfImport: boolean;
}

interface Options {
  readonly createMissing: boolean;
  readonly actor: Actor;
  /** For which names are made; none where it is empty. */
  readonly importId?: string;
  /** Text is a slug before it is a name. */
  readonly slugsFirst?: boolean;
}

type FoundRow = TermRow & { readonly isOfImport: boolean };

interface Wanted {
  readonly id: number | null;
  readonly name: string | null;
  /** The text itself where it has the form of a slug. */
  readonly slug: string | null;
}

const MOST_TRIES = 10;

/** Answers one result for each reference, in order. */
export async function resolveTerms(
  db: Database,
  taxonomy: Taxonomy,
  refs: readonly TermRef[],
  options: Options,
): Promise<Resolved[]> {
  const wanted = refs.map(toWanted);
  const created = new Set<number>();
  const { importId = '', slugsFirst = false } = options;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = await find(db, taxonomy.name, wanted, { importId, slugsFirst });
    const results = wanted.map((_, index) => found.get(index + 1));
    const missing = namesMissing(wanted, results);
    if (missing.length === 0 || !options.createMissing) return results.map((term) => resultOf(term, created));
    if (!mayCreateMissing(options.actor, taxonomy))
      throw denied(
        deny(
          'rest_cannot_create',
          `You may not create ${taxonomy.many}: ${missing.slice(0, 3).join(', ')} would be new.`,
        ),
        options.actor,
      );

    const made = await db.transaction(async (tx) => {
      await tx.first(`select pg_advisory_xact_lock(hashtext('terms:resolve'), hashtext($1))`, [
        taxonomy.name,
      ]);
      const rows = await insertMissing(tx, taxonomy.name, missing, importId);
      await announce(tx, rows);
      return rows;
    });
    for (const { id } of made) created.add(id);
    if (made.length === missing.length) {
      const byName = new Map(made.map((row) => [row.name, row]));
      return results.map((term, index) =>
        resultOf(term ?? madeFor(wanted[index] as Wanted, missing, byName), created),
      );
    }
  }
  throw termErrors.busy();
}

function resultOf(found: FoundRow | undefined, created: ReadonlySet<number>): Resolved {
  if (!found) return { created: false, isOfImport: false };
  const { isOfImport, ...term } = found;
  return { term, created: created.has(term.id), isOfImport };
}

function toWanted(ref: TermRef): Wanted {
  if (typeof ref === 'number') return { id: ref, name: null, slug: null };
  const name = cleanName(ref.slice(0, LONGEST_NAME));
  if (name === '') return { id: null, name: null, slug: null };
  return { id: null, name, slug: slugify(name) === name ? name : null };
}

/** Each name once, whatever its case. */
function namesMissing(wanted: readonly Wanted[], results: readonly (FoundRow | undefined)[]): string[] {
  const byKey = new Map<string, string>();
  wanted.forEach(({ name }, index) => {
    if (name !== null && !results[index] && !byKey.has(keyOf(name))) byKey.set(keyOf(name), name);
  });
  return [...byKey.values()];
}

const keyOf = (name: string): string => name.toLowerCase();

function madeFor(
  { name }: Wanted,
  missing: readonly string[],
  byName: ReadonlyMap<string, FoundRow>,
): FoundRow | undefined {
  if (name === null) return undefined;
  const spelled = missing.find((other) => keyOf(other) === keyOf(name));
  return spelled === undefined ? undefined : byName.get(spelled);
}

/**
 * By position, from 1. A name counts before a slug, unless slugs come first; a topmost term before others, an older before a
 * younger.
 */
async function find(
  db: Db,
  taxonomy: TaxonomyName,
  wanted: readonly Wanted[],
  { importId, slugsFirst }: Required<Pick<Options, 'importId' | 'slugsFirst'>>,
): Promise<Map<number, FoundRow>> {
  const rows = await db.rows<FoundRow & { position: number }>(
    `select r.position, found.*
     from unnest($2::bigint[], $3::text[], $4::text[]) with ordinality as r (id, name, slug, position)
     cross join lateral (
       select ${COLUMNS}, (t.import_id <> '' and t.import_id = $5) as "isOfImport" from terms t
       where t.taxonomy = $1 and (t.id = r.id or lower(t.name) = lower(r.name) or t.slug = r.slug)
       order by case when $6 then t.slug is distinct from r.slug end, lower(t.name) is distinct from lower(r.name),
         t.parent <> 0, t.id
       limit 1) found`,
    [
      taxonomy,
      wanted.map(({ id }) => id),
      wanted.map(({ name }) => name),
      wanted.map(({ slug }) => slug),
      importId,
      slugsFirst,
    ],
  );
  return new Map(rows.map(({ position, ...row }) => [position, row]));
}

/** Under the lock: makes the names that still are not there, on the top level. A slug that is taken is numbered. */
const insertMissing = (
  tx: Db,
  taxonomy: TaxonomyName,
  names: readonly string[],
  importId: string,
): Promise<FoundRow[]> =>
  tx.rows<FoundRow>(
    `with fresh as (
       select w.name, w.slug, row_number() over (partition by w.slug order by w.n) as copy,
              exists (select from terms t where t.taxonomy = $1 and t.slug = w.slug) as taken
       from unnest($2::text[], $3::text[]) with ordinality as w (name, slug, n)
       where not exists (select from terms t where t.taxonomy = $1 and lower(t.name) = lower(w.name)))
     insert into terms as t (taxonomy, import_id, name, slug)
     select $1, $4, f.name,
       case when f.copy = 1 and not f.taken then f.slug
       else f.slug || '-' || f.copy + f.taken::int + (
         select coalesce(max(substr(o.slug, length(f.slug) + 2)::int), 1) - 1 from terms o
         where o.taxonomy = $1 and starts_with(o.slug, f.slug || '-') and substr(o.slug, length(f.slug) + 2) ~ '^[1-9][0-9]{0,5}$')
       end
     from fresh f order by f.slug, f.copy
     on conflict (taxonomy, slug) do nothing
     returning ${COLUMNS}, t.import_id <> '' as "isOfImport"`,
    [taxonomy, names, names.map(slugOfName), importId],
  );
