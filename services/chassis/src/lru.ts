/**
 * A bounded memory by number: what was not asked for the longest time goes first. The library's own `max` makes all places
 * at once, 1 to 2 MB for 50,000 of them where none is ever filled; by sizes it takes room as it comes. The clock is looked at
 * each time: by default a look is good for a millisecond, and ends with a timer, which costs twenty looks and wakes the process.
 */
import { LRUCache } from 'lru-cache';

type Options<K extends NonNullable<unknown>, V extends NonNullable<unknown>> = Pick<
  LRUCache.Options<K, V, unknown>,
  'ttl' | 'dispose' | 'disposeAfter'
> & { readonly most: number };

const one = (): number => 1;

export const openLru = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>({
  most,
  ...options
}: Options<K, V>): LRUCache<K, V> =>
  new LRUCache<K, V>({ ...options, ttlResolution: 0, maxSize: most, sizeCalculation: one });
