/** What other sites provide, in rendered content. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Job } from '@sevenfold/chassis/queue/jobs';
import { fillJob } from '@sevenfold/publishing/embeds/fill';
import type { Deps } from '../deps';
import { QUEUE, changed } from '../posts/aftermath';
import { sourcesFor } from '../posts/sources';
import * as posts from '../posts/store';
import { renderTexts } from '../posts/texts';

export const embedJobs: readonly Job<Deps>[] = [
  fillJob<Deps>({
    queue: QUEUE,
    ask: ({ oembed }, question, options) => oembed.resolveEmbed(question, options),
    rawOf: async (db, id) => (await posts.findFullById(db, id))?.contentRaw,
    fill: async (tx, deps, id, raw) => {
      const post = await posts.lockById(tx, id);
      if (post?.contentRaw !== raw) return;
      const sources = await sourcesFor(tx, post, await deps.settings.get());
      const { contentHtml, excerptHtml } = renderTexts(post, sources);
      if (contentHtml === post.contentHtml && excerptHtml === post.excerptHtml) return;
      await posts.update(tx, id, { contentHtml, excerptHtml });
      await emit(tx, 'content.post.changed', changed(post, post.status));
    },
  }),
];
