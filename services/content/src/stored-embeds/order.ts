/** What a write owes to addresses of other sites in its content: those that are known are shown, the others get a job. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { type FindEmbed, renderBody } from '@sevenfold/text/render';
import { QUEUE } from '../posts/aftermath';
import * as store from './store';

export const FILL_JOB = 'fill-embeds';
/** Of one post; the others stay links. */
const MOST_ADDRESSES = 20;
const LONGEST_ADDRESS = 2_000;

/** Addresses that stand alone on a line or in `[embed]`, each once. */
export function addressesIn(contentRaw: string): string[] {
  if (!/https?:\/\//i.test(contentRaw)) return [];
  const found = new Set<string>();
  renderBody(contentRaw, (url) => {
    if (url.length <= LONGEST_ADDRESS && found.size < MOST_ADDRESSES) found.add(url);
    return undefined;
  });
  return [...found];
}

export async function storedFor(tx: Db, contentRaw: string): Promise<FindEmbed | undefined> {
  const known = await store.findMany(tx, addressesIn(contentRaw));
  return known.size === 0 ? undefined : (url) => known.get(url)?.html || undefined;
}

/** In the transaction of the write. */
export async function orderEmbeds(
  tx: Db,
  { id, contentRaw }: { readonly id: number; readonly contentRaw: string },
): Promise<void> {
  const urls = addressesIn(contentRaw);
  if (urls.length === 0) return;
  const known = await store.findMany(tx, urls);
  if (!urls.every((url) => known.get(url)?.isFresh)) await enqueue(tx, QUEUE, FILL_JOB, { id });
}
