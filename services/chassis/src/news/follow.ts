/**
 * The news of another service (desk.ts), followed for as long as it takes. Whoever keeps something of it hears what
 * became old, and at a gap, where news may have been missed, that everything may be. Between the two it says whether it
 * is sure: the stream runs and was heard just now.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type NewsMessage,
  type NewsServiceServer,
  NewsServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/news';
import { openLru } from '../lru';
import type { Dial, Remote } from '../grpc/dial';
import type { Log } from '../log';
import { askedTogether } from '../asked-together';
import { joined } from '../joined-signals';
import { type NewsRecord, openRecord, tagsOfMessage } from './record';
import { messageIn } from './wrote';

export interface NewsOptions {
  readonly dial: Dial;
  readonly service: string;
  readonly address: string;
  readonly log: Log;
  /** A message and its tags, in the order of commits; some of several that came together stand by the last of them. */
  readonly onNews: (id: string, tags: readonly string[]) => void;
  /** The message that the stream begins after; whatever was kept from before may be old. */
  readonly onGap: (id: string) => void;
}

export interface FollowedNews {
  isSure(): boolean;
  /** Whether this message was heard lately. */
  knows(id: string): boolean;
  /** Whatever was kept may be old, as at a gap. */
  doubt(): void;
  /** Id of the message heard last; empty while it is not sure. */
  heard(): string;
  /** What was heard since when. */
  readonly record: NewsRecord;
  /** Whether all that was committed there before the call has been heard. */
  caughtUp(): Promise<boolean>;
  readonly remote: Pick<Remote<NewsServiceServer>, 'mark'>;
  /** Ends the stream; the next one begins with a gap. */
  beginAnew(): void;
  stop(): Promise<void>;
}

/** Beats come every 300 ms (beat.ts); with this much silence what another process wrote is still shown within a second. */
const SILENCE_MS = 850;
const STREAM_MS = 3_600_000;
/** Who stands still is not waited for by everybody who asks something. */
const LATEST_MS = 150;
/** How many messages ago one may have been heard to be known again. */
const MOST_RECENT = 256;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

export function followNews({ dial, service, address, log, onNews, onGap }: NewsOptions): FollowedNews {
  const remote = dial<NewsServiceServer>(NewsServiceService, { service, address });
  const stopping = new AbortController();
  let stream = new AbortController();
  let following = false;
  let heardAt = 0;
  /** Undefined: nothing that the next stream could go on after. */
  let last: string | undefined;
  const record = openRecord();
  const recent = openLru<string, true>({ most: MOST_RECENT });
  let silentAt = 0;
  /** Who waits for a message that is on its way. */
  const waiting = new Map<string, () => void>();

  const isSure = (): boolean => following && performance.now() - heardAt < SILENCE_MS;

  const hear = (id: string, tags: readonly string[]): void => {
    record.add(tags);
    onNews(id, tags);
    recent.set(messageIn(id), true);
  };
  const take = ({ id, tags, earlier }: NewsMessage): void => {
    // Of a process that has heard nothing itself yet: it says nothing of where the news stand.
    if (id === '') return;
    const now = performance.now();
    // After a silence it may have been on its way for long, with more behind it: only a new stream says where news stand.
    if (following && now - heardAt > SILENCE_MS) return stream.abort();
    heardAt = now;
    // Nothing was missed where the stream goes on after the message that was heard last.
    if (!following && (tags !== '' || id !== last)) {
      record.gap();
      recent.clear();
      onGap(id);
    } else if (tags !== '') {
      // Whoever has heard one of them only may lack all that the last one tells of.
      for (const one of earlier) hear(one, []);
      hear(id, tagsOfMessage(tags));
    }
    following = true;
    last = id;
    recent.set(messageIn(id), true);
    for (const one of [...earlier, id]) waiting.get(messageIn(one))?.();
  };
  const read = async (): Promise<void> => {
    stream = new AbortController();
    const end = joined([stream.signal, stopping.signal]);
    try {
      for await (const news of remote.follow({}, { signal: end.signal, deadlineMs: STREAM_MS })) take(news);
    } catch (error) {
      if (following && !stopping.signal.aborted)
        log.debug({ err: error as Error, upstream: service }, 'the news of the service cannot be followed');
    } finally {
      end.leave();
    }
    following = false;
  };
  const loop = (async (): Promise<void> => {
    let pause = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      const began = performance.now();
      await read();
      pause = performance.now() - began > 5_000 ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  const caughtUp = askedTogether((answered) => {
    const answer = (id: string): void => {
      waiting.clear();
      if (id === '' || !isSure()) answered(false);
      else if (recent.has(messageIn(id))) answered(true);
      else waiting.set(messageIn(id), () => answered(isSure()));
    };
    // Who did not answer is asked again once he was heard of.
    if (!isSure() || silentAt > heardAt) return answered(false);
    remote.latest({}, { deadlineMs: LATEST_MS }).then(
      ({ id }) => answer(id),
      () => {
        silentAt = performance.now();
        answered(false);
      },
    );
  });

  return {
    isSure,
    record,
    caughtUp,
    heard: () => (isSure() ? (last ?? '') : ''),
    knows: (id) => recent.has(messageIn(id)),
    doubt: () => {
      record.gap();
      onGap(last ?? '');
    },
    remote,
    beginAnew: () => {
      last = undefined;
      stream.abort();
    },
    stop: async () => {
      stopping.abort();
      await loop;
      remote.close();
    },
  };
}
