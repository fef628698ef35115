/** What a write owes to addresses of other sites in its text: those that are known are shown, the others get a job. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { type FindEmbed, namedInBody } from '@sevenfold/text/render';
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

/** In the transaction of the write. `queue` is that of the job which fills the texts of its kind. */
export async function orderEmbeds(tx: Db, queue: string, id: number, raw: string): Promise<void> {
  const urls = await addressesIn(raw);
  if (urls.length === 0) return;
  const known = await store.findMany(tx, urls);
  if (urls.every((url) => known.get(url)?.isFresh)) return;
  if (!(await isOrdered(tx, queue, id))) await enqueue(tx, queue, FILL_JOB, { id });
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
