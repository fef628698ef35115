/**
 * What becomes of posts, where many carry a term that changes or goes: jobs do it in pieces after the change. Of a term
 * that is gone a row (`removed_terms`) says what is still to be done; until then such a post names one that is not there.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { reorderPiece, takeOffPiece } from './on-posts';
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

const REORDER_JOB = 'reorder-posts';

/** From the beginning, with the names that are there when it comes to a post: however many of these run, the last one is right. */
export const reorderLater = (tx: Db, term: number, taxonomy: TaxonomyName, after = 0): Promise<number> =>
  enqueue(tx, QUEUE, REORDER_JOB, { term, taxonomy, after });

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
  job<Deps, { term: number; taxonomy: TaxonomyName; after: number }>({
    queue: QUEUE,
    name: REORDER_JOB,
    handle: async ({ tx, payload: { term, taxonomy, after } }) => {
      const { postsColumn: column } = taxonomies[taxonomy];
      const last = column && (await reorderPiece(tx, column, term, after));
      if (last !== undefined) await reorderLater(tx, term, taxonomy, last);
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
