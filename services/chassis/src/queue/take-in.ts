/**
 * One domain event is taken in together with its note in the inbox, in one transaction: seeing it twice has one effect.
 * One that ended as many processes as a job has tries is set aside, with its note, so that what was read with it goes on.
 */
import { MOST_TRIES } from '../db/outbox';
import type { Database, Db } from '../db/sql';
import type { Log } from '../log';
import { openEventTries } from './event-tries';

export interface EventCall<D, P = Record<string, unknown>> {
  readonly deps: D;
  readonly tx: Db;
  readonly topic: string;
  /** Of the announcement, among those of the service that made it; rising, and the same each time it comes. */
  readonly id: number;
  /** When it was made, as text of the announcing database; absent of what a version before had sent. */
  readonly at?: string;
  readonly payload: P;
  readonly log: Log;
}

export interface Message<D> {
  readonly row: {
    readonly topic: string;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes payload types
    readonly handle: (call: EventCall<D, any>) => Promise<void>;
  };
  readonly message: Readonly<Record<string, string>>;
  /** It was given to some process before. */
  readonly isAgain: boolean;
}

export type TakeIn<D> = (one: Message<D>) => Promise<'taken' | 'repeated' | 'set aside'>;

export interface TakeInOptions<D> {
  /** Name of the consuming service. */
  readonly group: string;
  readonly deps: D;
  readonly db: Database;
  readonly log: Log;
  /** After so many processes that ended with an event it is set aside; default as many tries as a job has. */
  readonly mostTries?: number;
}

export function openTakeIn<D>(options: TakeInOptions<D>): TakeIn<D> {
  const { db, deps, group, log, mostTries = MOST_TRIES } = options;
  const tries = openEventTries(db, group);
  const nameOf = ({ row, message }: Message<D>): string => `${row.topic}/${message.id}`;
  /** Answers whether it was not there before. A later one under a number that is known is another one (0012_event_moments.sql). */
  const noteDown = async (tx: Db, one: Message<D>): Promise<boolean> =>
    (await tx.run(
      `insert into inbox as known (consumer, event_id, happened_at) values ($1, $2, $3::timestamp)
       on conflict (consumer, event_id) do update set happened_at = excluded.happened_at, taken_at = now()
         where known.happened_at < excluded.happened_at`,
      [group, nameOf(one), one.message.at ?? null],
    )) > 0;

  const handle = (one: Message<D>): Promise<'taken' | 'repeated'> =>
    db.transaction(async (tx) => {
      if (!(await noteDown(tx, one))) return 'repeated';
      const { row, message } = one;
      await row.handle({
        deps,
        tx,
        topic: row.topic,
        id: Number(message.id),
        at: message.at,
        payload: JSON.parse(message.payload as string) as never,
        log,
      });
      return 'taken';
    });

  const setAside = async (one: Message<D>): Promise<'repeated' | 'set aside'> => {
    const { topic } = one.row;
    const { id, payload } = one.message;
    if (!(await noteDown(db, one))) return 'repeated';
    log.error(
      { topic, event: id, payload, tries: mostTries },
      'a domain event is set aside: each process that began it has ended',
    );
    return 'set aside';
  };

  return async (one) => {
    if (!one.isAgain) return handle(one);
    try {
      // The first time was a try as well.
      const before = await tries.begin(nameOf(one));
      return await (before < mostTries ? handle(one) : setAside(one));
    } finally {
      await tries.end();
    }
  };
}
