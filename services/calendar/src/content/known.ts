/**
 * What the calendar knows of terms, media and settings, which belong to the content service. Asked in batches, kept in
 * memory for seconds and in the known_* tables for good: while the content service is away, lists and reads go on with
 * what was last seen. Writes that need an answer (names to terms) ask it themselves and fail with 503.
 */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { unavailable } from '@sevenfold/chassis/errors';
import type { Log } from '@sevenfold/chassis/log';
import { logFault } from '@sevenfold/chassis/outages';
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { Sources } from '@sevenfold/text/rendering';
import type { CalendarMemory } from '../memory';
import { openAsking } from './asking';
import type { ContentClients } from './clients';
import { FRESH_MS, openKind } from './known-kind';
import * as store from './known-store';

export type { Media, Settings, Term };

export interface Changed {
  readonly terms: readonly number[];
  readonly media: readonly number[];
  /** Names of terms, and which is below which. */
  readonly trees: boolean;
  readonly settings: boolean;
}

export interface Known {
  /** Those that exist among the ids. `authoritative` throws 503 when an id is unknown only because nobody answers. */
  terms(ids: readonly number[], authority?: 'authoritative'): Promise<ReadonlyMap<number, Term>>;
  media(ids: readonly number[], authority?: 'authoritative'): Promise<ReadonlyMap<number, Media>>;
  /** Undefined only until the content service has been seen once. */
  settings(): Promise<Settings | undefined>;
  /** Zone of the site. */
  timezone(): Promise<string>;
  /** What texts that are written now take from the site. */
  sources(): Promise<Sources>;
  /** The terms and everything below them. */
  descendants(ids: readonly number[]): Promise<readonly number[]>;
  /** Ids of terms with these slugs; unknown ones are left out. */
  termsBySlug(taxonomy: string, slugs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Terms that a write has just brought back, for while nobody answers: everybody, here as well, asks for them anew. */
  learnTerms(terms: readonly Term[]): Promise<void>;
  learnMedia(media: readonly Media[]): Promise<void>;
  forgetTerms(ids: readonly number[]): Promise<void>;
  /** What this process has of these in memory must be asked for anew. */
  doubt(changed: 'everything' | Changed): void;
  /** Whether all that was shown lately is what the content service said last: what was known before stood in for nothing. */
  isSure(): boolean;
  /** Runs a read of the content service for those who have their own last known answer; undefined while it is away. */
  ask<T>(what: string, call: (options: { deadlineMs: number }) => Promise<T>): Promise<T | undefined>;
}

const READ_DEADLINE_MS = 1_500;
/** All pieces of what is too much for one. */
const ALL_READ_MS = 6_000;
/** Longer than requests take, and whatever is remembered of what they show. */
const STOOD_IN_MS = 30_000;

/**
 * A page of events may show twenty thousand terms, and thousands of pictures. Of so many files the content service tells at once, and
 * so many terms fit into one message under the longest names.
 */
const MOST_ASKED = 1_000;

async function inMessages<T>(
  ids: readonly number[],
  ask: (some: number[], options: { deadlineMs: number }) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const found: T[] = [];
  const until = performance.now() + ALL_READ_MS;
  for (let start = 0; start < ids.length; start += MOST_ASKED) {
    const deadlineMs = Math.min(READ_DEADLINE_MS, until - performance.now());
    if (deadlineMs <= 0) throw unavailable('The content service', 1);
    found.push(...(await ask(ids.slice(start, start + MOST_ASKED), { deadlineMs })));
  }
  return found;
}

export interface KnownOptions {
  readonly db: Database;
  readonly content: ContentClients;
  readonly memory: CalendarMemory;
  readonly log: Log;
  readonly fallbackTimezone: string;
}

export function openKnown({ db, content, memory, log, fallbackTimezone }: KnownOptions): Known {
  let stoodInAt = -Infinity;
  /** What nobody answered since it was answered last. */
  const stoodIn = new Set<string>();
  const standIn = (what: string): void => {
    stoodInAt = performance.now();
    stoodIn.add(what);
  };
  const { ask, answered, left } = openAsking({
    onAnswer: (what) => {
      // Texts and trees that were made of what stood in are not shown beside what is told now.
      if (stoodIn.delete(what)) memory.forget('known', NOTHING_MORE);
    },
    onFailure: (what, error) =>
      logFault(log, error, { what }, 'the content service did not answer; using what is known'),
  });
  content.pulse.onBack(answered);
  content.pulse.onLeft(left);
  /** The same, for whoever shows something else then. */
  const askElse: typeof ask = async (what, call) => {
    const answer = await ask(what, call);
    if (answer === undefined) standIn(what);
    return answer;
  };

  const terms = openKind<Term>({
    most: 20_000,
    standIn: () => standIn('terms'),
    fetch: (ids, insist) =>
      ask(
        'terms',
        () =>
          inMessages(
            ids,
            async (some, options) => (await content.terms.getTerms({ ids: some }, options)).terms,
          ),
        insist,
      ),
    load: (ids) => store.findTerms(db, ids),
    save: (found, missing) => store.keepTerms(db, found, missing),
    log,
  });
  const media = openKind<Media>({
    most: 5_000,
    standIn: () => standIn('media'),
    fetch: (ids, insist) =>
      ask(
        'media',
        () =>
          inMessages(
            ids,
            async (some, options) => (await content.media.getMedia({ ids: some }, options)).media,
          ),
        insist,
      ),
    load: (ids) => store.findMedia(db, ids),
    save: (found, missing) => store.keepMedia(db, found, missing),
    log,
  });
  // Settings are a kind with one member.
  const settings = openKind<Settings & { id: number }>({
    most: 1,
    standIn: () => standIn('settings'),
    fetch: () =>
      ask('settings', async () => [
        { ...(await content.settings.getSettings({}, { deadlineMs: READ_DEADLINE_MS })), id: 0 },
      ]),
    load: async () => (await store.findSettings(db)).map((value) => ({ ...value, id: 0 })),
    save: ([found]) => (found ? store.keepSettings(db, found) : Promise.resolve()),
    log,
  });
  const below = memory.cache<readonly number[]>(['known'], { lifetimeMs: FRESH_MS, most: 500 });
  const slugs = memory.cache<ReadonlyMap<string, number>>(['known'], { lifetimeMs: FRESH_MS, most: 500 });

  memory.onMessage('known', (payload) => {
    const [kind, list = ''] = payload.split(':');
    const ids = list === '' ? undefined : list.split(',').map(Number);
    if (kind === 'terms' || kind === '') terms.doubt(ids);
    if (kind === 'media' || kind === '') media.doubt(ids);
    if (kind === 'settings' || kind === '') settings.doubt();
  });
  memory.onGap(() => {
    for (const kind of [terms, media, settings]) kind.doubt();
  });

  const findSettings = async (): Promise<Settings | undefined> => (await settings.get([0])).get(0);
  return {
    terms: terms.get,
    media: media.get,
    settings: findSettings,
    timezone: async () => (await findSettings())?.timezone || fallbackTimezone,
    sources: async () => ({ smilies: (await findSettings())?.useSmilies ?? true }),
    descendants: (ids) => {
      const sorted = [...new Set(ids)].sort((a, b) => a - b);
      return below.get(sorted.join(), async () => {
        const answer = await askElse('descendants', () =>
          content.terms.listDescendants({ ids: sorted }, { deadlineMs: READ_DEADLINE_MS }),
        );
        return answer?.ids ?? store.findDescendants(db, sorted);
      });
    },
    termsBySlug: (taxonomy, wanted) =>
      slugs.get(JSON.stringify([taxonomy, ...wanted]), async () => {
        const answer = await askElse('slugs', () =>
          content.terms.resolveTerms(
            {
              taxonomy,
              refs: wanted.map((name) => ({ ref: { $case: 'name' as const, value: name } })),
              createMissing: false,
              slugsFirst: true,
            },
            { deadlineMs: READ_DEADLINE_MS },
          ),
        );
        if (!answer) return store.findBySlug(db, taxonomy, wanted);
        const found = answer.results.map(({ term }, index) => [wanted[index] as string, term?.id] as const);
        return new Map(found.filter((pair): pair is [string, number] => pair[1] !== undefined));
      }),
    learnTerms: async (found) => {
      answered();
      if (found.length === 0) return;
      terms.put(found);
      await store.keepTerms(db, found, []);
      await announce(
        db,
        'terms',
        found.map(({ id }) => id),
      );
    },
    learnMedia: async (found) => {
      answered();
      if (found.length === 0) return;
      media.put(found);
      await store.keepMedia(db, found, []);
    },
    forgetTerms: async (ids) => {
      await store.keepTerms(db, [], ids);
      await announce(db, 'terms', ids);
    },
    doubt: (changed) => {
      if (changed === 'everything') return memory.forget('known');
      if (changed.settings) memory.forget('known', 'settings');
      const doubted = terms.doubt(changed.terms) + media.doubt(changed.media);
      // Texts and trees that were made of them.
      if (doubted > 0 || changed.trees) memory.forget('known', NOTHING_MORE);
    },
    isSure: () => performance.now() - stoodInAt > STOOD_IN_MS,
    ask: (what, call) => askElse(what, () => call({ deadlineMs: READ_DEADLINE_MS })),
  };
}

/** On the channel `known`: no kind of its own. */
const NOTHING_MORE = 'made';

// PostgreSQL takes 8,000 bytes: beyond some ids the message says «all of them».
const MOST_IDS_TOLD = 500;

/** Tells every process, at commit, that its copies are old. */
export const announce = (
  tx: Db,
  kind: 'terms' | 'media' | 'settings',
  ids: readonly number[] = [],
): Promise<number> =>
  tx.run('select pg_notify($1, $2)', ['known', `${kind}:${ids.length > MOST_IDS_TOLD ? '' : ids.join()}`]);
