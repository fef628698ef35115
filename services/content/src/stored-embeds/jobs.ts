/**
 * Puts what other sites provide into rendered content, in the background: nobody who reads waits for another site. Only
 * what still is what it was resolved for is changed; a write that came meanwhile has a job of its own.
 */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import { type Job, type JobCall, TryLater, job } from '@sevenfold/chassis/queue/jobs';
import type { Deps } from '../deps';
import { QUEUE, changed } from '../posts/aftermath';
import * as posts from '../posts/store';
import { renderTexts } from '../posts/texts';
import { FILL_JOB, addressesIn, storedFor } from './order';
import * as store from './store';

/** As long as an errand takes that has to wait for its turn. */
const DEADLINE_MS = 15_000;
const PAUSE_SECONDS = 10;

interface Resolved {
  readonly contentRaw: string;
  readonly embeds: readonly { readonly url: string; readonly html: string; readonly freshUntil: number }[];
}

/** One address after the other: a post full of them takes one place among those who ask. */
async function resolve({
  deps,
  payload,
  signal,
}: Omit<JobCall<Deps, { id: number }>, 'tx'>): Promise<Resolved | undefined> {
  const post = await posts.findFullById(deps.db, payload.id);
  if (!post) return undefined;
  const urls = addressesIn(post.contentRaw);
  const known = await store.findMany(deps.db, urls);
  const embeds: Resolved['embeds'][number][] = [];
  for (const url of urls) {
    if (known.get(url)?.isFresh) continue;
    try {
      const { html, freshUntil } = await deps.oembed.resolveEmbed(
        { url, maxWidth: store.WIDTH, maxHeight: 0 },
        { deadlineMs: DEADLINE_MS, signal, repeatable: true },
      );
      embeds.push({ url, html, freshUntil });
    } catch (error) {
      if (!isOutage(toApiError(error))) throw error;
      throw new TryLater('what stands for addresses cannot be asked', PAUSE_SECONDS, error);
    }
  }
  return { contentRaw: post.contentRaw, embeds };
}

async function fill(tx: Db, id: number, { contentRaw, embeds }: Resolved): Promise<void> {
  await store.keep(tx, embeds);
  const post = await posts.lockById(tx, id);
  if (post?.contentRaw !== contentRaw) return;
  const { contentHtml, excerptHtml } = renderTexts(post, await storedFor(tx, contentRaw));
  if (contentHtml === post.contentHtml && excerptHtml === post.excerptHtml) return;
  await posts.update(tx, id, { contentHtml, excerptHtml });
  await emit(tx, 'content.post.changed', changed(post, post.status));
}

export const embedJobs: readonly Job<Deps>[] = [
  job<Deps, { id: number }, Resolved | undefined>({
    queue: QUEUE,
    name: FILL_JOB,
    prepare: resolve,
    handle: async ({ tx, payload }, resolved) => {
      if (resolved) await fill(tx, payload.id, resolved);
    },
  }),
];
