/** Rows of revisions: copies of the texts of a post or page, made when they change. */
import { snake } from '@sevenfold/chassis/db/columns';
import { type Late, PIECE_BYTES } from '@sevenfold/chassis/db/pieces';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Context } from '@sevenfold/chassis/http/context';

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

const columnsFor = (context: Context, parentType = 'p.type'): string =>
  `r.id, r.parent, ${parentType} as "parentType", r.author, r.date_local as "dateLocal", r.date_gmt as "dateGmt",
   ${TEXTS[context].map((name) => `r.${snake(name)} as "${name}"`).join(', ')}`;

export interface Listed {
  readonly rows: readonly RevisionRow[];
  /** Those behind them, which are too much to be read at once. */
  readonly late: readonly Late[];
}

/** Newest first; a post may have thousands, so their number is bounded, and each may be of megabytes. */
export async function list(
  db: Db,
  context: Context,
  parent: { readonly id: number; readonly type: string },
  limit: number,
  skip: number,
): Promise<Listed> {
  const size = TEXTS[context].map((name) => `octet_length(${snake(name)})`).join(' + ');
  const all = await db.rows<RevisionRow & { place: number; size: number; isLate: boolean }>(
    `with listed as materialized (
       select id, ${size} as size from revisions where parent = $1 order by id desc limit $2 offset $3),
     placed as (select id as place, size, sum(size) over (order by id desc) - size >= ${PIECE_BYTES} as "isLate" from listed)
     select ${columnsFor(context, '$4::text')}, place, size, "isLate"
       from placed left join revisions r on r.id = place and not "isLate"
      order by place desc`,
    [parent.id, limit, skip, parent.type],
  );
  return {
    rows: all.filter(({ isLate }) => !isLate),
    late: all.filter(({ isLate }) => isLate).map(({ place, size: bytes }) => ({ id: place, size: bytes })),
  };
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
