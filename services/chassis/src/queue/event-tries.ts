/**
 * How often a domain event was begun, written down before its handler runs: an event that ends each process it comes to
 * would go from one to the next for ever, and hold up what was read with it. Whatever else comes of a try, a failure, an
 * outage or an orderly stop, takes it back. Only what comes again is counted: what is new costs nothing more.
 */
import type { Db } from '../db/sql';

export interface EventTries {
  /** Answers how many tries there were with this one, at least 1. */
  begin(event: string): Promise<number>;
  /** The process lives. What cannot be written down now is so at the next beginning or end. */
  end(): Promise<void>;
}

export function openEventTries(db: Db, consumer: string): EventTries {
  /** Counted by this process, and not taken back yet. */
  const counted = new Set<string>();
  const takeBack = async (): Promise<void> => {
    const events = [...counted];
    if (events.length === 0) return;
    const mine = 'consumer = $1 and event_id = any($2::text[])';
    await db.run(`delete from event_tries where ${mine} and tries <= 1`, [consumer, events]);
    await db.run(`update event_tries set tries = tries - 1 where ${mine}`, [consumer, events]);
    for (const event of events) counted.delete(event);
  };
  return {
    begin: async (event) => {
      await takeBack();
      // An answer that gets lost may have been written down.
      counted.add(event);
      const row = await db.first<{ tries: number }>(
        `insert into event_tries as t (consumer, event_id, tries) values ($1, $2, 1)
         on conflict (consumer, event_id) do update set tries = t.tries + 1, tried_at = now() returning tries`,
        [consumer, event],
      );
      return row?.tries ?? 1;
    },
    end: () => takeBack().catch(() => undefined),
  };
}
