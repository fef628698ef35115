/** Sitemaps as they are kept, what they are made of, and which of them do not show yet what is indexed. */
import type { Db } from '@sevenfold/chassis/db/sql';

/** Objects whose numbers share all digits but the last four; the migration says the same. */
const BUCKET = 10_000;

/** A sitemap by its kind and the objects that are in it. */
export interface Place {
  readonly kind: string;
  /** From 0; its name counts from 1. */
  readonly bucket: number;
}

export interface Entry {
  readonly permalink: string;
  /** ISO 8601 */
  readonly modified: string | null;
  readonly images: readonly string[];
}

export interface Kept {
  readonly body: string;
  readonly digest: string;
  readonly modified: string;
}

export interface Listed extends Place {
  readonly modified: string;
}

export interface News {
  readonly permalink: string;
  readonly name: string;
  readonly published: string;
}

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;

/** Undefined where it has no entries, or was never made. */
export const find = (db: Db, { kind, bucket }: Place): Promise<Kept | undefined> =>
  db.first<Kept>(
    `select body, digest, ${iso('modified_at')} as modified from sitemaps
     where kind = $1 and bucket = $2 and entries > 0`,
    [kind, bucket],
  );

/** Those with entries. */
export const list = (db: Db, most: number): Promise<Listed[]> =>
  db.rows<Listed>(
    `select kind, bucket, ${iso('modified_at')} as modified from sitemaps where entries > 0
     order by kind, bucket limit $1`,
    [most],
  );

/** Sitemaps that do not show what is indexed. */
export const listStale = (db: Db, most: number): Promise<Place[]> =>
  db.rows<Place>('select kind, bucket from sitemap_changes group by kind, bucket limit $1', [most]);

export const isStale = async (db: Db, { kind, bucket }: Place): Promise<boolean> =>
  (await db.first('select 1 from sitemap_changes where kind = $1 and bucket = $2 limit 1', [
    kind,
    bucket,
  ])) !== undefined;

/** Whoever makes a sitemap has it alone: what was read earlier never replaces what was read later. */
export const tryLock = async (tx: Db, place: Place): Promise<boolean> =>
  (
    await tx.first<{ free: boolean }>('select pg_try_advisory_xact_lock(hashtext($1)) as free', [
      lockOf(place),
    ])
  )?.free === true;

export const lock = (tx: Db, place: Place): Promise<unknown> =>
  tx.first('select pg_advisory_xact_lock(hashtext($1))', [lockOf(place)]);

const lockOf = ({ kind, bucket }: Place): string => `sitemap ${kind} ${bucket}`;

/** Before the entries are read: what changes after that is noted anew. */
export const takeChanges = (tx: Db, { kind, bucket }: Place): Promise<number> =>
  tx.run('delete from sitemap_changes where kind = $1 and bucket = $2', [kind, bucket]);

/**
 * Of pictures no more bytes than a sitemap has room for: a text may show many, under addresses of two thousand characters, and there
 * are as many texts as a sitemap has entries. Those behind that have none.
 */
export const listEntries = (
  tx: Db,
  { kind, bucket }: Place,
  most: { readonly images: number; readonly bytes: number },
): Promise<Entry[]> =>
  tx.rows<Entry>(
    `select permalink, modified, case when sum(bytes) over (order by object_id) <= $5 then images else '{}' end as images
     from (
       select object_id, permalink, ${iso('coalesce(modified_at, published_at)')} as modified, images[1:$4] as images,
         octet_length(array_to_string(images[1:$4], '')) as bytes
       from indexables
       where is_listed and object_subtype = any ($1) and object_id >= $2 and object_id < $3) as entries
     order by object_id`,
    [
      kind === 'page' ? ['page', 'home'] : [kind],
      bucket * BUCKET,
      (bucket + 1) * BUCKET,
      most.images,
      most.bytes,
    ],
  );

/**
 * Its time is that of the change: making the same again is none. Crawlers are told whole seconds: the second change of one has the next,
 * or whoever knows the first would hear that there is nothing new, for as long as nothing else changes.
 */
export const keep = (
  tx: Db,
  { kind, bucket }: Place,
  { entries, body, digest }: { entries: number; body: string; digest: string },
): Promise<number> =>
  tx.run(
    `insert into sitemaps as old values ($1, $2, $3, now(), $4, $5)
     on conflict (kind, bucket) do update
       set entries = excluded.entries,
         modified_at = greatest(now(), date_trunc('second', old.modified_at) + interval '1 second'), digest = excluded.digest, body = excluded.body
       where old.digest <> excluded.digest`,
    [kind, bucket, entries, digest, body],
  );

/** How long a post is news. */
export const NEWS_HOURS = 48;

/** Posts of the last two days, the newest first. */
export const listNews = (db: Db, most: number): Promise<News[]> =>
  db.rows<News>(
    `select permalink, name, ${iso('published_at')} as published from indexables
     where is_listed and object_subtype = 'post' and published_at between now() - interval '${NEWS_HOURS} hours' and now()
     order by published_at desc limit $1`,
    [most],
  );
