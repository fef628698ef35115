/** What a write owes to addresses of other sites in its text: those that are known are shown, the others get a job. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { namedInBody } from '@sevenfold/text/render';
import type { FindEmbed } from '@sevenfold/text/rendering';
import { hasAddresses } from '@sevenfold/text/shortcodes';
import { type Steps, inTurns } from '@sevenfold/text/steps';
import * as store from './store';

export const FILL_JOB = 'fill-embeds';
/** Of one text; the others stay links. */
const MOST_ADDRESSES = 20;
const LONGEST_ADDRESS = 2_000;

/** Addresses that stand alone on a line or in `[embed]`, each once. */
export const addressesIn = (raw: string): Promise<string[]> => inTurns(findingAddresses(raw));

function* findingAddresses(raw: string): Steps<string[]> {
  if (!hasAddresses(raw)) return [];
  const found = new Set<string>();
  yield* namedInBody(raw, {
    findEmbed: (url) => {
      if (url.length <= LONGEST_ADDRESS && found.size < MOST_ADDRESSES) found.add(url);
      return undefined;
    },
  });
  return [...found];
}

export async function storedFor(tx: Db, raw: string): Promise<FindEmbed | undefined> {
  const known = await store.findMany(tx, await addressesIn(raw));
  return known.size === 0 ? undefined : (url) => known.get(url)?.html || undefined;
}

/** Which text, and whose it is, which version 0.1.0 and migrations do not say. */
export interface Filled {
  readonly id: number;
  readonly author?: number;
}

/** In the transaction of the write. `queue` is that of the job which fills the texts of its kind. */
export async function orderEmbeds(tx: Db, queue: string, text: Required<Filled>, raw: string): Promise<void> {
  const urls = await addressesIn(raw);
  if (urls.length === 0) return;
  const known = await store.findMany(tx, urls);
  if (urls.every((url) => known.get(url)?.isFresh)) return;
  if (!(await isOrdered(tx, queue, text.id))) await order(tx, queue, text);
}

/** Beyond so many an author's texts wait for each other as they came. */
const MOST_TURNS = 1_000;

/**
 * Authors take turns: the job of one who has so many waiting comes behind the jobs of those who have fewer. Anybody may write thousands
 * of texts, each with addresses at hosts that hang.
 */
export async function order(tx: Db, queue: string, { id, author = 0 }: Filled): Promise<void> {
  const waiting = await tx.first<{ n: number }>(
    `select count(*) as n from (
       select from outbox where kind = 'job' and channel = $1 and name = '${FILL_JOB}' and payload->>'author' = $2
          and done_at is null and failed_at is null limit ${MOST_TURNS}) as own`,
    [queue, String(author)],
  );
  await enqueue(tx, queue, FILL_JOB, { id, author }, { turn: 1 + (waiting?.n ?? 0) });
}

/**
 * Whether a job is going to look at the text anyway, behind this transaction or once more (fill.ts). It may take minutes at hosts that
 * hang, and a text may be written as often as one likes: a job for each of these would keep all others waiting for weeks. One that
 * failed may wait long itself.
 */
const isOrdered = async (tx: Db, queue: string, id: number): Promise<boolean> =>
  (await tx.first(
    `select id from outbox where kind = 'job' and channel = $1 and name = '${FILL_JOB}' and payload->>'id' = $2
        and done_at is null and failed_at is null and attempts = waits limit 1 for update skip locked`,
    [queue, String(id)],
  )) !== undefined;
