/**
 * What every write of a post owes to others, in its transaction: counts of terms, the job that publishes it on time,
 * paths below it, and the news of the change.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { emit, emitAll, enqueue, enqueueAll } from '@sevenfold/chassis/db/outbox';
import { orderEmbeds } from '@sevenfold/publishing/embeds/order';
import * as terms from '../terms/store';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { type Publishing, promiseAt } from '@sevenfold/publishing/due';
import { type Linkable, isAddressed, postLink } from './links';
import { refreshPathsBelow } from './page-tree';
import type { PostTypeName } from './types';

/** What is compared before and after a write. */
export interface PostState {
  readonly id: number;
  readonly type: PostTypeName;
  readonly status: string;
  readonly slug: string;
  readonly path: string;
  readonly dateGmt: string;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
}

export const QUEUE = 'content.posts';
/** For what waits for other sites: nothing of this one waits behind it. */
export const EMBEDS_QUEUE = 'content.embeds';
export const PUBLISHING: Publishing = { queue: QUEUE, name: 'publish-post' };
/** Waits for nobody who tells of other sites: what must not be shown any more goes at once. */
export const RENDER_JOB = 'render-anew';
export const NAMING_JOB = 'find-naming';

/** `before` is undefined for a new post. Answers what got another path by it. */
export async function settle(
  tx: Db,
  before: PostState | undefined,
  after: PostState,
): Promise<readonly Linkable[]> {
  await terms.adjustOwnCounts(tx, termDeltas([before], [after]));
  const scheduled = after.status === 'future';
  const sameDate =
    before?.status === 'future' &&
    fromSqlUtc(before.dateGmt).getTime() === fromSqlUtc(after.dateGmt).getTime();
  if (scheduled && !sameDate) await promiseAt(tx, PUBLISHING, after.id, after.dateGmt);
  const moved = before ? await settlePathsBelow(tx, before, after) : [];
  if (before && before.status !== after.status) await orderNamingFilesOf(tx, [after.id]);
  await emit(tx, 'content.post.changed', changed(after, before?.status ?? ''));
  return moved;
}

/** Who may see what is attached to the posts is not who it was. */
export async function orderNamingFilesOf(tx: Db, posts: readonly number[]): Promise<void> {
  const files = await tx.rows<{ id: number }>(
    `select id from posts where parent = any($1::bigint[]) and parent <> 0 and type = 'attachment'`,
    [posts],
  );
  await orderNaming(
    tx,
    files.map(({ id }) => id),
  );
}

const SHOWS_FILES = /\[(?:gallery|playlist|audio|video)/;

/**
 * What a text that was written owes to what it shows of elsewhere. Files may become something else while it is written, and whoever
 * changes them does not see it yet: it is made once more when it is there.
 */
export async function orderShown(
  tx: Db,
  {
    id,
    author,
    contentRaw: raw,
  }: { readonly id: number; readonly author: number; readonly contentRaw: string },
  before?: string,
): Promise<void> {
  await orderEmbeds(tx, EMBEDS_QUEUE, { id, author }, raw);
  if (raw !== before && SHOWS_FILES.test(raw)) await orderOnce(tx, RENDER_JOB, { id });
}

/** Files that are not what they were, the last text that is seen to, and the last that is to be; absent: there is no end. */
export interface Naming {
  readonly files: readonly number[];
  readonly after: number;
  readonly until?: number;
}

const NO_END = Number.MAX_SAFE_INTEGER;
/** Jobs of a name that begin after this transaction: whoever has the row of a job has the job. Those that failed before may wait long. */
const unbegun = (
  name: string,
): string => `kind = 'job' and channel = '${QUEUE}' and name = '${name}' and attempts = 0
  and done_at is null and failed_at is null and run_at <= now()`;

/** Not where a job that waits is going to do the same anyway: a small account may write, or change a file of its own, without end. */
export async function orderOnce(tx: Db, name: string, payload: object): Promise<void> {
  const waiting = await tx.first(
    `select id from outbox where ${unbegun(name)} and payload = $1::jsonb limit 1 for update skip locked`,
    [JSON.stringify(payload)],
  );
  if (!waiting) await enqueue(tx, QUEUE, name, payload);
}

/**
 * Texts whose galleries name one of the files, which is not what it was, are made anew. A job looks for them: by then everybody sees the
 * change, so that one that is written meanwhile is either found or made of what the file is. What a job that waits is going to look
 * at anyway is not looked at twice, however often a file changes.
 */
export async function orderNaming(tx: Db, files: readonly number[]): Promise<void> {
  if (files.length === 0) return;
  const waiting = await tx.rows<Required<Omit<Naming, 'files'>>>(
    `select (payload->>'after')::bigint as after, coalesce((payload->>'until')::bigint, ${NO_END}) as until from outbox
      where ${unbegun(NAMING_JOB)} and payload->'files' = $1::jsonb for update skip locked`,
    [JSON.stringify(files)],
  );
  const until = Math.min(NO_END, ...waiting.map((one) => (one.until === NO_END ? one.after : NO_END)));
  if (waiting.some((one) => one.after === 0 && one.until >= until)) return;
  await look(tx, files, 0, until);
}

const look = (tx: Db, files: readonly number[], after: number, until: number): Promise<number> =>
  enqueue(tx, QUEUE, NAMING_JOB, { files, after, ...(until < NO_END && { until }) } satisfies Naming);

/** A hundred thousand may show one file: other jobs of the queue come between so many of them. */
const MOST_NAMING = 500;

/** The next of them, but for those that wait to be made anew. Descriptions of files show none. */
export async function orderPiece(tx: Db, { files, after, until = NO_END }: Naming): Promise<void> {
  // Apart from their order and end, so that only the index of what they name finds them.
  const rows = await tx.rows<{ id: number; waits: boolean }>(
    `with naming as materialized (
       select id from posts
        where (content_raw like '%[gallery%' or content_raw like '%[playlist%') and named_files(content_raw) && $1::bigint[]
          and type in ('post', 'page') and id > $2
     ), piece as materialized (
       select id from naming where id <= $3 order by id limit ${MOST_NAMING}
     ), waiting as materialized (
       select (payload->>'id')::bigint as id from outbox
        where ${unbegun(RENDER_JOB)}
          and (payload->>'id')::bigint between (select min(id) from piece) and (select max(id) from piece)
          and (payload->>'id')::bigint = any(array(select id from piece))
          for update skip locked)
     select id, id in (select id from waiting) as waits from piece order by id`,
    [files, after, until],
  );
  await enqueueAll(
    tx,
    QUEUE,
    RENDER_JOB,
    rows.flatMap(({ id, waits }) => (waits ? [] : { id })),
  );
  const last = rows.at(-1)?.id ?? until;
  if (rows.length === MOST_NAMING && last < until) await look(tx, files, last, until);
}

async function settlePathsBelow(tx: Db, before: PostState, after: PostState): Promise<readonly Linkable[]> {
  if (before.path === after.path && isAddressed(before) === isAddressed(after)) return [];
  return movePathsBelow(tx, [after.id]);
}

/** Paths below posts follow them, and whoever keeps them hears of it. Answers what got another one. */
export async function movePathsBelow(tx: Db, ids: readonly number[]): Promise<readonly Linkable[]> {
  const moved = await refreshPathsBelow(tx, ids);
  await emitAll(
    tx,
    'content.post.changed',
    moved.map((post) => changed(post, post.status)),
  );
  return moved;
}

/** The message of a change; `beforeStatus` is empty for a new post. */
export const changed = (post: Linkable, beforeStatus: string): object => ({
  id: post.id,
  type: post.type,
  status: post.status,
  before_status: beforeStatus,
  // Below the site. Whoever reads the post later may find it elsewhere already.
  link: postLink('', post),
});

/** Published posts that each term gains (or loses) when the posts `before` become those `after`. */
export function termDeltas(
  before: readonly (Pick<PostState, 'status' | 'categories' | 'tags'> | undefined)[],
  after: readonly (Pick<PostState, 'status' | 'categories' | 'tags'> | undefined)[],
): Map<number, number> {
  const deltas = new Map<number, number>();
  const add = (posts: typeof before, step: number): void => {
    for (const post of posts) {
      if (post?.status !== 'publish') continue;
      for (const term of [...post.categories, ...post.tags]) deltas.set(term, (deltas.get(term) ?? 0) + step);
    }
  };
  add(before, -1);
  add(after, 1);
  for (const [term, delta] of deltas) if (delta === 0) deltas.delete(term);
  return deltas;
}
