/** The form that a path names. */
import type { FormsCall } from '../deps';
import { errors } from '../errors';
import * as store from './store';

export const ITEM = '/contact-forms/(?P<id>[\\d]+)';

/** Looks at the path alone: a form that is not there is not there for anybody. */
export async function loadForm({
  deps,
  args: { id },
}: FormsCall<{ readonly id?: number }>): Promise<store.FormRow> {
  const row = await store.findById(deps.db, id ?? 0);
  if (!row) throw errors.notFound();
  return row;
}
