/**
 * The news of this service's database, as every process hears them: what commits made old (migrations/0003_news.sql).
 * An answer says which message its process had heard last, so whoever keeps it knows which later ones it may lack.
 */
import { onBeat } from '../beat';
import { openLru } from '../lru';
import type { Listener } from '../db/listen';
import type { Db } from '../db/sql';
import { unavailable } from '../errors';
import { type NewsRecord, isMark, openRecord, tagsOfMessage } from './record';
import { idOf, messageIn, tagsOf } from './wrote';

export interface News {
  readonly id: string;
  /** Joined by `|`; empty in beats. */
  readonly tags: string;
}

export interface NewsDesk {
  /** What it has heard since when. */
  readonly record: NewsRecord;
  /** Id of the message told last to those who follow; empty while that is not known. What was heard is told a moment later. */
  heard(): string;
  /** Whether this message has been heard; of those that were heard long ago nobody asks. */
  readonly knows: (id: string) => boolean;
  /** The same once all that was committed before the call has been heard. */
  latest(): Promise<string>;
  /** All from now on, and beats; throws when the line to the database is lost or a reader does not keep up. */
  follow(signal: AbortSignal): AsyncGenerator<News>;
  /** Puts a mark among the news. */
  mark(name: string): Promise<void>;
}

const MOST_WAITING = 10_000;
/**
 * Who writes often is told of in lots: each message by itself costs the process that writes more than the write's own news. One
 * that comes alone waits for nothing.
 */
const LOT_MS = 20;
const MOST_IN_LOT = 1_000;
const MOST_KNOWN = 4_096;
const CHANNEL = 'news';

interface Follower {
  waiting: News[];
  wake: () => void;
  fault?: Error;
}

export function openNewsDesk(listener: Listener, db: Db): NewsDesk {
  const followers = new Set<Follower>();
  const record = openRecord();
  const known = openLru<string, true>({ most: MOST_KNOWN });
  let last = '';
  /** Of what was heard what the followers have been told, and what they will be. */
  let told = '';
  let lot: News[] = [];
  let lotAt = -Infinity;
  let lotTimer: NodeJS.Timeout | undefined;
  let connected = false;
  let stopBeats: (() => void) | undefined;

  /** It may notice late, when it reads on: nothing is kept for it until then, and it knows that it has missed something. */
  const fail = (follower: Follower, fault: Error): void => {
    follower.fault = fault;
    follower.waiting = [];
    follower.wake();
  };
  const give = (follower: Follower, news: News): void => {
    if (follower.fault) return;
    if (follower.waiting.length >= MOST_WAITING)
      return fail(follower, unavailable('A reader of the news that keeps up'));
    follower.waiting.push(news);
    follower.wake();
  };
  const tell = (): void => {
    clearTimeout(lotTimer);
    lotTimer = undefined;
    if (lot.length > 0) lotAt = performance.now();
    const all = lot;
    lot = [];
    for (const news of all) for (const follower of followers) give(follower, news);
    told = last;
  };
  const tellSoon = (): void => {
    const pause = lotAt + LOT_MS - performance.now();
    if (followers.size === 0 || pause <= 0) tell();
    else lotTimer ??= setTimeout(tell, pause);
  };
  listener.hear({
    channels: [CHANNEL],
    onMessage: (_, message) => {
      last = idOf(message);
      known.set(messageIn(last), true);
      const news = { id: last, tags: tagsOf(message) };
      const tags = tagsOfMessage(news.tags);
      record.add(tags);
      lot.push(news);
      // Somebody waits for a mark.
      if (isMark(tags) || lot.length >= MOST_IN_LOT) tell();
      else tellSoon();
    },
    onConnected: () => {
      connected = true;
      record.gap();
    },
    onLost: () => {
      connected = false;
      record.gap();
      last = '';
      lot = [];
      tell();
      for (const follower of followers) fail(follower, lineLost());
    },
  });

  /** For all followers together: only a line that answers beats. */
  const beat = (): void => {
    listener.probe().then(
      () => {
        tell();
        // Without anything heard there is nothing that whoever follows may be sure of.
        if (told === '') return;
        for (const follower of followers)
          if (follower.waiting.length === 0) give(follower, { id: told, tags: '' });
      },
      () => undefined,
    );
  };
  const enter = (follower: Follower): void => {
    followers.add(follower);
    stopBeats ??= onBeat(beat);
  };
  const leave = (follower: Follower): void => {
    followers.delete(follower);
    if (followers.size > 0) return;
    stopBeats?.();
    stopBeats = undefined;
  };

  const mark = async (name: string): Promise<void> => {
    // Nothing is written that a crash could lose: no reason to wait for the disk.
    await db.run(
      `select set_config('synchronous_commit', 'off', true), pg_notify($1, pg_current_xact_id()::text || ' mark:' || $2)`,
      [CHANNEL, name],
    );
  };

  return {
    record,
    heard: () => told,
    knows: (id) => known.has(messageIn(id)),
    latest: async () => {
      if (!(await listener.caughtUp())) return '';
      tell();
      return told;
    },
    mark,
    follow: async function* (signal) {
      if (!connected) throw lineLost();
      const follower: Follower = { waiting: [], wake: () => undefined };
      // What was heard before is nothing that it has to be told.
      tell();
      enter(follower);
      const end = (): void => follower.wake();
      signal.addEventListener('abort', end);
      try {
        // A process that has heard nothing yet does not know where it stands.
        if (told === '') await mark('begin');
        else yield { id: told, tags: '' };
        while (!signal.aborted) {
          if (follower.fault) throw follower.fault;
          const next = follower.waiting.shift();
          if (next) yield next;
          else await new Promise<void>((resolve) => (follower.wake = resolve));
        }
      } finally {
        signal.removeEventListener('abort', end);
        leave(follower);
      }
    },
  };
}

const lineLost = (): Error => unavailable('The line to the database', 1);
