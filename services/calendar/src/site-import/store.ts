/** The SQL of things that moved in: which they are, their rows, and what of theirs may still be linked. */
import { insertList, updateList } from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';

export type Kind = 'event' | 'venue' | 'organizer';
export const tables = { event: 'events', venue: 'venues', organizer: 'organizers' } as const satisfies Record<
  Kind,
  string
>;

/** The numbers of this service. */
export const ids = { sequence: 'object_ids', tables: Object.values(tables) };

export interface Moved {
  readonly id: number;
  /** Its last change as the import left it; null where that was not noted yet. */
  readonly leftUtc: string | null;
}

/** Nobody else makes the thing until the transaction ends; answers what is known of it where it is here. */
export async function lockMoved(tx: Db, site: string, foreignId: string): Promise<Moved | undefined> {
  await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 6))', [`${site}#${foreignId}`]);
  return tx.first<Moved>(
    'select id, left_utc as "leftUtc" from moved_objects where site = $1 and foreign_id = $2',
    [site, foreignId],
  );
}

/** In the transaction that writes it. */
export const noteMoved = (tx: Db, site: string, foreignId: string, kind: Kind, id: number): Promise<number> =>
  tx.run(
    `insert into moved_objects (site, foreign_id, kind, id, left_utc)
     select $1, $2, $3, id, modified_utc from ${tables[kind]} where id = $4
     on conflict (site, foreign_id) do update set kind = excluded.kind, id = excluded.id, left_utc = excluded.left_utc`,
    [site, foreignId, kind, id],
  );

/** What is there of a thing before it becomes another. */
export interface Before {
  readonly id: number;
  readonly status: string;
  readonly modifiedUtc: string;
}

export const lockRow = (tx: Db, kind: Kind, id: number): Promise<Before | undefined> =>
  tx.first<Before>(
    `select id, status, modified_utc as "modifiedUtc" from ${tables[kind]} where id = $1 for update`,
    [id],
  );

/** Columns by their names in SQL or as keys of rows. */
export async function insert(tx: Db, kind: Kind, row: object): Promise<void> {
  const { text, values } = insertList(row);
  await tx.run(`insert into ${tables[kind]} ${text}`, values);
}

export async function update(tx: Db, kind: Kind, row: { readonly id: number }): Promise<void> {
  const { id, ...changes } = row;
  const { text, values } = updateList(changes);
  await tx.run(`update ${tables[kind]} set ${text} where id = $1`, [id, ...values], { planFor: 'values' });
}

/** What others are told of an event. */
export interface Told {
  readonly id: number;
  readonly status: string;
  readonly slug: string;
  readonly categoryIds: readonly number[];
  readonly tagIds: readonly number[];
}
const TOLD = `id, status, slug, category_ids as "categoryIds", tag_ids as "tagIds"`;

/** Sets what is not set yet; undefined when nothing changed. */
export const linkEvent = (
  tx: Db,
  id: number,
  links: {
    readonly venue: number;
    readonly organizers: readonly number[];
    readonly image: number;
    readonly parent: number;
  },
): Promise<Told | undefined> =>
  tx.first<Told>(
    `update events e set
       venue_id = case when venue_id = 0 then $2 else venue_id end,
       organizer_ids = case when cardinality(organizer_ids) = 0 then $3::bigint[] else organizer_ids end,
       image_id = case when image_id = 0 then $4 else image_id end,
       parent = case when parent = 0 and $5 <> id then $5 else parent end
     where id = $1 and ((venue_id = 0 and $2 <> 0) or (cardinality(organizer_ids) = 0 and cardinality($3::bigint[]) > 0)
       or (image_id = 0 and $4 <> 0) or (parent = 0 and $5 <> 0 and $5 <> id))
     returning ${TOLD}`,
    [id, links.venue, links.organizers, links.image, links.parent],
  );

export const linkImage = (
  tx: Db,
  kind: 'venue' | 'organizer',
  id: number,
  image: number,
): Promise<{ status: string; slug: string } | undefined> =>
  tx.first<{ status: string; slug: string }>(
    `update ${tables[kind]} set image_id = $2 where id = $1 and image_id = 0 and $2 <> 0 returning status, slug`,
    [id, image],
  );

export interface Texts {
  readonly description: string;
  readonly excerpt: string;
}

export const lockTexts = (tx: Db, kind: Kind, id: number): Promise<Texts | undefined> =>
  tx.first<Texts>(
    `select description_raw as description, ${kind === 'event' ? 'excerpt_raw' : `''`} as excerpt
     from ${tables[kind]} where id = $1 for update`,
    [id],
  );

export const setText = (
  tx: Db,
  kind: Kind,
  id: number,
  column: 'description' | 'excerpt',
  raw: string,
  html: string,
): Promise<number> =>
  tx.run(`update ${tables[kind]} set ${column}_raw = $2, ${column}_html = $3 where id = $1`, [id, raw, html]);

export const findTold = (tx: Db, kind: Kind, id: number): Promise<Told | undefined> =>
  tx.first<Told>(
    kind === 'event'
      ? `select ${TOLD} from events where id = $1`
      : `select id, status, slug, '{}'::bigint[] as "categoryIds", '{}'::bigint[] as "tagIds" from ${tables[kind]} where id = $1`,
    [id],
  );

/** What addresses are made of. */
export interface Standing {
  readonly kind: Kind;
  readonly id: number;
  readonly status: string;
  readonly slug: string;
}

export const findStanding = (db: Db, some: readonly number[]): Promise<Standing[]> =>
  db.rows<Standing>(
    Object.entries(tables)
      .map(
        ([kind, table]) =>
          `select '${kind}' as kind, id, status, slug from ${table} where id = any($1::bigint[])`,
      )
      .join(' union all '),
    [some],
  );
