/**
 * Tags as keys for caches on the way, which drop by key what they hold. What an answer shows becomes its keys, and news
 * become the keys to purge. An answer has so many that a header holds; beyond that a key stands for any row of a kind, and
 * goes with the first of them.
 */
import { EVERYTHING } from '@sevenfold/chassis/http/shows';
import type { Shown } from './store';

/** Servers on the way take 8 KiB of a header, and it is not the only one. */
const MOST_BYTES = 4_000;

type Named = Omit<Shown, 'news'> & { readonly service: string };

/** `content content/post content/post:12 content/post:all`. */
export function keysOf(shown: readonly Pick<Named, 'service' | 'tags'>[]): string[] {
  for (const keyOf of [exactly, coarsely, () => ANY]) {
    const keys = shown.flatMap(({ service, tags }) => [
      service,
      ...tags.map((tag) => joined(service, tag === EVERYTHING ? ANY : keyOf(tag))),
    ]);
    const all = [...new Set(keys)];
    if (all.reduce((sum, key) => sum + key.length + 1, 0) <= MOST_BYTES) return all;
  }
  return [];
}

/** Whoever keeps something that one of the tags made old has it under one of these. */
export function keysOfNews(service: string, tags: readonly string[]): string[] {
  if (tags.includes(EVERYTHING)) return [service];
  const keys = tags.flatMap((tag) => [...new Set([exactly(tag), coarsely(tag)])]);
  return [...new Set([ANY, ...keys])].map((key) => joined(service, key));
}

/** The service whose keys these are, which drops all of them. */
export const serviceOf = (key: string): string => /^\w+/.exec(key)?.[0] ?? key;

const ANY = ':any';
const joined = (service: string, key: string): string => (key === ANY ? service + ANY : `${service}/${key}`);
const exactly = (tag: string): string => tag.replace(/:\*$/, ':all');
const coarsely = (tag: string): string =>
  tag.replace(/^([^:]*):(?!\*$|all$).*$/, `$1${ANY}`).replace(/:\*$/, ':all');
