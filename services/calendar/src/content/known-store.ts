/** The tables of what was last seen of the content service. Rows are only written when they differ. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';

export const findTerms = (db: Db, ids: readonly number[]): Promise<Term[]> =>
  db.rows<Term>(
    'select id, taxonomy, name, slug, description, parent, count, link from known_terms where id = any($1::bigint[])',
    [ids],
  );

/** Ids that events carry, and those that were seen before. */
export const termIdsInUse = async (db: Db): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      `select id from known_terms
       union
       select term from events, unnest(category_ids || tag_ids) as term
       order by 1`,
    )
  ).map(({ id }) => id);

export async function keepTerms(db: Db, found: readonly Term[], missing: readonly number[]): Promise<void> {
  if (missing.length > 0) await db.run('delete from known_terms where id = any($1::bigint[])', [missing]);
  if (found.length === 0) return;
  // Several names may have found one of them, and no statement writes a row twice.
  const sorted = [...new Map(found.map((term) => [term.id, term])).values()].sort((a, b) => a.id - b.id);
  await db.run(
    `insert into known_terms as k (id, taxonomy, name, slug, description, parent, count, link)
     select id, taxonomy, name, slug, coalesce(description, ''), coalesce(parent, 0), coalesce(count, 0), coalesce(link, '')
       from jsonb_to_recordset($1::jsonb)
         as r(id bigint, taxonomy text, name text, slug text, description text, parent bigint, count bigint, link text)
     on conflict (id) do update set taxonomy = excluded.taxonomy, name = excluded.name, slug = excluded.slug,
       description = excluded.description, parent = excluded.parent, count = excluded.count, link = excluded.link,
       seen_at = now()
     where (k.taxonomy, k.name, k.slug, k.description, k.parent, k.count, k.link) is distinct from
       (excluded.taxonomy, excluded.name, excluded.slug, excluded.description, excluded.parent, excluded.count, excluded.link)`,
    [JSON.stringify(sorted)],
  );
}

export async function findBySlug(
  db: Db,
  taxonomy: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows<{ wanted: string; id: number }>(
    `select distinct on (wanted) wanted, id from unnest($2::text[]) as wanted
       join known_terms k on k.taxonomy = $1 and (k.slug = wanted or lower(k.name) = lower(wanted))
     order by wanted, k.slug <> wanted, id`,
    [taxonomy, slugs],
  );
  return new Map(rows.map(({ wanted, id }) => [wanted, id]));
}

export const findDescendants = async (db: Db, ids: readonly number[]): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      `with recursive below as (
         select unnest($1::bigint[]) as id
         union
         select k.id from known_terms k join below on k.parent = below.id)
       select id from below`,
      [ids],
    )
  ).map(({ id }) => id);

export const findMedia = async (db: Db, ids: readonly number[]): Promise<Media[]> =>
  (await db.rows<{ media: Media }>('select media from known_media where id = any($1::bigint[])', [ids])).map(
    ({ media }) => media,
  );

/** Pictures that are shown, and those that were seen before. */
export const mediaIdsInUse = async (db: Db): Promise<number[]> =>
  (
    await db.rows<{ id: number }>(
      `select id from known_media
       union
       select image_id from (
         select image_id from events union select image_id from venues union select image_id from organizers) as shown
       where image_id <> 0
       order by 1`,
    )
  ).map(({ id }) => id);

export async function keepMedia(db: Db, found: readonly Media[], missing: readonly number[]): Promise<void> {
  if (missing.length > 0) await db.run('delete from known_media where id = any($1::bigint[])', [missing]);
  if (found.length === 0) return;
  const sorted = [...found].sort((a, b) => a.id - b.id);
  await db.run(
    `insert into known_media as k (id, media)
     select (value->>'id')::bigint, value from jsonb_array_elements($1::jsonb) as value
     on conflict (id) do update set media = excluded.media, seen_at = now() where k.media <> excluded.media`,
    [JSON.stringify(sorted)],
  );
}

const SETTINGS = 'site';

export const findSettings = async (db: Db): Promise<Settings[]> =>
  (await db.rows<{ value: Settings }>('select value from known_settings where name = $1', [SETTINGS])).map(
    ({ value }) => value,
  );

export async function keepSettings(db: Db, settings: Settings): Promise<void> {
  await db.run(
    `insert into known_settings as k (name, value) values ($1, $2::jsonb)
     on conflict (name) do update set value = excluded.value, seen_at = now() where k.value <> excluded.value`,
    [SETTINGS, JSON.stringify(settings)],
  );
}
