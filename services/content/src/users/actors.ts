/** A user as the actor he would be: for what is done in his name while he is away. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { capabilitiesOf } from './roles';
import * as store from './store';

/** A stranger when there is no such user. */
export async function findActor(db: Db, id: number): Promise<Actor> {
  const user = id > 0 ? await store.findById(db, id) : undefined;
  if (!user) return stranger;
  const { username, name, email, url, roles } = user;
  return { id, username, name, email, url, roles, capabilities: new Set(capabilitiesOf(roles)) };
}
