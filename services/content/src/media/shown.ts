/** SQL of what galleries and players in texts show of files: hundreds are read at once, and descriptions may be as long as posts. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Linkable } from '../posts/links';
import { FILE_COLUMNS, type FlatParent, JOINS, type MediaRow, withParent } from './store';

const MOST_ATTACHED = 100;
/** Of a title, an alternative text or a caption beside a picture: a longer one would be a text of its own. */
const LONGEST_SHOWN = 5_000;

/** Of a file, without its description. */
export type ShownRow = Omit<Linkable, 'type'> &
  Pick<
    MediaRow,
    | 'type'
    | 'author'
    | 'password'
    | 'statusBeforeTrash'
    | 'parent'
    | 'parentPost'
    | 'titleHtml'
    | 'excerptHtml'
  > &
  Pick<MediaRow, 'file' | 'mimeType' | 'altText' | 'details'>;

const unlessLong = (column: string): string =>
  `case when octet_length(${column}) <= ${LONGEST_SHOWN} then ${column} else '' end`;
const SHOWN = `select p.id, p.type, p.status, p.slug, p.path, p.author, p.password, p.parent,
  p.status_before_trash as "statusBeforeTrash", ${unlessLong('p.title_html')} as "titleHtml",
  ${unlessLong('p.excerpt_html')} as "excerptHtml", ${unlessLong('m.alt_text')} as "altText", ${FILE_COLUMNS}
  from posts p ${JOINS}`;
type FlatShownRow = Omit<ShownRow, 'parentPost'> & FlatParent;

export async function findShown(db: Db, ids: readonly number[]): Promise<ShownRow[]> {
  const text = `${SHOWN} where p.id = any($1::bigint[]) and p.type = 'attachment'`;
  return (await db.rows<FlatShownRow>(text, [ids])).map(withParent);
}

/** What hangs on a post, in the order that its author gave it. */
export async function findAttached(db: Db, postId: number): Promise<ShownRow[]> {
  const flat = await db.rows<FlatShownRow>(
    `${SHOWN} where p.parent = $1 and p.type = 'attachment' and p.status = 'inherit'
      order by p.menu_order, p.id limit ${MOST_ATTACHED}`,
    [postId],
  );
  return flat.map(withParent);
}
