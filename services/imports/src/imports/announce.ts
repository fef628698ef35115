/** Says, in the transaction of what ended it, that an import has come to its end. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import * as store from './store';

/** `before`: the row as it was locked; one that is over already ends no second time. */
export async function announceEnd(tx: Db, before: store.ImportRow): Promise<void> {
  if (before.finishedAt !== null) return;
  const after = await store.findById(tx, before.id);
  if (after && after.finishedAt !== null)
    await emit(tx, 'imports.import.finished', { id: after.importId, state: after.state });
}
