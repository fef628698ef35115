/** Lists of media: the list of posts with filters by file, and without what hangs on posts that the caller may not see. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Found } from '@sevenfold/chassis/db/list';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Context } from '@sevenfold/chassis/http/context';
import { anyStatuses } from '@sevenfold/publishing/statuses';
import type { Deps } from '../deps';
import { prepareList, visibility } from '../posts/list';
import { listPosts } from '../posts/run-list';
import { isKnownMime } from '@sevenfold/chassis/files/file-types';
import type { MediaQuery } from './schema';
import * as store from './store';

export async function listMedia(
  deps: Deps,
  actor: Actor,
  query: MediaQuery,
  context: Context,
  columns: string,
): Promise<Found<store.MediaRow>> {
  const { timezone } = await deps.settings.get();
  const list = prepareList(actor, 'attachment', query, {
    timezone,
    context,
    fallbackStatus: 'inherit',
    hidden: context === 'edit' ? undefined : (conditions, base) => hiddenFiles(conditions, actor, base),
    filter: (conditions) => {
      if (query.media_type !== undefined) conditions.check('p.mime_type like ?', `${query.media_type}/%`);
      // Unknown types filter nothing: clients of old send them and expect everything.
      if (query.mime_type !== undefined && isKnownMime(query.mime_type))
        conditions.check('p.mime_type = ?', query.mime_type);
    },
  });
  const { rows, total, more } = await listPosts<store.FlatRow>(
    deps,
    actor,
    { columns, joins: store.JOINS },
    list,
    query,
  );
  return { rows: rows.map(store.toRow), total, more };
}

/**
 * An attachment is as visible as its post, whose statuses are judged by the rules of its own type. Statement of the ids of those
 * of the list that the caller may not see: they hang on what is not published, which is little beside all the others.
 */
function hiddenFiles(conditions: Conditions, actor: Actor, base: string): string | undefined {
  const hidden = (['post', 'page'] as const).flatMap((type) => {
    const statuses = [...anyStatuses, 'trash', 'auto-draft'];
    const visible = visibility(conditions, actor, type, statuses, { alias: 'pp' });
    return visible.isWhole ? [] : [`(pp.type = '${type}' and not (${visible.sql}))`];
  });
  if (hidden.length === 0) return undefined;
  // Written so that PostgreSQL reckons with few posts and few files of each: it takes a quarter of all posts for not published where most
  // rows are files, and would read every file instead, or make no hash table of what is found.
  return `select p.id
    from unnest(array(select pp.id from posts pp where pp.type in ('post', 'page') and pp.status <> 'publish' and (${hidden.join(' or ')}))) as above (id)
    cross join lateral (
      select p.id from posts p
       where ${base} and p.parent between above.id and above.id and p.parent <> 0 and p.status = 'inherit' offset 0) as p`;
}
