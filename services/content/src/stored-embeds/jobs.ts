/** What other sites provide, in rendered content; and what is rendered anew, as files in it or this version are others than before. */
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import { fillJobs } from '@sevenfold/publishing/embeds/fill';
import type { Deps } from '../deps';
import { EMBEDS_QUEUE, NAMING_JOB, type Naming, QUEUE, RENDER_JOB, orderPiece } from '../posts/aftermath';
import { ATTACHED_JOB, type Attached, orderShowing } from '../posts/attached';
import { renderAnew } from '../posts/render-anew';
import { shownFromJobs } from '../posts/shown-from';
import * as posts from '../posts/store';

export const embedJobs: readonly Job<Deps>[] = [
  // The second one as version 0.1.0 and migrations promise it.
  ...fillJobs<Deps>([EMBEDS_QUEUE, QUEUE], {
    ask: ({ oembed }, question, options) => oembed.resolveEmbed(question, options),
    rawOf: async (db, id) => (await posts.findFullById(db, id))?.contentRaw,
    fill: (tx, deps, id, raw) => renderAnew(tx, deps, id, raw),
  }),
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: RENDER_JOB,
    handle: ({ tx, deps, payload }) => renderAnew(tx, deps, payload.id),
  }),
  job<Deps, Naming>({
    queue: QUEUE,
    name: NAMING_JOB,
    handle: ({ tx, payload }) => orderPiece(tx, payload),
  }),
  ...shownFromJobs,
  job<Deps, Attached>({
    queue: QUEUE,
    name: ATTACHED_JOB,
    handle: ({ tx, payload }) => orderShowing(tx, payload),
  }),
];
