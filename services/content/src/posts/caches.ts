/** What a process remembers of posts: their JSON text by version (ready.ts), and outlines of lists. */
import type { ReadyItem } from '@sevenfold/chassis/http/present';
import { LRUCache } from 'lru-cache';
import type { ContentMemory } from '../memory';
import { type Outline, type Outlines, outlineBounds } from '@sevenfold/chassis/db/list';

interface Entry {
  readonly version: string;
  readonly item: ReadyItem;
}

export type ReadyPosts = LRUCache<string, Entry>;

const MOST_CHARACTERS = 32 * 1024 * 1024;

/** The caches of posts of one process. */
export function openPostCaches(memory: ContentMemory): {
  postOutlines: Outlines;
  readyPosts: ReadyPosts;
} {
  const readyPosts: ReadyPosts = new LRUCache({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ item }) => item.json.length + 200,
  });
  // After a lost connection it may be another server that counts its transactions anew.
  memory.onGap(() => readyPosts.clear());
  return { postOutlines: memory.cache<Outline>(['posts'], outlineBounds), readyPosts };
}
