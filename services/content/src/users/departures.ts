/**
 * What a user wrote goes on when the user goes: in the transaction of the deletion, or by a job where it is much. A row
 * (`departed_authors`) says what is still to be done, since heirs may go, too, before they have got everything.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { doAll, inPieces, isMuch } from '@sevenfold/chassis/queue/pieces';
import type { Deps } from '../deps';
import { type Departure, leaving } from '../posts/actions';

const pieces = inPieces({
  queue: 'content.users',
  name: 'move-posts',
  table: 'departed_authors',
  key: { author: 'id' },
  columns: 'id as author, heir, editor',
  workOf: async (departure: Departure, { settings }: Deps, tx) =>
    leaving(tx, departure, (await settings.within(tx)).timezone),
});

/** The user is deleted, or at least locked, in this transaction. */
export async function depart(tx: Db, departure: Departure, timezone: string): Promise<void> {
  const { author, heir, editor } = departure;
  // What was still to come to the one who goes. It is locked before any posts, as the job does.
  await tx.run('update departed_authors set heir = $2 where heir = $1', [author, heir]);
  const work = leaving(tx, departure, timezone);
  if (!(await isMuch(work))) return doAll(work);
  await tx.run('insert into departed_authors (id, heir, editor) values ($1, $2, $3)', [author, heir, editor]);
  await pieces.begin(tx, { author });
}

export const userJobs = [pieces.job];
export const userSweeps = [pieces.sweep];
