/**
 * Galleries and players stand in rendered texts with the whole addresses of their files. A site that is started at another address, as one
 * that was filled for a rehearsal or put back from a backup is, has its texts made anew that show any.
 */
import { enqueue, enqueueAll } from '@sevenfold/chassis/db/outbox';
import type { Database } from '@sevenfold/chassis/db/sql';
import { type Job, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Deps } from '../deps';
import { QUEUE, RENDER_JOB } from './aftermath';

const JOB = 'render-elsewhere';
const PIECE = 500;
const SHOWS_FILES = String.raw`\[(gallery|playlist|audio|video)[\s\]]`;

interface Elsewhere {
  readonly address: string;
  readonly after: number;
}

/** At each start. A site of an earlier version, of which nothing is noted, may have come from elsewhere, too. */
export const noteAddress = (db: Database, address: string): Promise<void> =>
  db.transaction(async (tx) => {
    const changed = await tx.first<{ filled: boolean }>(
      `insert into shown_from as before (address) values ($1)
       on conflict (one) do update set address = excluded.address where before.address <> excluded.address
       returning exists (select from posts) as filled`,
      [address],
    );
    if (changed?.filled) await enqueue(tx, QUEUE, JOB, { address, after: 0 } satisfies Elsewhere);
  });

export const shownFromJobs: readonly Job<Deps>[] = [
  job<Deps, Elsewhere>({
    queue: QUEUE,
    name: JOB,
    handle: async ({ tx, deps, payload: { address, after } }) => {
      const now = await tx.first<{ address: string }>('select address from shown_from');
      // It has moved on meanwhile, and that has a job of its own.
      if (now?.address !== address) return;
      if (deps.siteUrl !== address) throw new TryLater('This worker still has the address before.', 10);
      const rows = await tx.rows<{ id: number; shows: boolean }>(
        `select id, content_raw ~ $2 as shows from posts where id > $1 and type in ('post', 'page') order by id limit ${PIECE}`,
        [after, SHOWS_FILES],
      );
      const showing = rows.filter(({ shows }) => shows).map(({ id }) => ({ id }));
      await enqueueAll(tx, QUEUE, RENDER_JOB, showing);
      const last = rows.at(-1);
      if (last && rows.length === PIECE)
        await enqueue(tx, QUEUE, JOB, { address, after: last.id } satisfies Elsewhere);
    },
  }),
];
