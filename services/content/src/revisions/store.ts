/** Rows of revisions: copies of the texts of a post or page, made when they change. */
import { snake } from '@sevenfold/chassis/db/columns';
import type { Db } from '@sevenfold/chassis/db/sql';

export interface RevisionRow {
  readonly id: number;
  readonly parent: number;
  readonly parentType: 'post' | 'page';
  readonly author: number;
  readonly dateLocal: string;
  readonly dateGmt: string;
  readonly titleRaw: string;
  readonly titleHtml: string;
  readonly contentRaw: string;
  readonly contentHtml: string;
  readonly excerptRaw: string;
  readonly excerptHtml: string;
}

const COLUMNS = `r.id, r.parent, p.type as "parentType", r.author, r.date_local as "dateLocal", r.date_gmt as "dateGmt",
  r.title_raw as "titleRaw", r.title_html as "titleHtml", r.content_raw as "contentRaw",
  r.content_html as "contentHtml", r.excerpt_raw as "excerptRaw", r.excerpt_html as "excerptHtml"`;

/** Newest first; a post may have thousands, so their number is bounded. */
export const list = (db: Db, parent: number, limit: number, skip: number): Promise<RevisionRow[]> =>
  db.rows<RevisionRow>(
    `select ${COLUMNS} from revisions r join posts p on p.id = r.parent
      where r.parent = $1 order by r.id desc limit $2 offset $3`,
    [parent, limit, skip],
  );

export const findById = (db: Db, id: number): Promise<RevisionRow | undefined> =>
  db.first<RevisionRow>(
    `select ${COLUMNS} from revisions r join posts p on p.id = r.parent where r.id = $1`,
    [id],
  );

/** What a copy has of its post, and the type of it. */
const COPIED = {
  modifiedLocal: 'timestamp',
  modifiedGmt: 'timestamptz',
  titleRaw: 'text',
  titleHtml: 'text',
  contentRaw: 'text',
  contentHtml: 'text',
  excerptRaw: 'text',
  excerptHtml: 'text',
} as const;

/**
 * SQL that goes with the change of a post (`$1`) and keeps a copy of what becomes of it, unless the last copy has the same texts; in
 * one statement, as whatever hangs on rows of posts (search, counts, news) pays for each change. `placeOf` tells which value the
 * change has for a column, undefined for one that stays. The post's own excerpt is kept only if it was written: the one made from the
 * content says nothing new.
 */
export function copySql(
  placeOf: (column: string) => string | undefined,
  author: string,
): { readonly copy: string; readonly set: string } {
  const valueOf = (column: keyof typeof COPIED): string => {
    const place = placeOf(column);
    return place === undefined ? `p.${snake(column)}` : `${place}::${COPIED[column]}`;
  };
  const texts = [valueOf('titleRaw'), valueOf('contentRaw'), valueOf('excerptRaw')].join(', ');
  return {
    copy: `with copy as (
       insert into revisions (parent, author, date_local, date_gmt, title_raw, title_html, content_raw, content_html,
                              excerpt_raw, excerpt_html)
       select p.id, ${author}::bigint, ${valueOf('modifiedLocal')}, ${valueOf('modifiedGmt')}, ${valueOf('titleRaw')},
              ${valueOf('titleHtml')}, ${valueOf('contentRaw')}, ${valueOf('contentHtml')}, ${valueOf('excerptRaw')},
              case when ${valueOf('excerptRaw')} = '' then '' else ${valueOf('excerptHtml')} end
         from posts p left join revisions r on r.id = p.last_revision
        where p.id = $1
          and (r.id is null or (r.title_raw, r.content_raw, r.excerpt_raw) is distinct from (${texts}))
       returning id)`,
    set: `revision_count = revision_count + (select count(*) from copy),
       last_revision = coalesce((select id from copy), last_revision)`,
  };
}

/** The number and the last one of the post are set anew. Zero when the revision is gone already. */
export async function remove(tx: Db, id: number): Promise<number> {
  const gone = await tx.first<{ parent: number }>('delete from revisions where id = $1 returning parent', [
    id,
  ]);
  if (!gone) return 0;
  await tx.run(
    `update posts set (revision_count, last_revision) =
       (select count(*), coalesce(max(r.id), 0) from revisions r where r.parent = posts.id)
      where id = $1`,
    [gone.parent],
  );
  return 1;
}
