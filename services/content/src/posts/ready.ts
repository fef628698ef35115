/**
 * Posts as JSON text in memory, for lists: making one from its row costs more than finding it. An entry belongs to one
 * version of a row (the transaction that wrote it), so nothing ever has to be dropped when a post changes: the next
 * list asks for another version. Only what everybody sees alike is kept: view and embed context, no password sent.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type ItemSchema, ReadyItem, embedTargets, filterContext } from '@sevenfold/chassis/http/present';
import type { Log } from '@sevenfold/chassis/log';
import { LRUCache } from 'lru-cache';
import type { ContentCall } from '../deps';
import { canReadPost } from './policy';
import { presentPost } from './presenter';
import { type PostRow, VIEW_COLUMNS } from './store';
import { type PostTotals, openTotals } from './totals';

interface Entry {
  readonly version: string;
  readonly item: ReadyItem;
}

export type ReadyPosts = LRUCache<string, Entry>;

const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The caches of posts of one process. */
export function openPostCaches(options: { databaseUrl: string; log: Log }): {
  postTotals: PostTotals;
  readyPosts: ReadyPosts;
} {
  const readyPosts: ReadyPosts = new LRUCache({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ item }) => item.json.length + 200,
  });
  // After a lost connection it may be another server that counts its transactions anew.
  const postTotals = openTotals({ ...options, onBreak: () => readyPosts.clear() });
  return { postTotals, readyPosts };
}

/** What a list selects to find out which version of which post it shows. */
export const VERSION_COLUMNS = 'p.id, p.xmin::text as version';

export interface PostVersion {
  readonly id: number;
  readonly version: string;
}

type VersionedRow = PostRow & { readonly version: string };

/** The posts of a list that the caller may see, in its order. */
export async function readyItems(
  call: ContentCall<object>,
  schema: ItemSchema,
  listed: readonly PostVersion[],
): Promise<ReadyItem[]> {
  const { readyPosts, db } = call.deps;
  const items = new Map<number, ReadyItem>();
  const missing: number[] = [];
  for (const { id, version } of listed) {
    const entry = readyPosts.get(`${call.context}:${id}`);
    if (entry?.version === version) items.set(id, entry.item);
    else missing.push(id);
  }
  if (missing.length > 0) {
    for (const row of await findVersions(db, missing)) {
      // Between the two queries a post may have become what the caller must not see.
      if (!canReadPost(call.actor, row)) continue;
      const shown = filterContext(presentPost(row, { ...call, args: {} }), schema, call.context);
      const item = new ReadyItem(JSON.stringify(shown), embedTargets(shown));
      items.set(row.id, item);
      readyPosts.set(`${call.context}:${row.id}`, { version: row.version, item });
    }
  }
  return listed.flatMap(({ id }) => items.get(id) ?? []);
}

const findVersions = (db: Db, ids: readonly number[]): Promise<VersionedRow[]> =>
  db.rows<VersionedRow>(
    `select ${VIEW_COLUMNS}, p.xmin::text as version from posts p where p.id = any($1::bigint[])`,
    [ids],
  );
