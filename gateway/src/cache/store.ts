/** Answers kept in memory, as many as there is room for; those that were not asked for the longest time go first. */
import { LRUCache } from 'lru-cache';
import { singly } from '@sevenfold/chassis/news/follow';
import type { Whole } from '../edge/whole';
import type { Place, ServiceNews } from './news';

/** What an answer shows of one service, and since when. */
export interface Shown {
  readonly news: ServiceNews;
  readonly tags: readonly string[];
  readonly since: Place;
  /** Up to here nothing was told of its tags. */
  checked: Place;
}

export interface Kept extends Whole {
  readonly shown: readonly Shown[];
  /** When it was asked for, by `performance.now()`. */
  readonly begun: number;
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Who answered, where the gateway made it itself. */
  readonly by?: string;
}

export interface Store {
  /** Undefined also for what is not fresh any more. */
  find(key: string): Kept | undefined;
  /** Whatever is kept there, fresh or not. */
  peek(key: string): Kept | undefined;
  keep(key: string, kept: Kept): void;
  /** Puts another form of the same in its place. */
  exchange(key: string, kept: Kept): void;
  readonly bytes: number;
  readonly size: number;
}

/** Of maps, buffers and strings around what was sent. */
const OVERHEAD = 1_024;
const PER_TAG = 24;

export function openStore(mostBytes: number): Store {
  const answers = new LRUCache<string, Kept>({
    maxSize: mostBytes,
    sizeCalculation: ({ body, forms, shown }, key) =>
      OVERHEAD +
      2 * key.length +
      body.length +
      Object.values(forms ?? {}).reduce((sum, form) => sum + (form === body ? 0 : form.length), 0) +
      shown.reduce((sum, { tags }) => sum + PER_TAG * tags.length, 0),
  });
  return {
    find: (key) => {
      const kept = answers.get(key);
      if (!kept) return undefined;
      if (!kept.shown.every(({ news }) => news.isSure(kept.begun))) return undefined;
      if (kept.until > Date.now() && kept.shown.every(isFresh)) return kept;
      answers.delete(key);
      return undefined;
    },
    keep: (key, kept) => {
      if (kept.shown.every(isFresh)) answers.set(key, kept);
    },
    peek: (key) => answers.peek(key),
    exchange: (key, kept) => void answers.set(key, kept),
    get bytes() {
      return answers.calculatedSize;
    },
    get size() {
      return answers.size;
    },
  };
}

function isFresh(shown: Shown): boolean {
  const now = shown.news.now();
  if (shown.checked === now) return true;
  if (!shown.news.isFresh(shown.tags, shown.since)) return false;
  shown.checked = now;
  return true;
}

/** `post|post:1,2|term:5` as single tags, with `post:*` for what is told of a whole kind. */
export function readTags(header: string): string[] {
  if (header === '') return [];
  return header.split('|').flatMap((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) return [part];
    const kind = part.slice(0, colon + 1);
    // The whole kind is told of where many change at once.
    return [`${kind}*`, ...singly(part)];
  });
}
