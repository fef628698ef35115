/** Rows of revisions: copies of the texts of a post or page, made when they change. */
import { snake } from '@sevenfold/chassis/db/columns';
import { type Late, PIECE_BYTES } from '@sevenfold/chassis/db/pieces';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Context } from '@sevenfold/chassis/http/context';
import type { PostSubject } from '../posts/policy';

/** A post or page as the rules look at it: of its texts, which may be of megabytes, its revisions show nothing. */
export interface Parent extends PostSubject {
  readonly id: number;
  readonly revisionCount: number;
}

export const findParent = (db: Db, id: number): Promise<Parent | undefined> =>
  db.first<Parent>(
    `select id, type, status, author, password, status_before_trash as "statusBeforeTrash", revision_count as "revisionCount"
       from posts where id = $1`,
    [id],
  );

interface RevisionTexts {
  readonly titleRaw: string;
  readonly titleHtml: string;
  readonly contentRaw: string;
  readonly contentHtml: string;
  readonly excerptRaw: string;
  readonly excerptHtml: string;
}

/** With the texts that its context shows. */
export interface RevisionRow extends Partial<RevisionTexts> {
  readonly id: number;
  readonly parent: number;
  readonly parentType: 'post' | 'page';
  readonly author: number;
  readonly dateLocal: string;
  readonly dateGmt: string;
}

/** What a context shows of the texts. */
const TEXTS: Readonly<Record<Context, readonly (keyof RevisionTexts)[]>> = {
  edit: ['titleRaw', 'titleHtml', 'contentRaw', 'contentHtml', 'excerptRaw', 'excerptHtml'],
  view: ['titleHtml', 'contentHtml', 'excerptHtml'],
  embed: ['titleHtml', 'excerptHtml'],
};

const OTHERS = `r.id, r.parent, r.author, r.date_local as "dateLocal", r.date_gmt as "dateGmt"`;
const sqlOf = (name: keyof RevisionTexts): string => `r.${snake(name)}`;

const columnsFor = (context: Context): string =>
  `${OTHERS}, p.type as "parentType", ${TEXTS[context].map((name) => `${sqlOf(name)} as "${name}"`).join(', ')}`;

export interface Listed {
  readonly rows: readonly RevisionRow[];
  /** Those behind them, which are too much to be read at once. */
  readonly late: readonly Late[];
}

/**
 * Newest first; a post may have thousands, so their number is bounded, and each may be of megabytes. The statement that tells the
 * sizes of all brings the texts of those that are no longer than the rest, if all were as long, could be together: mostly of all.
 */
export function list(
  db: Db,
  context: Context,
  parent: Pick<Parent, 'id' | 'type' | 'revisionCount'>,
  limit: number,
  skip: number,
): Promise<Listed> {
  const texts = TEXTS[context];
  const short = Math.floor(PIECE_BYTES / Math.max(1, Math.min(limit, parent.revisionCount)));
  const asked = db.rows<RevisionRow & Late>(
    `select ${OTHERS}, $4::text as "parentType", size,
            ${texts.map((name) => `case when size <= $5 then ${sqlOf(name)} end as "${name}"`).join(', ')}
       from revisions r, lateral (select ${texts.map((name) => `octet_length(${sqlOf(name)})`).join(' + ')} as size) as texts
      where r.parent = $1 order by r.id desc limit $2 offset $3`,
    [parent.id, limit, skip, parent.type, short],
  );
  return asked.then((all) => {
    let bytes = 0;
    const end = all.findIndex(({ size }) => (bytes += size) - size >= PIECE_BYTES);
    const rows = end < 0 ? all : all.slice(0, end);
    const late = end < 0 ? [] : all.slice(end);
    const long = rows.filter(({ size }) => size > short).map(({ id }) => id);
    return long.length === 0
      ? { rows, late }
      : withTexts(db, context, rows, long).then((whole) => ({ rows: whole, late }));
  });
}

/** Those of these ids are read once more; what is gone by then is left out. */
async function withTexts(
  db: Db,
  context: Context,
  rows: readonly RevisionRow[],
  ids: readonly number[],
): Promise<RevisionRow[]> {
  const wanted = new Set(ids);
  const found = new Map((await findMany(db, context, ids)).map((row) => [row.id, row]));
  return rows.flatMap((row) => (wanted.has(row.id) ? (found.get(row.id) ?? []) : row));
}

export const findMany = (db: Db, context: Context, ids: readonly number[]): Promise<RevisionRow[]> =>
  db.rows<RevisionRow>(
    `select ${columnsFor(context)} from revisions r join posts p on p.id = r.parent where r.id = any($1::bigint[])`,
    [ids],
  );

export const findById = (db: Db, context: Context, id: number): Promise<RevisionRow | undefined> =>
  db.first<RevisionRow>(
    `select ${columnsFor(context)} from revisions r join posts p on p.id = r.parent where r.id = $1`,
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
