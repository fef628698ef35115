/** Rows of revisions: copies of the texts of a post or page, made when they change. */
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

/**
 * Keeps a copy of a post that was just updated, unless the last copy has the same texts. The post's own excerpt is
 * kept only if it was written: the one made from the content says nothing new.
 */
export async function keep(tx: Db, postId: number, author: number): Promise<void> {
  await tx.run(
    `with copy as (
       insert into revisions (parent, author, date_local, date_gmt, title_raw, title_html, content_raw, content_html,
                              excerpt_raw, excerpt_html)
       select p.id, $2, p.modified_local, p.modified_gmt, p.title_raw, p.title_html, p.content_raw, p.content_html,
              p.excerpt_raw, case when p.excerpt_raw = '' then '' else p.excerpt_html end
         from posts p left join revisions r on r.id = p.last_revision
        where p.id = $1
          and (r.id is null or (r.title_raw, r.content_raw, r.excerpt_raw) is distinct from (p.title_raw, p.content_raw, p.excerpt_raw))
       returning id)
     update posts set revision_count = revision_count + 1, last_revision = copy.id from copy where posts.id = $1`,
    [postId, author],
  );
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
