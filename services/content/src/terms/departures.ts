/**
 * A term that goes is taken off the posts that carry it: in the transaction of the deletion, or by a job where they are many. Until
 * then lists of their terms name one that is not there.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import * as onPosts from './on-posts';
import { type Taxonomy, type TaxonomyName, taxonomies } from './taxonomies';

const QUEUE = 'content.terms';
const TAKE_OFF_JOB = 'take-off-posts';

const goOn = (tx: Db, id: number): Promise<number> => enqueue(tx, QUEUE, TAKE_OFF_JOB, { id });

/** The term goes with this transaction, which has its row. */
export async function departLater(tx: Db, taxonomy: Taxonomy, id: number): Promise<void> {
  await tx.run('insert into departed_terms (id, taxonomy) values ($1, $2)', [id, taxonomy.name]);
  await goOn(tx, id);
}

/** What others hold is free within moments. */
const PAUSE_SECONDS = 2;

export const termJobs: readonly Job<Deps>[] = [
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: TAKE_OFF_JOB,
    handle: async ({ deps, tx, payload: { id } }) => {
      const gone = await tx.first<{ taxonomy: TaxonomyName }>(
        'update departed_terms set taken_at = now() where id = $1 returning taxonomy',
        [id],
      );
      if (!gone) return;
      const { default_category: fallback } = await deps.settings.get();
      const left = await onPosts.takeOffPiece(tx, taxonomies[gone.taxonomy], id, fallback);
      if (left === 'held by others') throw new TryLater('Others hold what is left.', PAUSE_SECONDS);
      if (left === 'more') await goOn(tx, id);
      else await tx.run('delete from departed_terms where id = $1', [id]);
    },
  }),
];

/** Where a job failed for the last time. */
export const termSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'departed-terms',
    everySeconds: 600,
    run: ({ db }) =>
      db.transaction(async (tx) => {
        const forgotten = await tx.rows<{ id: number }>(
          `update departed_terms set taken_at = now() where taken_at < now() - interval '1 hour' returning id`,
        );
        for (const { id } of forgotten) await goOn(tx, id);
      }),
  },
];
