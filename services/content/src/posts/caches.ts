/** What a process remembers of posts: their JSON text by version (ready.ts), and outlines of lists. */
import type { ReadyItem } from '@sevenfold/chassis/http/present';
import type { Log } from '@sevenfold/chassis/log';
import { LRUCache } from 'lru-cache';
import { type PostOutlines, openOutlines } from './outlines';

interface Entry {
  readonly version: string;
  readonly item: ReadyItem;
}

export type ReadyPosts = LRUCache<string, Entry>;

const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The caches of posts of one process. */
export function openPostCaches(options: { databaseUrl: string; log: Log }): {
  postOutlines: PostOutlines;
  readyPosts: ReadyPosts;
} {
  const readyPosts: ReadyPosts = new LRUCache({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ item }) => item.json.length + 200,
  });
  // After a lost connection it may be another server that counts its transactions anew.
  const postOutlines = openOutlines({ ...options, onBreak: () => readyPosts.clear() });
  return { postOutlines, readyPosts };
}
