/**
 * What a service's commits made old, as numbered messages. An answer is as old as the last message that its process had
 * heard when it was asked for, and fresh for as long as none of its tags was told since. A write that goes through here says
 * its news itself, which usually come a moment later. While nobody can be sure (the stream is away or silent, or a write did
 * not say all) nothing that was kept before is shown.
 */
import { randomUUID } from 'node:crypto';
import { EVERYTHING } from '@sevenfold/chassis/http/shows';
import { type NewsOptions, followNews } from '@sevenfold/chassis/news/follow';
import { MARK, type NewsRecord, type Place, isMark, tagsOfMessage } from '@sevenfold/chassis/news/record';
import { LRUCache } from 'lru-cache';

export interface ServiceNews extends Pick<NewsRecord, 'now' | 'isFresh'> {
  readonly service: string;
  /** Whether what was asked for at that time (`performance.now()`) may be shown. */
  isSure(begun: number): boolean;
  /** Where an answer stands whose process had heard this message last; undefined: nowhere that is known. */
  placeOf(id: string): Place | undefined;
  /** A write has been answered that made these tags old, as the message of this id will say, or has said. */
  wrote(id: string, tags: string): void;
  /** One has been answered of which nobody knows that: until all its news are heard, nothing that was asked for before is shown. */
  written(): void;
  stop(): Promise<void>;
}

const MARK_MS = 1_000;
const MOST_MESSAGES = 4_096;

interface Options extends Omit<NewsOptions, 'onNews' | 'onGap'> {
  /** Called with what became old; after a gap that is everything. */
  readonly onTold?: (tags: readonly string[]) => void;
}

export function openNews({ onTold, ...options }: Options): ServiceNews {
  const places = new LRUCache<string, Place>({ max: MOST_MESSAGES });
  let mark = '';
  let again = false;
  let writtenAt = 0;

  const news = followNews({
    ...options,
    onGap: (id) => {
      places.clear();
      places.set(id, news.record.now());
      mark = '';
      again = false;
      onTold?.([EVERYTHING]);
    },
    onNews: (id, tags) => {
      places.set(id, news.record.now());
      if (tags[0] === MARK + mark) passMark();
      if (!isMark(tags)) onTold?.(tags);
    },
  });

  const setMark = (): void => {
    const name = randomUUID();
    mark = name;
    news.remote.mark({ name }, { deadlineMs: MARK_MS }).catch((error: unknown) => {
      options.log.debug(
        { err: error as Error, upstream: options.service },
        'no mark could be put among the news',
      );
      // Whether the news of the write are on their way is not known.
      if (mark === name) news.beginAnew();
    });
  };
  const passMark = (): void => {
    mark = '';
    if (!again) return;
    again = false;
    setMark();
  };

  return {
    service: options.service,
    isSure: (begun) => news.isSure() && (mark === '' || begun > writtenAt),
    now: news.record.now,
    placeOf: (id) => places.get(id),
    isFresh: news.record.isFresh,
    wrote: (id, tags) => void (places.has(id) || news.record.add(tagsOfMessage(tags))),
    written: () => {
      writtenAt = performance.now();
      // Whatever stream comes next, what was kept is from before the write.
      if (!news.isSure()) news.beginAnew();
      else if (mark === '') setMark();
      else again = true;
    },
    stop: () => news.stop(),
  };
}
