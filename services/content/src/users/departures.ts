/**
 * What a user wrote goes on when the user goes: in the transaction of the deletion, or by a job where it is much. A row
 * (`departed_authors`) says what is still to be done, since heirs may go, too, before they have got everything.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { type Departure, isMuch, moveAll, movePiece } from '../posts/actions';

/** The user is deleted, or at least locked, in this transaction. */
export async function depart(tx: Db, departure: Departure, timezone: string): Promise<void> {
  const { author, heir, editor } = departure;
  // What was still to come to the one who goes. It is locked before any posts, as the job does.
  await tx.run('update departed_authors set heir = $2 where heir = $1', [author, heir]);
  if (!(await isMuch(tx, departure))) return moveAll(tx, departure, timezone);
  await tx.run('insert into departed_authors (id, heir, editor) values ($1, $2, $3)', [author, heir, editor]);
  await goOn(tx, author);
}

const QUEUE = 'content.users';
const MOVE_JOB = 'move-posts';

const goOn = (tx: Db, author: number): Promise<number> => enqueue(tx, QUEUE, MOVE_JOB, { author });

/** What another holds is free within moments. */
const PAUSE_SECONDS = 2;

export const userJobs: readonly Job<Deps>[] = [
  job<Deps, { author: number }>({
    queue: QUEUE,
    name: MOVE_JOB,
    handle: async ({ deps, tx, payload: { author } }) => {
      const departure = await tx.first<Departure>(
        `update departed_authors set taken_at = now() where id = $1 returning id as author, heir, editor`,
        [author],
      );
      if (!departure) return;
      const { timezone } = await deps.settings.get();
      const left = await movePiece(tx, departure, timezone);
      if (left === 'held by others') throw new TryLater('Others hold what is left.', PAUSE_SECONDS);
      if (left === 'more') await goOn(tx, author);
      else await tx.run('delete from departed_authors where id = $1', [author]);
    },
  }),
];

/** Where a job failed for the last time. */
export const userSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'departed-authors',
    everySeconds: 600,
    run: ({ db }) =>
      db.transaction(async (tx) => {
        const forgotten = await tx.rows<{ id: number }>(
          `update departed_authors set taken_at = now() where taken_at < now() - interval '1 hour' returning id`,
        );
        for (const { id } of forgotten) await goOn(tx, id);
      }),
  },
];
