/** The newest comments as strangers may read them, for feeds: of an item, or of everything that is public. */
import { stranger } from '@sevenfold/chassis/actor';
import type { RpcContext } from '@sevenfold/chassis/grpc/method';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { SaidComment } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { isoLocal } from '@sevenfold/text/dates';
import { canReadComments } from '../comments/policy';
import { commentLink } from '../comments/presenter';
import * as store from '../comments/store';
import { NO_TEXT } from '@sevenfold/text/told';
import type { Deps } from '../deps';
import { type Row, readable, selectOf, tagsOfTold } from '../posts/told';
import { findItem, tagsOfAddress } from './find';

export interface Said {
  readonly comments: readonly SaidComment[];
  readonly posts: readonly Post[];
}

type Show = RpcContext['show'];

/** Of all of a feed together; it is kept as a whole. */
const MOST_TEXT = 600_000;
const NOTHING: Said = { comments: [], posts: [] };

/** Of an item that everybody may read without a password. */
export async function saidAt(deps: Deps, url: string, most: number, show: Show): Promise<Said> {
  show(['post', ...tagsOfAddress(deps, url)]);
  const row = await findItem(deps, url, NO_TEXT);
  if (!row) return NOTHING;
  show([...tagsOfTold(row), `replies:${row.id}`]);
  const item = readable(deps, stranger, row);
  const [found] = item ? await store.newestOfPosts(deps.db, [row.id], most) : [];
  if (!item || !found || !canReadComments(stranger, found.post, undefined)) return NOTHING;
  return { comments: told(deps, found.comments, show), posts: [bare(item)] };
}

export async function saidAnywhere(deps: Deps, most: number, show: Show): Promise<Said> {
  show(['comment']);
  const newest = await store.newestPublic(deps.db, most);
  const rows = await deps.db.rows<Row>(`${selectOf(NO_TEXT)} where p.id = any($1::bigint[])`, [
    [...new Set(newest.map(({ post }) => post))],
  ]);
  show(rows.flatMap(tagsOfTold));
  const posts = rows
    .flatMap((row) => readable(deps, stranger, row) ?? [])
    .filter((post) => !post.hasPassword);
  const shown = new Set(posts.map(({ id }) => id));
  const comments = newest.filter(({ post }) => shown.has(post));
  return { comments: told(deps, comments, show), posts: posts.map(bare) };
}

const bare = (post: Post): Post => ({ ...post, content: '', excerpt: '' });

function told({ siteUrl }: Deps, rows: readonly store.CommentRow[], show: Show): SaidComment[] {
  let room = MOST_TEXT;
  show(rows.map(({ id }) => `comment:${id}`));
  return rows.flatMap((row): SaidComment[] => {
    room -= row.contentHtml.length;
    if (room < 0) return [];
    const { id, post, authorName, contentHtml, dateGmt } = row;
    return [
      {
        id,
        post,
        link: commentLink(siteUrl, row),
        authorName,
        content: contentHtml,
        dateGmt: isoLocal(dateGmt),
      },
    ];
  });
}
