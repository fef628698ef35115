/**
 * Addresses of other sites in descriptions of events. A write shows those that are known; the news of a change, whoever wrote it
 * (also imports), leads to a job for the others, so that nobody who reads waits for another site.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import { fillJobs } from '@sevenfold/publishing/embeds/fill';
import { orderEmbeds, storedFor } from '@sevenfold/publishing/embeds/order';
import { type FindEmbed, type Sources, renderBody } from '@sevenfold/text/render';
import { findSettings } from '../content/known-store';
import type { Deps } from '../deps';
import { EMBEDS_QUEUE, QUEUE } from './names';
import { announce } from './news';
import * as store from './store';

/** What of a write is rendered with what is known. */
export async function withEmbeds(
  tx: Db,
  sources: Sources,
  { descriptionRaw: raw }: { readonly descriptionRaw?: string },
): Promise<{ descriptionHtml?: string }> {
  const findEmbed = raw === undefined ? undefined : await storedFor(tx, raw);
  if (raw === undefined || !findEmbed) return {};
  return { descriptionHtml: renderBody(raw, { ...sources, findEmbed }) };
}

async function rawOf(db: Db, id: number): Promise<string | undefined> {
  const row = await db.first<{ raw: string }>('select description_raw as raw from events where id = $1', [
    id,
  ]);
  return row?.raw;
}

async function fill(tx: Db, id: number, raw: string, findEmbed: FindEmbed | undefined): Promise<void> {
  const event = await store.lockById(tx, id);
  if (event?.descriptionRaw !== raw) return;
  // As they are known here: whoever waits with a connection in hand for what another one brings may wait for himself.
  const [settings] = await findSettings(tx);
  const descriptionHtml = renderBody(raw, { smilies: settings?.useSmilies ?? true, findEmbed });
  if (descriptionHtml === event.descriptionHtml) return;
  await store.update(tx, id, { descriptionHtml });
  await announce(tx, 'calendar.event.changed', [{ ...event, statusBefore: event.status }]);
}

export const embedJobs: readonly Job<Deps>[] = [
  // The second one as version 0.1.0 promises it.
  ...fillJobs<Deps>([EMBEDS_QUEUE, QUEUE], {
    ask: ({ oembed }, question, options) => oembed.resolveEmbed(question, options),
    rawOf,
    fill: (tx, _deps, ...rest) => fill(tx, ...rest),
  }),
  // What a migration wants to be rendered as this version does.
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: 'render-anew',
    handle: async ({ tx, payload: { id } }) => {
      const raw = await rawOf(tx, id);
      if (raw !== undefined) await fill(tx, id, raw, await storedFor(tx, raw));
    },
  }),
];

/** What is known by now is shown at once. */
async function look(tx: Db, { id, author, raw }: Written): Promise<void> {
  await orderEmbeds(tx, EMBEDS_QUEUE, { id, author }, raw);
  const findEmbed = await storedFor(tx, raw);
  if (findEmbed) await fill(tx, id, raw, findEmbed);
}

interface Written {
  readonly id: number;
  readonly author: number;
  readonly raw: string;
}

export const embedSubscriptions: readonly Subscription<Deps>[] = [
  {
    topic: 'calendar.event.changed',
    handle: async ({ tx, payload }: EventCall<Deps, { events: readonly { id: number }[] }>) => {
      const rows = await tx.rows<Written>(
        `select id, author, description_raw as raw from events
         where id = any($1::bigint[]) and description_raw ~* 'https?://' order by id`,
        [payload.events.map(({ id }) => id)],
      );
      for (const row of rows) await look(tx, row);
    },
  },
];
