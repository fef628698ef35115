/** Rows of the index, as indexing would have written them. */
import type { Db } from '@sevenfold/chassis/db/sql';

export interface Row {
  readonly type?: 'home' | 'post' | 'term' | 'user';
  readonly subtype?: string;
  readonly id: number;
  readonly status?: string;
  readonly isPublic?: boolean;
  readonly permalink?: string;
  readonly canonical?: string;
  readonly author?: number;
  readonly name?: string;
  readonly noindex?: boolean;
  readonly keyword?: string;
  readonly score?: number | null;
  readonly images?: readonly string[];
  readonly published?: string;
  readonly modified?: string | null;
}

/** In one statement, as a batch; rows that are there are overwritten. */
export async function put(db: Db, rows: readonly Row[]): Promise<void> {
  await db.run(
    `insert into indexables (object_type, object_id, object_subtype, status, is_public, version, made_for, read_no,
       permalink, canonical, author, name, is_noindex, focus_keyword, focus_keyword_score, images, published_at, modified_at)
     select type, id, subtype, status, "isPublic", '1', '', 1, permalink, canonical, author, name, noindex, keyword, score,
       images, published, modified
     from jsonb_to_recordset($1::jsonb) as r (type text, id bigint, subtype text, status text, "isPublic" boolean,
       permalink text, canonical text, author bigint, name text, noindex boolean, keyword text, score integer,
       images text[], published timestamptz, modified timestamptz)
     on conflict (object_type, object_id) do update set
       object_subtype = excluded.object_subtype, status = excluded.status, is_public = excluded.is_public,
       permalink = excluded.permalink, canonical = excluded.canonical, author = excluded.author, name = excluded.name,
       is_noindex = excluded.is_noindex, focus_keyword = excluded.focus_keyword,
       focus_keyword_score = excluded.focus_keyword_score, images = excluded.images,
       published_at = excluded.published_at, modified_at = excluded.modified_at`,
    [JSON.stringify(rows.map(whole))],
  );
}

const whole = (row: Row): Row => ({
  type: 'post',
  subtype: 'post',
  status: 'publish',
  isPublic: true,
  permalink: `http://site.test/${row.subtype ?? 'post'}-${row.id}/`,
  canonical: '',
  author: 3,
  name: `Number ${row.id}`,
  noindex: false,
  keyword: 'ferry',
  score: null,
  images: [],
  published: '2026-01-02T03:04:05Z',
  modified: '2026-02-03T04:05:06Z',
  ...row,
});
