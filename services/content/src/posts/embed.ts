/** Posts and pages inside other answers: one query for all that an answer refers to. */
import { type EmbedLoader, filterContext } from '@sevenfold/chassis/http/present';
import { denied } from '@sevenfold/chassis/http/allow';
import type { ContentCall } from '../deps';
import { canReadPost } from './policy';
import { presentPost } from './presenter';
import { pageSchema, postSchema } from './schema';
import * as store from './store';

/** Keys are ids of posts and pages; what the caller may not read is the error that reading it would be. */
export const embedPosts: EmbedLoader<ContentCall> = async (call, keys) => {
  const rows = await store.findEmbedded(call.deps.db, keys.map(Number));
  // Whatever the answer around it shows, an embedded item has the embed context and gets no password.
  const inner: ContentCall = { ...call, context: 'embed', args: {} };
  const embedded = new Map<string | number, unknown>();
  for (const row of rows) {
    if (row.type === 'attachment') continue;
    embedded.set(
      row.id,
      canReadPost(call.actor, row)
        ? filterContext(presentPost(row, inner), row.type === 'page' ? pageSchema : postSchema, 'embed')
        : denied(
            { code: 'rest_forbidden', message: `You are not allowed to read this ${row.type}.` },
            call.actor,
          ),
    );
  }
  return embedded;
};
