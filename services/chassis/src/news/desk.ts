/**
 * The news of this service's database, as every process hears them: what commits made old (migrations/0003_news.sql).
 * An answer says which message its process had heard last, so whoever keeps it knows which later ones it may lack.
 */
import type { Listener } from '../db/listen';
import type { Db } from '../db/sql';
import { unavailable } from '../errors';
import { type NewsRecord, openRecord, tagsOfMessage } from './record';
import { idOf, tagsOf } from './wrote';

export interface News {
  readonly id: string;
  /** Joined by `|`; empty in beats. */
  readonly tags: string;
}

export interface NewsDesk {
  /** What it has heard since when. */
  readonly record: NewsRecord;
  /** Id of the message heard last; empty while that is not known. */
  heard(): string;
  /** The same once all that was committed before the call has been heard. */
  latest(): Promise<string>;
  /** All from now on, and beats; throws when the line to the database is lost or a reader does not keep up. */
  follow(signal: AbortSignal): AsyncGenerator<News>;
  /** Puts a mark among the news. */
  mark(name: string): Promise<void>;
}

const BEAT_MS = 200;
const MOST_WAITING = 10_000;
const CHANNEL = 'news';

interface Follower {
  readonly waiting: News[];
  wake: () => void;
  fault?: Error;
}

export function openNewsDesk(listener: Listener, db: Db): NewsDesk {
  const followers = new Set<Follower>();
  const record = openRecord();
  let last = '';
  let connected = false;
  let beats: NodeJS.Timeout | undefined;

  const give = (follower: Follower, news: News): void => {
    follower.waiting.push(news);
    if (follower.waiting.length > MOST_WAITING)
      follower.fault = unavailable('A reader of the news that keeps up');
    follower.wake();
  };
  listener.hear({
    channels: [CHANNEL],
    onMessage: (_, message) => {
      last = idOf(message);
      const news = { id: last, tags: tagsOf(message) };
      record.add(tagsOfMessage(news.tags));
      for (const follower of followers) give(follower, news);
    },
    onConnected: () => {
      connected = true;
      record.gap();
    },
    onLost: () => {
      connected = false;
      record.gap();
      last = '';
      for (const follower of followers) {
        follower.fault = lineLost();
        follower.wake();
      }
    },
  });

  /** For all followers together: only a line that answers beats. */
  const beat = (): void => {
    listener.probe().then(
      () => {
        for (const follower of followers)
          if (follower.waiting.length === 0) give(follower, { id: last, tags: '' });
      },
      () => undefined,
    );
  };
  const enter = (follower: Follower): void => {
    followers.add(follower);
    beats ??= setInterval(beat, BEAT_MS);
  };
  const leave = (follower: Follower): void => {
    followers.delete(follower);
    if (followers.size > 0) return;
    clearInterval(beats);
    beats = undefined;
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
    heard: () => last,
    latest: async () => ((await listener.caughtUp()) ? last : ''),
    mark,
    follow: async function* (signal) {
      if (!connected) throw lineLost();
      const follower: Follower = { waiting: [], wake: () => undefined };
      enter(follower);
      const end = (): void => follower.wake();
      signal.addEventListener('abort', end);
      try {
        // A process that has heard nothing yet does not know where it stands.
        if (last === '') await mark('begin');
        else yield { id: last, tags: '' };
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
