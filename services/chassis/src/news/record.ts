/**
 * Which tags of the news were told when. Whoever keeps an answer keeps with it what it shows and where the news stood
 * when it was asked for; it is fresh for as long as none of its tags was told since.
 */
import { openLru } from '../lru';
import { EVERYTHING } from '../http/shows';

/** Number of a message; larger is later. */
export type Place = number;

export interface NewsRecord {
  /** The last message. */
  readonly now: () => Place;
  /** A message and what it makes old; one that makes nothing old, as a mark, is only a later place. */
  add(tags: readonly string[]): Place;
  /** News may have been missed: whatever was asked for before is old. */
  gap(): Place;
  /** Whether no news since then is about one of the tags. */
  readonly isFresh: (tags: readonly string[], since: Place) => boolean;
}

const MOST_TAGS = 50_000;

/** Begins what stands among the news to be found there, and makes nothing old. */
export const MARK = 'mark:';
export const isMark = ([first = '']: readonly string[]): boolean => first.startsWith(MARK);

export function openRecord(): NewsRecord {
  let place: Place = 0;
  /** What is older is old, whatever it shows. */
  let floor: Place = 0;
  const told = openLru<string, Place>({
    most: MOST_TAGS,
    // What is forgotten of a tag might be news to anybody.
    disposeAfter: (at, _, reason) => {
      if (reason === 'evict') floor = Math.max(floor, at);
    },
  });
  return {
    now: () => place,
    add: (tags) => {
      place += 1;
      if (isMark(tags)) return place;
      for (const tag of tags) {
        if (tag === EVERYTHING) floor = place;
        else told.set(tag, place);
      }
      if (tags.length > 0) told.set(EVERYTHING, place);
      return place;
    },
    gap: () => {
      floor = place += 1;
      told.clear();
      return place;
    },
    isFresh: (tags, since) => {
      if (since < floor) return false;
      for (const tag of tags) {
        const at = told.get(tag);
        if (at !== undefined && at > since) return false;
      }
      return true;
    },
  };
}

/** What an answer shows of one service, and since when. */
export interface Shown<N extends Pick<NewsRecord, 'now' | 'isFresh'> = NewsRecord> {
  readonly news: N;
  readonly tags: readonly string[];
  readonly since: Place;
  /** Up to here nothing was told of its tags. */
  checked: Place;
}

const BYTES_PER_TAG = 64;

/** Memory that the tags of what is kept take, about. */
export const tagBytes = (shown: readonly Pick<Shown, 'tags'>[]): number =>
  BYTES_PER_TAG * shown.reduce((sum, { tags }) => sum + tags.length, 0);

export function isFresh(shown: Shown<Pick<NewsRecord, 'now' | 'isFresh'>>): boolean {
  const now = shown.news.now();
  if (shown.checked === now) return true;
  if (!shown.news.isFresh(shown.tags, shown.since)) return false;
  shown.checked = now;
  return true;
}

/** Tags as `joinTags` writes them, by the service whose they are; `own` for those that name none. */
export function tagsByService(text: string, own: string): Map<string, string[]> {
  const by = new Map<string, string[]>();
  for (const tag of readTags(text)) {
    const slash = tag.indexOf('/');
    const service = slash < 0 ? own : tag.slice(0, slash);
    const list = by.get(service);
    if (list) list.push(tag.slice(slash + 1));
    else by.set(service, [tag.slice(slash + 1)]);
  }
  return by;
}

/** `post|post:1,2|term:5` as single tags, with `post:*` for what is told of a whole kind. */
export function readTags(text: string): string[] {
  if (text === '') return [];
  return text.split('|').flatMap((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) return [part];
    const kind = part.slice(0, colon + 1);
    // The whole kind is told of where many change at once.
    return [`${kind}*`, ...singly(part)];
  });
}

/** What a message tells of, `post:1,2|term:5`, as single tags. */
export const tagsOfMessage = (text: string): string[] => text.split('|').flatMap(singly);

/** `post:1,2` as `post:1` and `post:2`. */
function singly(tag: string): string[] {
  const colon = tag.indexOf(':');
  if (colon < 0) return [tag];
  const kind = tag.slice(0, colon + 1);
  return tag
    .slice(colon + 1)
    .split(',')
    .map((id) => kind + id);
}
