/**
 * Posts as JSON text in memory, for lists: making one from its row costs more than finding it. An entry belongs to one
 * version of a row (the transaction that wrote it), so nothing ever has to be dropped when a post changes: the next
 * list asks for another version. Only what everybody sees alike is kept: view and embed context, no password sent.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import {
  type ItemSchema,
  ReadyItem,
  embed,
  embedTargets,
  filterContext,
} from '@sevenfold/chassis/http/present';
import type { ContentCall } from '../deps';
import { embeds } from '../embeds';
import { canReadPost } from './policy';
import { presentPost } from './presenter';
import { type PostRow, VIEW_COLUMNS } from './store';

/** What a list selects to find out which version of which post it shows. */
export const VERSION_COLUMNS = 'p.id, p.xmin::text as version';

export interface PostVersion {
  readonly id: number;
  readonly version: string;
}

type VersionedRow = PostRow & { readonly version: string };

/**
 * What strangers get embedded with a post, as the versions of all rows that it is made of: the parent, the author, the
 * terms, the newest comments with whether they have answers, and the picture with what that hangs on.
 */
const EMBEDDED_VERSION = `concat_ws('|',
  (select o.xmin from posts o where p.parent <> 0 and o.id = p.parent),
  (select u.xmin from users u where u.id = p.author),
  (select string_agg(concat(t.id, ':', t.xmin), ',' order by t.id) from terms t where t.id = any(p.categories || p.tags)),
  (select string_agg(concat(c.id, ':', c.version, ':', exists (
       select from comments k where k.parent = c.id and k.parent > 0 and k.status in ('approved', 'hold'))), ',')
     from (select id, xmin as version from comments where post = p.id and status = 'approved' and type = 'comment'
            order by date_gmt desc, id desc limit 10) c),
  (select concat(a.xmin, ':', m.xmin, ':', h.xmin) from posts a
     left join media m on m.post_id = a.id left join posts h on h.id = a.parent and a.parent <> 0
    where p.featured_media <> 0 and a.id = p.featured_media))`;

export const EMBEDDED_COLUMNS = `${VERSION_COLUMNS}, ${EMBEDDED_VERSION} as embedded`;

export interface EmbeddedVersion extends PostVersion {
  readonly embedded: string;
}

/** As readyItems, with everything embedded as strangers see it. Only for calls of strangers that embed everything. */
export async function readyEmbeddedItems(
  call: ContentCall<object>,
  schema: ItemSchema,
  listed: readonly EmbeddedVersion[],
): Promise<ReadyItem[]> {
  const { readyPosts } = call.deps;
  const items = new Map<number, ReadyItem>();
  const missing: EmbeddedVersion[] = [];
  for (const post of listed) {
    const entry = readyPosts.get(`embedded:${call.context}:${post.id}`);
    if (entry?.version === `${post.version}|${post.embedded}`) items.set(post.id, entry.item);
    else missing.push(post);
  }
  const plain = await readyById(call, schema, missing);
  const ids = [...plain.keys()];
  const whole = (await embed([...plain.values()], true, embeds, call)) as ReadyItem[];
  const versions = new Map(missing.map((post) => [post.id, `${post.version}|${post.embedded}`]));
  ids.forEach((id, index) => {
    // Nothing is left to follow.
    const item = new ReadyItem((whole[index] as ReadyItem).json);
    items.set(id, item);
    readyPosts.set(`embedded:${call.context}:${id}`, { version: versions.get(id) as string, item });
  });
  return listed.flatMap(({ id }) => items.get(id) ?? []);
}

/** The posts of a list that the caller may see, in its order. */
export async function readyItems(
  call: ContentCall<object>,
  schema: ItemSchema,
  listed: readonly PostVersion[],
): Promise<ReadyItem[]> {
  const items = await readyById(call, schema, listed);
  return listed.flatMap(({ id }) => items.get(id) ?? []);
}

async function readyById(
  call: ContentCall<object>,
  schema: ItemSchema,
  listed: readonly PostVersion[],
): Promise<Map<number, ReadyItem>> {
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
  return items;
}

const findVersions = (db: Db, ids: readonly number[]): Promise<VersionedRow[]> =>
  db.rows<VersionedRow>(
    `select ${VIEW_COLUMNS}, p.xmin::text as version from posts p where p.id = any($1::bigint[])`,
    [ids],
  );
