/** Which object a permalink of this site names. Tolerates scheme, trailing slash, query and fragment; `/?p=12` is no permalink. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { withoutWww } from '@sevenfold/text/site-host';
import { trim, trimEnd } from '@sevenfold/text/trim';
import { addressedSql } from './links';

export async function findIdByUrl(db: Db, siteUrl: string, url: string): Promise<number | undefined> {
  const path = pathBelowSite(siteUrl, url);
  return path === undefined || path === '' ? undefined : findIdByPath(db, path);
}

/** `path` as pathBelowSite gives it. */
export async function findIdByPath(db: Db, path: string): Promise<number | undefined> {
  const row = await db.first<{ id: number }>(
    `select id from posts p where path = $1 and slug <> '' and ${addressedSql('p')}
      order by case type when 'page' then 0 when 'post' then 1 else 2 end, id limit 1`,
    [path],
  );
  return row?.id;
}

/** The path as rows hold it, without slashes around; undefined for addresses of other sites. */
export function pathBelowSite(siteUrl: string, text: string): string | undefined {
  const site = new URL(siteUrl);
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (withoutWww(url.host) !== withoutWww(site.host)) return undefined;
  if (['p', 'page_id', 'attachment_id'].some((name) => url.searchParams.has(name))) return undefined;
  const base = trimEnd(site.pathname, '/');
  if (url.pathname !== base && !url.pathname.startsWith(`${base}/`)) return undefined;
  // Slugs hold letters of other scripts as lower-case escapes.
  return trim(url.pathname.slice(base.length), '/').replace(/%[\dA-F]{2}/gi, (escape) =>
    escape.toLowerCase(),
  );
}
