/** Choosing for one object: kept and put among what waits to be read anew, together or not at all. */
import type { ChosenForObject, Overrides as Message } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import type { Deps } from '../deps';
import type { Key } from '../indexables/build';
import { addAgain } from '../indexables/queue';
import { findShown } from '../indexables/store';
import { readChanges, toMessage } from './fields';
import * as store from './store';

export async function chosenFor({ db }: Pick<Deps, 'db'>, key: Key): Promise<ChosenForObject> {
  const { objectType, objectId } = key;
  const chosen = await store.findMany(db, objectType, [objectId]);
  const row = await findShown(db, objectType, objectId);
  return {
    ...key,
    overrides: toMessage(chosen.get(objectId) ?? {}),
    primaryFocusKeywordScore: row?.focusKeywordScore ?? undefined,
    readabilityScore: row?.readabilityScore ?? undefined,
  };
}

export async function choose(
  { db }: Pick<Deps, 'db'>,
  key: Key,
  sent: Message,
  cleared: readonly string[],
): Promise<ChosenForObject> {
  const changes = readChanges(sent, cleared);
  await db.transaction(async (tx) => {
    await store.change(tx, key, changes);
    await addAgain(tx, key);
  });
  return chosenFor({ db }, key);
}
