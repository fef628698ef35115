/** What makes the items of a list of posts the same for everybody who sees them (`ready` of a route). */
import { isLoggedIn } from '@sevenfold/chassis/actor';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { Ready, Version } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { type Titled, type WithGeneratedSlug, withKnownSlugs } from './generated-slugs';
import { actionsOf } from './links';
import { canEditPost, canReadPost } from './policy';
import * as store from './store';
import type { PostRow } from './store';
import type { PostTypeName } from './types';

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

export const readyPosts = (type: PostTypeName): Ready<Deps, ArgTable, PostRow> => ({
  id: 'p.id',
  version: 'p.xmin::text',
  // Whoever may see a post sees the same of it, and of those who edit it whoever may do the same.
  key: ({ context, actor }) => (context === 'edit' ? `edit ${actionsOf(actor, type).join()}` : context),
  embedded: ({ actor }) => (isLoggedIn(actor) ? undefined : EMBEDDED_VERSION),
  columns: ({ context }, most) => {
    const isFull = context === 'edit';
    if (most !== undefined) return store.columnsWithin(most, isFull);
    return isFull ? store.FULL_COLUMNS : store.VIEW_COLUMNS;
  },
  size: ({ context }) => (context === 'edit' ? store.FULL_SIZE : store.VIEW_SIZE),
  listed: ({ context }) => (context === 'edit' ? store.TITLED_COLUMNS : undefined),
  find: async ({ deps, actor, context }, columns, ids) => {
    if (context !== 'edit')
      return (await store.findVersions<PostRow>(deps.db, columns, ids)).filter((row) =>
        canReadPost(actor, row),
      );
    const rows = await store.findVersions<store.FullPostRow>(deps.db, columns, ids);
    return forEditors(
      deps,
      rows.filter((row) => canEditPost(actor, row)),
    );
  },
});

/** Rows in edit context. What it shows of other rows, the slug that is free, is part of the version that a list asked for. */
export async function forEditors<R extends Titled & Partial<Version>>(
  deps: Deps,
  rows: readonly R[],
): Promise<WithGeneratedSlug<R>[]> {
  const shown = await withKnownSlugs(deps, rows);
  return shown.map((row) =>
    row.version === undefined ? row : { ...row, version: `${row.version} ${row.generatedSlug}` },
  );
}
