/** Lists of media: the list of posts with filters by file, and without what hangs on posts that the caller may not see. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Found } from '@sevenfold/chassis/db/list';
import type { Conditions } from '@sevenfold/chassis/db/sql';
import type { Context } from '@sevenfold/chassis/http/context';
import { anyStatuses } from '@sevenfold/publishing/statuses';
import type { Deps } from '../deps';
import { type PreparedList, prepareList, visibility } from '../posts/list';
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
  const list = prepareList(actor, 'attachment', query, { timezone, context, fallbackStatus: 'inherit' });
  const before = list.conditions.parts.length;
  if (context !== 'edit') addParents(list.conditions, actor);
  if (query.media_type !== undefined) list.conditions.add('m.mime_type like ?', `${query.media_type}/%`);
  // Unknown types filter nothing: clients of old send them and expect everything.
  if (query.mime_type !== undefined && isKnownMime(query.mime_type))
    list.conditions.add('m.mime_type = ?', query.mime_type);
  const prepared: PreparedList =
    list.conditions.parts.length === before ? list : { ...list, counted: undefined, track: undefined };
  const { rows, total, more } = await listPosts<store.FlatRow>(
    deps,
    actor,
    { columns, joins: store.JOINS },
    prepared,
    query,
  );
  return { rows: rows.map(store.toRow), total, more };
}

/** An attachment is as visible as its post, whose statuses are judged by the rules of its own type. */
function addParents(conditions: Conditions, actor: Actor): void {
  const parts = ["p.status <> 'inherit'", 'pp.id is null'];
  let whole = true;
  for (const type of ['post', 'page'] as const) {
    const visible = visibility(conditions, actor, type, [...anyStatuses, 'trash', 'auto-draft'], {
      alias: 'pp',
    });
    whole &&= visible.isWhole;
    parts.push(`pp.type = '${type}' and (${visible.sql})`);
  }
  if (!whole) conditions.add(parts.map((part) => `(${part})`).join(' or '));
}
