/**
 * Addresses of other sites in descriptions of events. A write shows those that are known; the news of a change, whoever wrote it
 * (also imports), leads to a job for the others, so that nobody who reads waits for another site.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { EventCall, Subscription } from '@sevenfold/chassis/queue/events';
import { type Job, job } from '@sevenfold/chassis/queue/jobs';
import { fillJobs } from '@sevenfold/publishing/embeds/fill';
import { addressesIn, orderEmbeds, storedFor } from '@sevenfold/publishing/embeds/order';
import { findMany } from '@sevenfold/publishing/embeds/store';
import { renderingBody } from '@sevenfold/text/render';
import type { FindEmbed, Sources } from '@sevenfold/text/rendering';
import { inTurns } from '@sevenfold/text/steps';
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
  return { descriptionHtml: await inTurns(renderingBody(raw, { ...sources, findEmbed })) };
}

async function rawOf(db: Db, id: number): Promise<string | undefined> {
  const row = await db.first<{ raw: string }>('select description_raw as raw from events where id = $1', [
    id,
  ]);
  return row?.raw;
}

/** A text as it was found, and what is known to stand for its addresses. */
interface Filling {
  readonly id: number;
  readonly raw: string;
  readonly findEmbed: FindEmbed | undefined;
}

/** Those that are still the same texts; whoever indexes hears of all that look another way now at once. */
async function fill(tx: Db, fillings: readonly Filling[]): Promise<void> {
  if (fillings.length === 0) return;
  const found = new Map(fillings.map((one) => [one.id, one]));
  const rows = await store.lockTexts(tx, [...found.keys()]);
  // As they are known here: whoever waits with a connection in hand for what another one brings may wait for himself.
  const [settings] = await findSettings(tx);
  const smilies = settings?.useSmilies ?? true;
  const filled: (store.EventText & { readonly html: string })[] = [];
  for (const row of rows) {
    const { raw, findEmbed } = found.get(row.id) as Filling;
    if (row.descriptionRaw !== raw) continue;
    const html = await inTurns(renderingBody(raw, { smilies, findEmbed }));
    if (html !== row.descriptionHtml) filled.push({ ...row, html });
  }
  if (filled.length === 0) return;
  await store.updateHtml(tx, filled);
  await announce(
    tx,
    'calendar.event.changed',
    filled.map((row) => ({ ...row, statusBefore: row.status })),
  );
}

export const embedJobs: readonly Job<Deps>[] = [
  // The second one as version 0.1.0 promises it.
  ...fillJobs<Deps>([EMBEDS_QUEUE, QUEUE], {
    ask: ({ oembed }, question, options) => oembed.resolveEmbed(question, options),
    rawOf,
    fill: (tx, _deps, id, raw, findEmbed) => fill(tx, [{ id, raw, findEmbed }]),
  }),
  // What a migration wants to be rendered as this version does.
  job<Deps, { id: number }>({
    queue: QUEUE,
    name: 'render-anew',
    handle: async ({ tx, payload: { id } }) => {
      const raw = await rawOf(tx, id);
      if (raw !== undefined) await fill(tx, [{ id, raw, findEmbed: await storedFor(tx, raw) }]);
    },
  }),
];

interface Written {
  readonly id: number;
  readonly author: number;
  readonly raw: string;
}

/** What is known by now is shown at once, the rest is asked for. */
async function look(tx: Db, rows: readonly Written[]): Promise<void> {
  const named: { row: Written; urls: string[] }[] = [];
  for (const row of rows) named.push({ row, urls: await addressesIn(row.raw) });
  const known = await findMany(tx, [...new Set(named.flatMap(({ urls }) => urls))]);
  for (const { row, urls } of named)
    if (urls.some((url) => !known.get(url)?.isFresh)) await orderEmbeds(tx, EMBEDS_QUEUE, row, row.raw);
  const findEmbed: FindEmbed = (url) => known.get(url)?.html || undefined;
  await fill(
    tx,
    named
      .filter(({ urls }) => urls.some((url) => known.has(url)))
      .map(({ row: { id, raw } }) => ({ id, raw, findEmbed })),
  );
}

/** Characters of the texts that are looked at together. */
const MOST_AT_ONCE = 2 * 1024 * 1024;

function* inPieces(rows: readonly Written[]): Generator<Written[]> {
  let piece: Written[] = [];
  let length = 0;
  for (const row of rows) {
    if (piece.length > 0 && length + row.raw.length > MOST_AT_ONCE) {
      yield piece;
      piece = [];
      length = 0;
    }
    piece.push(row);
    length += row.raw.length;
  }
  if (piece.length > 0) yield piece;
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
      for (const piece of inPieces(rows)) await look(tx, piece);
    },
  },
];
