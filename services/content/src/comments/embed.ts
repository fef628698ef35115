/** What `_embed` follows to comments: the newest of a post, as `comments?post=ID` lists them, and a single one. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { type EmbedLoader, filterContext } from '@sevenfold/chassis/http/present';
import { denied } from '@sevenfold/chassis/http/allow';
import type { ContentCall } from '../deps';
import { canReadComments, cannotReadPost, refuseReading } from './policy';
import { presentComment } from './presenter';
import { commentSchema } from './schema';
import * as store from './store';
import { apiError } from '../errors';

const MOST_OF_A_POST = 10;

const embedded = (row: store.CommentRow, call: ContentCall): object =>
  filterContext(presentComment(row, { siteUrl: call.deps.siteUrl, root: call.root }), commentSchema, 'embed');

/** The one that was sent is for the post that was asked for, or that of the comment: it is tried on no other. */
function passwordFor({ args, subject }: ContentCall, post: number): unknown {
  const asked = subject as { id?: number; post?: number; posts?: readonly { id: number }[] } | undefined;
  const own = asked?.posts?.length === 1 ? asked.posts[0]?.id : (asked?.post ?? asked?.id);
  return own === post ? args.password : undefined;
}

/** Keys are ids of posts. */
export const embedComments: EmbedLoader<ContentCall> = async (call, keys) => {
  const found = await store.newestOfPosts(call.deps.db, keys.map(Number), MOST_OF_A_POST);
  return new Map(
    found.map(({ post, comments: rows }) => [
      post.id,
      canReadComments(call.actor, post, passwordFor(call, post.id))
        ? rows.map((row) => embedded(row, call))
        : denied(cannotReadPost(), call.actor),
    ]),
  );
};

/** Keys are ids of comments: the newest answers to each that the caller may read, as `comments?parent=ID` lists them. */
export const embedChildren: EmbedLoader<ContentCall> = async (call, keys) => {
  const rows = await store.newestAnswers(call.deps.db, keys.map(Number), MOST_OF_A_POST);
  const items = new Map<string | number, object[]>(keys.map((key) => [key, []]));
  for (const row of rows)
    if (!refuseReading(call.actor, row, passwordFor(call, row.post)))
      items.get(row.parent)?.push(embedded(row, call));
  return items;
};

/** Keys are ids of comments. */
export const embedComment: EmbedLoader<ContentCall> = async (call, keys) => {
  const rows = await store.findMany(call.deps.db, keys.map(Number));
  const items = new Map<string | number, unknown>();
  for (const key of keys) items.set(key, commentNotFound());
  for (const row of rows) {
    const denial = refuseReading(call.actor, row, passwordFor(call, row.post));
    items.set(row.id, denial ? denied(denial, call.actor) : embedded(row, call));
  }
  return items;
};

export const commentNotFound = (): ApiError =>
  apiError('rest_comment_invalid_id', 404, 'There is no such comment.');
