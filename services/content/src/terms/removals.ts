/**
 * A term that many posts carry leaves them after it is gone, by a job. A row (`removed_terms`) says what is still to be
 * done; until then such a post names a term that is not there.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { takeOffPiece } from './on-posts';
import { type Taxonomy, type TaxonomyName, taxonomies } from './taxonomies';

/** What posts get that would be left without a term. */
export const fallbackOf = async (
  { settings }: Pick<Deps, 'settings'>,
  { name }: Pick<Taxonomy, 'name'>,
): Promise<number | undefined> => (name === 'category' ? (await settings.get()).default_category : undefined);

/** The term is deleted in this transaction. */
export async function takeOffLater(tx: Db, id: number, taxonomy: TaxonomyName): Promise<void> {
  // A term that moved in with its number may be deleted again before the first one has left all posts.
  await tx.run('insert into removed_terms (id, taxonomy) values ($1, $2) on conflict do nothing', [
    id,
    taxonomy,
  ]);
  await goOn(tx, id);
}

const QUEUE = 'content.terms';
const TAKE_OFF_JOB = 'take-off-posts';

const goOn = (tx: Db, term: number): Promise<number> => enqueue(tx, QUEUE, TAKE_OFF_JOB, { term });

/** What another holds is free within moments. */
const PAUSE_SECONDS = 2;

export const termJobs: readonly Job<Deps>[] = [
  job<Deps, { term: number }>({
    queue: QUEUE,
    name: TAKE_OFF_JOB,
    handle: async ({ deps, tx, payload: { term } }) => {
      const removed = await tx.first<{ taxonomy: TaxonomyName }>(
        'update removed_terms set taken_at = now() where id = $1 returning taxonomy',
        [term],
      );
      if (!removed) return;
      const { name, postsColumn: column } = taxonomies[removed.taxonomy];
      if (!column) throw new Error(`no posts carry terms of ${name}`);
      const fallback = await fallbackOf(deps, { name });
      const left = await takeOffPiece(tx, { id: term, taxonomy: name, column, fallback });
      if (left === 'held by others') throw new TryLater('Others hold what is left.', PAUSE_SECONDS);
      if (left === 'more') await goOn(tx, term);
      else await tx.run('delete from removed_terms where id = $1', [term]);
    },
  }),
];

/** Where a job failed for the last time. */
export const termSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'removed-terms',
    everySeconds: 600,
    run: ({ db }) =>
      db.transaction(async (tx) => {
        const forgotten = await tx.rows<{ id: number }>(
          `update removed_terms set taken_at = now() where taken_at < now() - interval '1 hour' returning id`,
        );
        for (const { id } of forgotten) await goOn(tx, id);
      }),
  },
];
