/** What stands for addresses of other sites, by address. */
import type { Db } from '@sevenfold/chassis/db/sql';

export interface StoredEmbed {
  readonly url: string;
  /** Empty: a link is all there is. */
  readonly html: string;
  readonly isFresh: boolean;
}

export interface FoundEmbed {
  readonly url: string;
  readonly html: string;
  /** Unix seconds. */
  readonly freshUntil: number;
}

/** Pixels: what most columns of text have. */
export const WIDTH = 600;

export async function findMany(db: Db, urls: readonly string[]): Promise<Map<string, StoredEmbed>> {
  if (urls.length === 0) return new Map();
  const rows = await db.rows<StoredEmbed>(
    `select url, html, fresh_until > now() as "isFresh" from stored_embeds
      where md5(url) in (select md5(u) from unnest($1::text[]) as u) and width = $2`,
    [urls, WIDTH],
  );
  return new Map(rows.map((row) => [row.url, row]));
}

/** What was there stays where nothing new is: a provider that says nothing today may be away. */
export const keep = (tx: Db, embeds: readonly FoundEmbed[]): Promise<number> =>
  tx.run(
    `insert into stored_embeds as s (url, width, html, fresh_until)
      select e.url, $2, e.html, to_timestamp(e."freshUntil")
        from jsonb_to_recordset($1::jsonb) as e (url text, html text, "freshUntil" double precision)
        order by md5(e.url)
      on conflict (md5(url), width) do update
        set html = case when excluded.html = '' then s.html else excluded.html end, fresh_until = excluded.fresh_until`,
    [JSON.stringify(embeds), WIDTH],
  );
