/**
 * What a service's commits made old, as numbered messages. An answer is as old as the last message that its process had
 * heard when it was asked for, and fresh for as long as none of its tags was told since. A write that goes through here says
 * its news itself, which usually come a moment later. While nobody can be sure (the stream is away or silent, or a write did
 * not say all) nothing that was kept before is shown.
 */
import { randomUUID } from 'node:crypto';
import { EVERYTHING } from '@sevenfold/chassis/http/shows';
import { AFTER_MS, UNKNOWN } from '@sevenfold/chassis/news/after';
import { type NewsOptions, followNews } from '@sevenfold/chassis/news/follow';
import { MARK, type NewsRecord, type Place, isMark, tagsOfMessage } from '@sevenfold/chassis/news/record';
import { messageIn } from '@sevenfold/chassis/news/wrote';
import { openLru } from '@sevenfold/chassis/lru';
import { Counter } from 'prom-client';

export interface ServiceNews extends Pick<NewsRecord, 'now' | 'isFresh'> {
  readonly service: string;
  /** Whether what was asked for at that time (`performance.now()`) may be shown. */
  isSure(begun: number): boolean;
  /** Where an answer stands whose process had heard this message last; undefined: nowhere that is known. */
  placeOf(id: string): Place | undefined;
  /** Messages that whoever is asked next has to have heard (chassis/src/news/after.ts); empty where nothing was written lately. */
  after(): readonly string[];
  /** A write has been answered that made these tags old, as the message of this id will say, or has said. */
  wrote(id: string, tags: string): void;
  /** One has been answered of which nobody knows that: until all its news are heard, nothing that was asked for before is shown. */
  written(): void;
  stop(): Promise<void>;
}

const gaps = new Counter({
  name: 'gateway_cache_gaps_total',
  help: 'How often news of a service may have been missed, so that nothing kept of it before is shown; the first is the start',
  labelNames: ['service'],
});

const MARK_MS = 1_000;
const MOST_MESSAGES = 4_096;

interface Options extends Omit<NewsOptions, 'onNews' | 'onGap'> {
  /** Called with what became old; after a gap that is everything. */
  readonly onTold?: (tags: readonly string[]) => void;
}

export function openNews({ onTold, ...options }: Options): ServiceNews {
  /** By what all releases say of a message, with the id that it was told under. */
  const places = openLru<string, { readonly id: string; readonly place: Place }>({ most: MOST_MESSAGES });
  const note = (id: string, place: Place): void => void places.set(messageIn(id), { id, place });
  let mark = '';
  let again = false;
  let writtenAt = 0;
  const lately = openLately();

  const news = followNews({
    ...options,
    onGap: (id) => {
      gaps.inc({ service: options.service });
      places.clear();
      note(id, news.record.now());
      lately.lost();
      mark = '';
      again = false;
      onTold?.([EVERYTHING]);
    },
    onNews: (id, tags) => {
      const place = news.record.now();
      note(id, place);
      const isPassed = tags[0] === MARK + mark;
      if (isPassed) passMark();
      lately.heard(messageIn(id), place, isPassed && mark === '');
      // The last one of several tells of all of them.
      if (tags.length > 0 && !isMark(tags)) onTold?.(tags);
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
    placeOf: (id) => {
      const known = places.get(messageIn(id));
      return known?.id === id ? known.place : undefined;
    },
    isFresh: news.record.isFresh,
    after: lately.ids,
    wrote: (id, tags) => {
      const message = messageIn(id);
      const place = places.get(message)?.place;
      lately.wrote(message, place);
      if (place === undefined) news.record.add(tagsOfMessage(tags));
    },
    written: () => {
      lately.unknown();
      writtenAt = performance.now();
      // Whatever stream comes next, what was kept is from before the write.
      if (!news.isSure()) news.beginAnew();
      else if (mark === '') setMark();
      else again = true;
    },
    stop: () => news.stop(),
  };
}

/** More would have to be many writes of one moment: those of up to a tenth of a second are told together (chassis/src/news/desk.ts). */
const MOST_LATELY = 32;

interface Lately {
  /** Where it stands among those that were heard; undefined: nowhere yet. */
  wrote(id: string, place: Place | undefined): void;
  /** Something was written of which nobody knows the message. */
  unknown(): void;
  /** After a mark of whoever wrote last, nothing is unknown any more. */
  heard(id: string, place: Place, isAll: boolean): void;
  /** Nobody can say any more which message came after which. */
  lost(): void;
  readonly ids: () => readonly string[];
}

/**
 * What was written through here as long as a process may remember what was before. Messages come in the order of commits, so who
 * knows the last one of those that were heard knows all before it.
 */
function openLately(): Lately {
  let last: { readonly id: string; readonly place: Place } | undefined;
  const waiting = new Set<string>();
  let until = 0;
  let ids: readonly string[] = [];
  const note = (): void => {
    ids = waiting.size > MOST_LATELY ? [UNKNOWN] : [...(last ? [last.id] : []), ...waiting];
  };
  const forget = (): void => {
    last = undefined;
    waiting.clear();
    ids = [];
  };
  const unknown = (): void => {
    until = performance.now() + AFTER_MS;
    waiting.add(UNKNOWN);
    note();
  };
  return {
    wrote: (id, place) => {
      until = performance.now() + AFTER_MS;
      if (place === undefined) waiting.add(id);
      else if (!last || last.place < place) last = { id, place };
      note();
    },
    unknown,
    heard: (id, place, isAll) => {
      const isWaited = waiting.delete(id);
      const isFound = isAll && waiting.delete(UNKNOWN);
      if (!isWaited && !isFound) return;
      last = { id, place };
      note();
    },
    lost: () => {
      if (ids.length === 0) return;
      forget();
      unknown();
    },
    ids: () => {
      if (ids.length > 0 && performance.now() > until) forget();
      return ids;
    },
  };
}
