/**
 * Scheduled publishing: a job for the moment itself, and a sweep that promises it in time and makes up for what was due while nobody worked. Both publish
 * what is due and nothing else, so running them twice, or late, or for a post that was moved meanwhile, is harmless.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emitAll } from '@sevenfold/chassis/db/outbox';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import { promiseNear } from '@sevenfold/publishing/due';
import type { Deps } from '../deps';
import * as terms from '../terms/store';
import {
  PUBLISHING,
  QUEUE,
  type PostState,
  changed,
  movePathsBelow,
  orderNamingFilesOf,
  termDeltas,
} from './aftermath';

type Due = Omit<PostState, 'dateGmt'>;

/**
 * Publishes what is due: one post, or all that nobody is writing. The one is waited for: nobody else would publish it at its moment.
 * Answers how many.
 */
export async function publishDue(tx: Db, id?: number): Promise<number> {
  // The clock of the database may be a little behind the one that the job was timed by.
  const rows = await tx.rows<Due>(
    `update posts p set status = 'publish'
      where p.id = any(array(
        select id from posts
         where status = 'future' and date_gmt <= now() + interval '1 second' and ($1::bigint is null or id = $1)
         order by id limit 500 for update ${id === undefined ? 'skip locked' : ''}))
      returning p.id, p.type, p.status, p.slug, p.path, p.categories, p.tags`,
    [id ?? null],
  );
  if (rows.length === 0) return 0;
  await terms.adjustOwnCounts(tx, termDeltas([], rows));
  for (const row of rows) await movePathsBelow(tx, [row.id]);
  await orderNamingFilesOf(
    tx,
    rows.map(({ id: published }) => published),
  );
  await emitAll(
    tx,
    'content.post.changed',
    rows.map((row) => changed(row, 'future')),
  );
  return rows.length;
}

export const postJobs: readonly Job<Deps>[] = [
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: PUBLISHING.name,
    handle: async ({ tx, payload }) => void (await publishDue(tx, payload.id)),
  }),
];

export const postSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'content.publish-overdue',
    everySeconds: 30,
    run: async ({ db }) => {
      while ((await db.transaction((tx) => publishDue(tx))) === 500);
      await db.transaction((tx) =>
        promiseNear(tx, PUBLISHING, `select id, date_gmt as moment from posts where status = 'future'`),
      );
    },
  },
];
