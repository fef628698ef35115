/**
 * What becomes of posts, where many carry a term that changes or goes: jobs do it in pieces after the change. Of a term
 * that is gone a row (`removed_terms`) says what is still to be done; until then such a post names one that is not there.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { job } from '@sevenfold/chassis/queue/jobs';
import { inPieces } from '@sevenfold/chassis/queue/pieces';
import type { Deps } from '../deps';
import { reorderPiece, takingOff } from './on-posts';
import { type Taxonomy, type TaxonomyName, taxonomies } from './taxonomies';

/** What posts get that would be left without a term. */
export const fallbackOf = async (
  { settings }: Pick<Deps, 'settings'>,
  { name }: Pick<Taxonomy, 'name'>,
  tx: Db,
): Promise<number | undefined> =>
  name === 'category' ? (await settings.within(tx)).default_category : undefined;

const QUEUE = 'content.terms';

const takeOff = inPieces({
  queue: QUEUE,
  name: 'take-off-posts',
  table: 'removed_terms',
  key: { term: 'id' },
  columns: 'id, taxonomy',
  workOf: async ({ id, taxonomy }: { id: number; taxonomy: TaxonomyName }, deps: Deps, tx) => {
    const { name, postsColumn: column } = taxonomies[taxonomy];
    if (!column) throw new Error(`no posts carry terms of ${name}`);
    return takingOff(tx, { id, taxonomy, column, fallback: await fallbackOf(deps, { name }, tx) });
  },
});

/** The term is deleted in this transaction. */
export async function takeOffLater(tx: Db, id: number, taxonomy: TaxonomyName): Promise<void> {
  // A term that moved in with its number may be deleted again before the first one has left all posts.
  await tx.run('insert into removed_terms (id, taxonomy) values ($1, $2) on conflict do nothing', [
    id,
    taxonomy,
  ]);
  await takeOff.begin(tx, { term: id });
}

const REORDER_JOB = 'reorder-posts';

/** From the beginning, with the names that are there when it comes to a post: however many of these run, the last one is right. */
export const reorderLater = (tx: Db, term: number, taxonomy: TaxonomyName, after = 0): Promise<number> =>
  enqueue(tx, QUEUE, REORDER_JOB, { term, taxonomy, after });

export const termJobs = [
  takeOff.job,
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
export const termSweeps = [takeOff.sweep];
