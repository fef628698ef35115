/**
 * The news of this service's database, as every process hears them: what commits made old (migrations/0003_news.sql).
 * An answer says which message its process had heard last, so whoever keeps it knows which later ones it may lack.
 */
import { onBeat } from '../beat';
import type { Listener } from '../db/listen';
import type { Db } from '../db/sql';
import { unavailable } from '../errors';
import { MARK, type NewsRecord, isMark, openRecord, tagsOfMessage } from './record';
import { idOf, messageIn, tagsOf } from './wrote';

export interface News {
  readonly id: string;
  /** Joined by `|`; empty in beats. */
  readonly tags: string;
  /** Ids of those before it that its tags tell of, too. */
  readonly earlier: string[];
}

export interface NewsDesk {
  /** What it has heard since when. */
  readonly record: NewsRecord;
  /**
   * Id of the message told last to those who follow, for an answer that is kept; empty while that is not known. What was heard is told
   * a moment later, and sooner where somebody asks, as his answer is good for nothing that is told after it.
   */
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

const MOST_WAITING = 1_000;
/**
 * Who writes often is told of in lots: each message by itself costs the process that writes more than the write's own news. One
 * that comes alone waits for nothing, those that come soon after it for a while.
 */
const LOT_MS = 100;
const ASKED_LOT_MS = 20;
const MOST_IN_LOT = 1_000;
/** What is told as one message: neither it nor what waits for a slow reader is ever large. */
const MOST_TOGETHER = 16;
const MOST_TAGS = 7_500;
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
  /** In the order in which they were heard. */
  const known = new Set<string>();
  let last = '';
  /** Of what was heard what the followers have been told, and what they will be. */
  let told = '';
  let lot: News[] = [];
  let lotAt = -Infinity;
  let lotTimer: NodeJS.Timeout | undefined;
  let lotPatience = LOT_MS;
  let connected = false;
  let stopBeats: (() => void) | undefined;

  const note = (message: string): void => {
    known.add(message);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value as string);
  };
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
    const all = together(lot);
    lot = [];
    for (const news of all) for (const follower of followers) give(follower, news);
    told = last;
  };
  const tellWithin = (patience: number): void => {
    const pause = lotAt + patience - performance.now();
    if (followers.size === 0 || pause <= 0) return tell();
    if (lotTimer && lotPatience <= patience) return;
    clearTimeout(lotTimer);
    lotPatience = patience;
    lotTimer = setTimeout(tell, pause);
  };
  listener.hear({
    channels: [CHANNEL],
    onMessage: (_, message) => {
      last = idOf(message);
      note(messageIn(last));
      const news = { id: last, tags: tagsOf(message), earlier: [] };
      const tags = tagsOfMessage(news.tags);
      record.add(tags);
      lot.push(news);
      // Somebody waits for a mark.
      if (isMark(tags) || lot.length >= MOST_IN_LOT) tell();
      else tellWithin(LOT_MS);
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
        // Without anything heard there is nothing that whoever follows may be sure of; and what waits to be told says as much as a beat.
        if (told === '' || lot.length > 0) return;
        for (const follower of followers) if (follower.waiting.length === 0) give(follower, beatOf(told));
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
    heard: () => {
      if (lot.length > 0) tellWithin(ASKED_LOT_MS);
      return told;
    },
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
        else yield beatOf(told);
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

const beatOf = (id: string): News => ({ id, tags: '', earlier: [] });

/** In their order: what was written again and again is told of once. A mark stays by itself, as somebody looks for it. */
function together(lot: readonly News[]): News[] {
  const all: News[] = [];
  let [ids, tags, length]: [string[], Set<string>, number] = [[], new Set(), 0];
  const end = (): void => {
    const id = ids.pop();
    if (id !== undefined) all.push({ id, tags: [...tags].join('|'), earlier: ids });
    [ids, tags, length] = [[], new Set(), 0];
  };
  for (const news of lot) {
    if (news.tags.startsWith(MARK)) {
      end();
      all.push(news);
      continue;
    }
    if (ids.length === MOST_TOGETHER || length + news.tags.length > MOST_TAGS) end();
    ids.push(news.id);
    for (const tag of news.tags.split('|')) tags.add(tag);
    length += news.tags.length;
  }
  end();
  return all;
}

const lineLost = (): Error => unavailable('The line to the database', 1);
