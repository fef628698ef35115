/**
 * Puts what other sites provide into rendered texts, in the background: nobody who reads waits for another site. Only what still is
 * what it was resolved for is changed; for what was written meanwhile the job is promised once more. The table `stored_embeds` is its
 * service's.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { doubledSeconds } from '@sevenfold/chassis/queue/back-off';
import { type Job, type JobCall, job } from '@sevenfold/chassis/queue/jobs';
import { orLater } from '@sevenfold/chassis/queue/or-later';
import type { FindEmbed } from '@sevenfold/text/rendering';
import { FILL_JOB, type Filled, addressesIn, order, storedFor } from './order';
import * as store from './store';

/** As long as an errand takes that has to wait for its turn. */
const DEADLINE_MS = 15_000;
/** While nobody answers each text asks by itself, and an import brings a hundred thousand. */
const PAUSE_SECONDS = { first: 5, longest: 60 };

export interface Question {
  readonly url: string;
  readonly maxWidth: number;
  readonly maxHeight: number;
}

interface AskOptions {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly repeatable: boolean;
}

type Answer = Omit<store.FoundEmbed, 'url'>;

/** Texts of one kind, and who tells what stands for an address. */
export interface Filling<D> {
  readonly ask: (deps: D, question: Question, options: AskOptions) => Promise<Answer>;
  /** As it was written; undefined where it is gone. */
  readonly rawOf: (db: Db, id: number) => Promise<string | undefined>;
  /** Renders the text anew, if it is still that one, and tells of it if that changed anything. */
  readonly fill: (
    tx: Db,
    deps: D,
    id: number,
    raw: string,
    findEmbed: FindEmbed | undefined,
  ) => Promise<void>;
}

interface Resolved {
  readonly raw: string;
  readonly embeds: readonly store.FoundEmbed[];
}

type Prepared<D> = Omit<JobCall<D, Filled>, 'tx'>;

/** One address after the other: a text full of them takes one place among those who ask. */
async function resolve<D>(
  db: Db,
  { rawOf, ask }: Filling<D>,
  { deps, payload, attempt, signal }: Prepared<D>,
): Promise<Resolved | undefined> {
  const raw = await rawOf(db, payload.id);
  if (raw === undefined) return undefined;
  const urls = await addressesIn(raw);
  const known = await store.findMany(db, urls);
  const embeds: store.FoundEmbed[] = [];
  const pause = doubledSeconds(attempt, PAUSE_SECONDS.first, PAUSE_SECONDS.longest);
  for (const url of urls) {
    if (known.get(url)?.isFresh) continue;
    const question = { url, maxWidth: store.WIDTH, maxHeight: 0 };
    const options = { deadlineMs: DEADLINE_MS, signal, repeatable: true };
    const { html, freshUntil } = await orLater(pause, () => ask(deps, question, options));
    embeds.push({ url, html, freshUntil });
  }
  return { raw, embeds };
}

/** The same job in each of the queues. */
export const fillJobs = <D extends { readonly db: Db }>(
  queues: readonly string[],
  filling: Filling<D>,
): Job<D>[] =>
  queues.map((queue) =>
    job<D, Filled, Resolved | undefined>({
      queue,
      name: FILL_JOB,
      prepare: (call) => resolve(call.deps.db, filling, call),
      handle: async ({ tx, deps, payload }, resolved) => {
        if (!resolved) return;
        await store.keep(tx, resolved.embeds);
        const raw = await filling.rawOf(tx, payload.id);
        // Whoever wrote it counted on this job (order.ts).
        if (raw !== undefined && raw !== resolved.raw) await order(tx, queue, payload);
        else await filling.fill(tx, deps, payload.id, resolved.raw, await storedFor(tx, resolved.raw));
      },
    }),
  );
