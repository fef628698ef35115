/** How lists of media are read: long descriptions as they are sent. No item is kept as text, since few ask for the same ones. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { Ready } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { withKnownSlugs } from '../posts/generated-slugs';
import { canEditPost, canReadPost } from '../posts/policy';
import * as store from './store';

export const readyMedia: Ready<Deps, ArgTable, store.MediaRow> = {
  id: 'p.id',
  version: 'p.xmin::text',
  key: () => undefined,
  columns: (_call, most) => (most === undefined ? store.COLUMNS : store.columnsWithin(most)),
  size: () => store.SIZE,
  find: async ({ deps, actor, context }, columns, ids) => {
    const rows = await store.findVersions(deps.db, columns, ids);
    if (context !== 'edit') return rows.filter((row) => canReadPost(actor, row));
    return withKnownSlugs(
      deps,
      rows.filter((row) => canEditPost(actor, row)),
    );
  },
};
