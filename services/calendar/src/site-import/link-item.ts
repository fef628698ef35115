/** Links to things that came later than what links to them. */
import type { LinkItemRequest } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import type { Deps } from '../deps';
import { kindOf } from './add-item';
import { tell } from './news';
import * as store from './store';

export async function linkItem(deps: Deps, { kind: name, id, links }: LinkItemRequest): Promise<void> {
  const kind = kindOf(name);
  if (!links) return;
  await deps.db.transaction(async (tx) => {
    if (kind === 'event') {
      const row = await store.linkEvent(tx, id, links);
      if (row) await tell(tx, kind, row, row.status);
      return;
    }
    const row = await store.linkImage(tx, kind, id, links.image);
    if (row) await tell(tx, kind, { id, ...row, categoryIds: [], tagIds: [] }, row.status);
  });
  deps.memory.forget(kind === 'event' ? 'events' : 'linked');
}
