/** Users inside other objects (`_embed`): authors of posts and comments. An error stands for those who may not be seen. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { filterContext } from '@sevenfold/chassis/http/present';
import { denied } from '@sevenfold/chassis/http/allow';
import type { ContentCall } from '../deps';
import { userNotFound } from './actions';
import { brief } from '../common/description';
import { canViewUser, cannotView } from './policy';
import { presentUser } from './presenter';
import { userSchema } from './schema';
import * as store from './store';

/** Strangers see those who have published something: who these are is news of every user that is shown. */
export const AUTHORS = 'authors';

export async function embedUsers(
  call: ContentCall,
  keys: readonly (string | number)[],
): Promise<Map<string | number, object | ApiError>> {
  const rows = await store.findMany(call.deps.db, keys.map(Number));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    keys.map((key): [string | number, object] => {
      const row = byId.get(Number(key));
      if (!row) return [key, userNotFound()];
      if (!canViewUser(call.actor, row)) return [key, denied(cannotView(), call.actor)];
      return [
        key,
        filterContext(
          presentUser({ ...row, description: brief(row.description) }, call.deps),
          userSchema,
          'embed',
        ),
      ];
    }),
  );
}
