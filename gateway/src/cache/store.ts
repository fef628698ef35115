/** Answers kept in memory, as many as there is room for; those that were not asked for the longest time go first. */
import { LRUCache } from 'lru-cache';
import { type Shown as ShownOf, isFresh } from '@sevenfold/chassis/news/record';
import type { Whole } from '../edge/whole';
import type { ServiceNews } from './news';

export type Shown = ShownOf<ServiceNews>;

export interface Kept extends Whole {
  readonly shown: readonly Shown[];
  /** When it was asked for, by `performance.now()`. */
  readonly begun: number;
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Who answered, where the gateway made it itself. */
  readonly by?: string;
  /** The pattern of what answered. */
  readonly route?: string;
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
