/** The `author` of a body. Writing in somebody else's name takes the right to change what others wrote. */
import type { Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import type { Deps } from '../deps';
import { may } from '../common/policy';
import { apiError } from '../errors';

/** Undefined when `author` is. One call of the content service when it is somebody else: 503 when it is away. */
export async function readAuthor(
  deps: Deps,
  author: number | undefined,
  asker: {
    readonly actor: Actor;
    readonly param?: string;
    readonly current?: number;
  },
): Promise<number | undefined> {
  const { actor, param = 'author', current } = asker;
  if (author === undefined || author === actor.id || author === current) return author;
  if (!may(actor, 'edit_others'))
    throw apiError(
      'rest_cannot_edit_others',
      403,
      'You are not allowed to write in the name of somebody else.',
    );
  const { users } = await deps.content.identity.getUsers({ ids: [author] });
  if (users.length === 0)
    throw invalidParam(param, `author: there is no user with the number ${author}.`, 'rest_invalid_author');
  return author;
}
