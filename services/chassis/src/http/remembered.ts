/**
 * Whole answers to strangers in memory. One is given again for as long as no news are about what it shows (shows.ts), and
 * only once all that was committed before it was asked for has been heard: nobody is shown what was before his question.
 * Addresses that differ in what the route does not know are the same question, so that answers are found which the
 * gateway, to which they differ, asks for anew.
 */
import { LRUCache } from 'lru-cache';
import type { Hears } from '../news/after';
import { type Place, type Shown, type NewsRecord, isFresh, tagBytes, tagsByService } from '../news/record';
import { hashOf } from './body-hash';
import type { AnyRoute } from './route';
import type { Outgoing } from './send';

/** News that answers show something of, and how to be sure of having heard them. */
export interface HeardNews extends Hears {
  readonly record: NewsRecord;
  /** Whether they were heard just now. */
  isSure(): boolean;
}

export interface Remembered {
  /** Without the headers that hang on who asks. */
  readonly outcome: Outgoing;
  /** Methods that the answer names. */
  readonly allow: string;
  /** As `joinTags` writes them. */
  readonly tags: string;
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Other services were asked for it, and did not only tell of changes: their news must be as new as what they would answer. */
  readonly asks: boolean;
  /** Of what it says (body-hash.ts), once it is given again. */
  bodyHash?: string;
}

/** Where the news stood when an answer was asked for. */
export type Standing = ReadonlyMap<string, Place>;

export interface AnswerMemory {
  standing(): Standing;
  /** Undefined also where that is not sure; with `false` nobody waited for that, as there is nothing. */
  find(key: string): false | Promise<Remembered | undefined>;
  keep(key: string, answer: Remembered, standing: Standing): void;
}

interface Entry extends Remembered {
  readonly shown: readonly (Shown & { readonly source: HeardNews })[];
}

/** What is asked for often; all that a site was asked for is the gateways' to keep, and would be twice there where both do. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Larger ones would push out many for the sake of one. */
const MOST_ANSWER_BYTES = 512 * 1024;
const OVERHEAD = 1_024;

/** Name of the service's own news. */
export const OWN = '';

/** `sources`: its own news, and those of other services that answers show something of. */
export function openAnswerMemory(sources: ReadonlyMap<string, HeardNews>): AnswerMemory {
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ outcome: { body }, shown }, key) =>
      OVERHEAD + 2 * key.length + (body as Buffer).length + tagBytes(shown),
  });
  const fresh = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    if (entry.until > Date.now() && entry.shown.every(isFresh)) return entry;
    entries.delete(key);
    return undefined;
  };
  const caughtUp = ({ asks, shown: [own, ...others] }: Entry): Promise<boolean> => {
    const first = (own as Entry['shown'][0]).source.caughtUp();
    if (!asks || others.length === 0)
      return others.every(({ source }) => source.isSure()) ? first : Promise.resolve(false);
    return Promise.all([first, ...others.map(({ source }) => source.caughtUp())]).then((all) =>
      all.every((yes) => yes),
    );
  };
  return {
    standing: () => new Map(Array.from(sources, ([name, { record }]) => [name, record.now()])),
    find: (key) => {
      const entry = fresh(key);
      // What was heard meanwhile may have been about it.
      return entry ? caughtUp(entry).then((isSure) => (isSure ? hashed(fresh(key)) : undefined)) : false;
    },
    keep: (key, answer, standing) => {
      const outcome = ownOf(answer.outcome);
      if (!outcome) return;
      const tagsOf = tagsByService(answer.tags, OWN);
      // First comes its own, for settings, which are news to everything.
      const names = [OWN, ...[...tagsOf.keys()].filter((name) => name !== OWN)];
      const shown = names.map((name) => {
        const [source, since] = [sources.get(name), standing.get(name)];
        if (!source || since === undefined) return undefined;
        return { news: source.record, source, tags: tagsOf.get(name) ?? [], since, checked: since };
      });
      if (!shown.every((one) => one !== undefined)) return;
      entries.set(key, { ...answer, outcome, shown });
    },
  };
}

/** Most are never asked for again. */
function hashed(entry: Entry | undefined): Entry | undefined {
  if (entry) entry.bodyHash ??= hashOf(entry.outcome.body as Buffer);
  return entry;
}

/** A copy that shares nothing; undefined where it is too long, or its headers keep it from others. */
function ownOf({ status, headers, body, paging }: Outgoing): Outgoing | undefined {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return undefined;
  if (Buffer.byteLength(body) > MOST_ANSWER_BYTES || NOT_FOR_ALL.some((name) => name in headers))
    return undefined;
  // Not a piece of a larger buffer, which would be kept with it.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === 'string') bytes.write(body);
  else body.copy(bytes);
  return { status, headers: { ...headers }, body: bytes, paging };
}

const NOT_FOR_ALL = ['Cache-Control', 'Set-Cookie', 'Vary'];

/**
 * The question that an address asks of a route: its path and what the route knows of its query; undefined where that is
 * too long to be asked again.
 */
export function questionOf<D>(
  row: AnyRoute<D>,
  path: string,
  query: Readonly<Record<string, unknown>>,
): string | undefined {
  let known: Record<string, unknown> | undefined;
  for (const name in query) if (name in row.args || OF_ALL.has(name)) (known ??= {})[name] = query[name];
  const question = known === undefined ? path : `${path}?${JSON.stringify(known)}`;
  return question.length > LONGEST_QUESTION ? undefined : question;
}

/** What the road itself knows of every query. */
const OF_ALL: ReadonlySet<string> = new Set(['_embed', '_fields', '_pretty']);
const LONGEST_QUESTION = 1_024;
