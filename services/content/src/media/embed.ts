/** Attachments inside other objects (`_embed`). What may not be seen is an error in its place. */
import type { ApiError } from '@sevenfold/chassis/errors';
import { filterContext } from '@sevenfold/chassis/http/present';
import { denied } from '@sevenfold/chassis/http/allow';
import type { ContentCall } from '../deps';
import { errors } from '../errors';
import { canRead, cannotRead } from './policy';
import { presentMedia } from './presenter';
import { mediaSchema } from './schema';
import * as store from './store';

export async function embedMedia(
  call: ContentCall,
  ids: readonly (string | number)[],
): Promise<Map<string | number, object | ApiError>> {
  const rows = new Map((await store.findEmbedded(call.deps.db, ids.map(Number))).map((row) => [row.id, row]));
  return new Map(
    ids.map((id): [string | number, object] => {
      const row = rows.get(Number(id));
      if (!row) return [id, errors.postNotFound()];
      if (!canRead(call.actor, row)) return [id, denied(cannotRead(), call.actor)];
      return [id, filterContext(presentMedia(row, call.deps), mediaSchema, 'embed')];
    }),
  );
}
