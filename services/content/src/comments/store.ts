/**
 * The comments' SQL beside lists (list.ts): one comment with its post, the checks of a new one, and writes. Whoever
 * writes a comment locks its post first: writers of posts come to their comments in the same order.
 */
import { type Db } from '@sevenfold/chassis/db/sql';
import type { Linkable } from '../posts/links';
import type { PostSubject } from '../posts/policy';
import type { PostTypeName } from '../posts/types';

/** `post-trashed`: went to the trash with its post. */
export type CommentStatus = 'approved' | 'hold' | 'spam' | 'trash' | 'post-trashed';

export interface CommentRow {
  readonly id: number;
  readonly post: number;
  readonly parent: number;
  readonly author: number;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly authorIp: string;
  readonly authorUserAgent: string;
  readonly dateLocal: string;
  readonly dateGmt: string;
  readonly contentRaw: string;
  readonly contentHtml: string;
  readonly status: CommentStatus;
  /** Earlier statuses, the latest first, separated by spaces: what leaving the trash or the spam folder restores. */
  readonly statusBefore: string;
  readonly type: string;
  readonly hasChildren: boolean;
  /** Undefined when the post is gone. */
  readonly commentedPost: Linkable | undefined;
}

/** The post of a comment as far as rules and links ask. */
export interface CommentedPost extends Linkable, PostSubject {
  readonly type: PostTypeName;
  readonly status: string;
  readonly commentStatus: string;
}

/** A comment with all that decides who may see it. */
export interface CommentSubject extends CommentRow {
  readonly commentedPost: CommentedPost | undefined;
}

export const COMMENT_COLUMNS = `c.id, c.post, c.parent, c.author, c.author_name as "authorName",
  c.author_email as "authorEmail", c.author_url as "authorUrl", c.author_ip as "authorIp",
  c.author_user_agent as "authorUserAgent", c.date_local as "dateLocal", c.date_gmt as "dateGmt",
  c.content_raw as "contentRaw", c.content_html as "contentHtml", c.status, c.status_before as "statusBefore", c.type,
  exists (select from comments k where k.parent = c.id and k.parent > 0 and k.status in ('approved', 'hold')) as "hasChildren"`;

const POST_COLUMNS = `p.id as "postId", p.type as "postType", p.status as "postStatus", p.slug as "postSlug",
  p.path as "postPath", p.author as "postAuthor", p.password as "postPassword",
  p.status_before_trash as "postStatusBeforeTrash", p.comment_status as "postCommentStatus",
  a.id as "aboveId", a.type as "aboveType", a.status as "aboveStatus", a.author as "aboveAuthor",
  a.password as "abovePassword", a.status_before_trash as "aboveStatusBeforeTrash"`;

/** For `… from comments c ${POST_JOIN}`: the post, and what it hangs on if it is an attachment. */
const ABOVE_JOIN = `left join posts a on p.status = 'inherit' and a.id = p.parent`;
const POST_JOIN = `left join posts p on p.id = c.post ${ABOVE_JOIN}`;

interface PostColumns {
  readonly postId: number | null;
  readonly postType: PostTypeName;
  readonly postStatus: string;
  readonly postSlug: string;
  readonly postPath: string;
  readonly postAuthor: number;
  readonly postPassword: string;
  readonly postStatusBeforeTrash: string;
  readonly postCommentStatus: string;
  readonly aboveId: number | null;
  readonly aboveType: PostTypeName;
  readonly aboveStatus: string;
  readonly aboveAuthor: number;
  readonly abovePassword: string;
  readonly aboveStatusBeforeTrash: string;
}

function toPost(row: PostColumns): CommentedPost | undefined {
  if (row.postId === null) return undefined;
  const post = {
    id: row.postId,
    type: row.postType,
    status: row.postStatus,
    slug: row.postSlug,
    path: row.postPath,
    author: row.postAuthor,
    password: row.postPassword,
    statusBeforeTrash: row.postStatusBeforeTrash,
    commentStatus: row.postCommentStatus,
  };
  if (row.aboveId === null) return post;
  const parentPost = {
    type: row.aboveType,
    status: row.aboveStatus,
    author: row.aboveAuthor,
    password: row.abovePassword,
    statusBeforeTrash: row.aboveStatusBeforeTrash,
  };
  return { ...post, parentPost };
}

type FlatRow = Omit<CommentRow, 'commentedPost'> & PostColumns;
const toSubject = (row: FlatRow): CommentSubject => ({ ...row, commentedPost: toPost(row) });

export async function findById(db: Db, id: number): Promise<CommentSubject | undefined> {
  const row = await db.first<FlatRow>(
    `select ${COMMENT_COLUMNS}, ${POST_COLUMNS} from comments c ${POST_JOIN} where c.id = $1`,
    [id],
  );
  return row && toSubject(row);
}

export async function findMany(db: Db, ids: readonly number[]): Promise<CommentSubject[]> {
  const rows = await db.rows<FlatRow>(
    `select ${COMMENT_COLUMNS}, ${POST_COLUMNS} from comments c ${POST_JOIN} where c.id = any($1::bigint[])`,
    [ids],
  );
  return rows.map(toSubject);
}

export async function findPosts(db: Db, ids: readonly number[]): Promise<CommentedPost[]> {
  const rows = await db.rows<PostColumns>(
    `select ${POST_COLUMNS} from posts p ${ABOVE_JOIN} where p.id = any($1::bigint[])`,
    [ids],
  );
  return rows.map((row) => toPost(row) as CommentedPost);
}

export interface PostWithComments {
  readonly post: CommentedPost;
  readonly comments: CommentRow[];
}

/** Bytes of those that are shown of one thing: a hundred things may be shown together. */
const MOST_BYTES = 200_000;

/** The first of them, and as many more as fit beside it. */
const fitting = (newest: string): string =>
  `select * from (
     select newest.*, row_number() over before as place,
       sum(octet_length(content_raw) + octet_length(content_html)) over before as bytes
     from (${newest}) as newest window before as (order by date_gmt desc, id desc)) as counted
   where place = 1 or bytes <= ${MOST_BYTES}`;

/** The newest approved comments of each post, in one statement however many posts are asked for. */
export async function newestOfPosts(
  db: Db,
  ids: readonly number[],
  most: number,
): Promise<PostWithComments[]> {
  const rows = await db.rows<FlatRow | (PostColumns & { id: null })>(
    `select ${COMMENT_COLUMNS}, ${POST_COLUMNS}
     from posts p ${ABOVE_JOIN}
     left join lateral (
       ${fitting(`select * from comments where post = p.id and status = 'approved' and type = 'comment'
       order by date_gmt desc, id desc limit $2`)}
     ) c on true
     where p.id = any($1::bigint[])
     order by p.id, c.date_gmt desc, c.id desc`,
    [ids, most],
  );
  const byPost = new Map<number, PostWithComments>();
  for (const row of rows) {
    let entry = byPost.get(row.postId as number);
    if (!entry)
      byPost.set(row.postId as number, (entry = { post: toPost(row) as CommentedPost, comments: [] }));
    if (row.id !== null) entry.comments.push(toSubject(row));
  }
  return [...byPost.values()];
}

/** The newest approved comments on what is public. */
export async function newestPublic(db: Db, most: number): Promise<CommentSubject[]> {
  const rows = await db.rows<FlatRow>(
    `select ${COMMENT_COLUMNS}, ${POST_COLUMNS} from comments c ${POST_JOIN}
     where c.post_public and c.status = 'approved' and c.type = 'comment'
     order by c.date_gmt desc, c.id desc limit $1`,
    [most],
  );
  return rows.map(toSubject);
}

/** The newest approved answers to each comment. */
export async function newestAnswers(
  db: Db,
  parents: readonly number[],
  most: number,
): Promise<CommentSubject[]> {
  const rows = await db.rows<FlatRow>(
    `select ${COMMENT_COLUMNS}, ${POST_COLUMNS}
     from unnest($1::bigint[]) as asked(id)
     join lateral (
       ${fitting(`select * from comments where parent = asked.id and parent > 0 and status = 'approved' and type = 'comment'
       order by date_gmt desc, id desc limit $2`)}
     ) c on true
     ${POST_JOIN}
     order by c.date_gmt desc, c.id desc`,
    [parents, most],
  );
  return rows.map(toSubject);
}

// ---- a new comment -----------------------------------------------------------------------------------------------

/** The posts as they stay until the transaction ends. */
export async function lockPosts(tx: Db, ids: readonly number[]): Promise<CommentedPost[]> {
  await tx.rows('select id from posts where id = any($1::bigint[]) order by id for share', [ids]);
  return findPosts(tx, ids);
}

export type CommentValues = Omit<CommentRow, 'id' | 'hasChildren' | 'commentedPost' | 'type'>;

/** What is known of it besides as soon as it is there. */
export interface NewComment extends CommentValues {
  /** Taken before (filter-store.ts); otherwise the next one. */
  readonly id?: number;
  readonly referrer?: string;
  /** See filter-store.ts. */
  readonly unchecked?: CommentStatus | '';
}

const columnOf: Readonly<Record<keyof NewComment, string>> = {
  id: 'id',
  post: 'post',
  parent: 'parent',
  author: 'author',
  authorName: 'author_name',
  authorEmail: 'author_email',
  authorUrl: 'author_url',
  authorIp: 'author_ip',
  authorUserAgent: 'author_user_agent',
  dateLocal: 'date_local',
  dateGmt: 'date_gmt',
  contentRaw: 'content_raw',
  contentHtml: 'content_html',
  status: 'status',
  statusBefore: 'status_before',
  referrer: 'referrer',
  unchecked: 'unchecked',
};

/** Answers the id. */
export async function insert(tx: Db, values: NewComment): Promise<number> {
  const names = Object.keys(values) as (keyof NewComment)[];
  const row = await tx.first<{ id: number }>(
    `insert into comments (${names.map((name) => columnOf[name]).join(', ')})
     values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    names.map((name) => values[name]),
  );
  return (row as { id: number }).id;
}

// ---- changes -----------------------------------------------------------------------------------------------------

/** The comment as it stays until the transaction ends, its post locked before it. */
export async function lockById(
  tx: Db,
  id: number,
  posts: readonly number[],
): Promise<CommentSubject | undefined> {
  await tx.rows('select id from posts where id = any($1::bigint[]) order by id for share', [posts]);
  await tx.rows('select id from comments where id = $1 for update', [id]);
  return findById(tx, id);
}

export async function update(tx: Db, id: number, changes: Partial<CommentValues>): Promise<void> {
  const names = Object.keys(changes) as (keyof CommentValues)[];
  if (names.length === 0) return;
  await tx.run(
    `update comments set ${names.map((name, index) => `${columnOf[name]} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...names.map((name) => changes[name])],
  );
}

/** $2 and what it answers, up to the first. */
const ABOVE = `with recursive above (id) as (
  select $2::bigint
  union
  select c.parent from comments c join above on c.id = above.id where c.parent > 0)`;

/** Whether the parent answers the comment, at whatever distance. Until the transaction ends nobody else asks. */
export async function isAnswerTo(tx: Db, id: number, parent: number): Promise<boolean> {
  await tx.run(`select pg_advisory_xact_lock(hashtext('content:comment-trees'))`);
  return (await tx.first(`${ABOVE} select from above where id = $1`, [id, parent])) !== undefined;
}

/** Where it answers nothing yet, and the other is above nothing that it is above of. */
export const setParent = (tx: Db, id: number, parent: number): Promise<number> =>
  tx.run(
    `${ABOVE}
     update comments set parent = $2 where id = $1 and parent = 0 and $1 not in (select id from above)
       and exists (select from comments o where o.id = $2 and o.post = comments.post)`,
    [id, parent],
  );

/** Deletes the comment; the answers to it move up to what it answered. */
export async function remove(tx: Db, comment: Pick<CommentRow, 'id' | 'parent'>): Promise<void> {
  const moveUp = (): Promise<number> =>
    tx.run('update comments set parent = $2 where parent = $1', [comment.id, comment.parent]);
  await moveUp();
  // Where it waited for somebody who deleted an answer at the same time, what answered that has come here by now.
  await moveUp();
  await tx.run('delete from comments where id = $1', [comment.id]);
}
