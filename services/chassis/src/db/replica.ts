/**
 * Reads from replicas, which follow the database a moment behind. A request that reads asks the database once where its log
 * ends, on the listening connection and together with all who ask at that moment; a replica is good for it that has replayed
 * the log up to there. So it shows what every write had done that was answered before the request came, whoever made it and
 * through whichever gateway or service, and no mark of it has to be carried about. Where there is no such replica, or it
 * fails, the primary answers, and it does so for the rest of that request. Writes, jobs and calls of others go to the primary.
 *
 * What a process remembers (memory.ts) and what the gateway keeps stays right: whoever has heard of a change since the place was
 * asked for asks again, so nothing is read from before what was heard.
 */
import { Counter } from 'prom-client';
import { askedTogether } from '../asked-together';
import { isPostgresError } from '../errors';
import type { Log } from '../log';
import type { Listener } from './listen';
import { type PoolOptions, openDatabase } from './pool';
import { openReplicaLine } from './replica-line';
import { type Database, type Db, dbOf } from './sql';

export interface Standby {
  /** Gives reads of these connections a second way, with as many to the replica. */
  accompany(db: Db, options: TwinOptions): void;
  /** What a request that reads works with: the same, with the second way where there is one. */
  forRead<D extends object>(deps: D): D;
  close(): Promise<void>;
}

export interface TwinOptions extends Pick<
  PoolOptions,
  'size' | 'application' | 'statementTimeoutMs' | 'settings'
> {
  /** With more in its line the primary is asked. */
  readonly mostWaiting?: number;
  /** How it is told that a statement took too long. */
  readonly tell?: (error: unknown) => unknown;
}

export interface StandbyOptions {
  readonly url: string;
  readonly application: string;
  readonly db: Db;
  readonly listener: Listener;
  readonly log: Log;
}

const reads = new Counter({
  name: 'database_replica_reads_total',
  help: 'Statements read from a replica, and statements and whole requests that went to the primary, as it was behind, away or failed',
  labelNames: ['result'],
});
for (const result of ['replica', 'behind', 'away', 'failed']) reads.inc({ result }, 0);

const CONNECT_MS = 1_000;
/** Of a replica that was found to be behind others need not find out the same at once. */
const BEHIND_MS = 2;
const TOO_LONG = '57014';

/** One request. */
interface Pass {
  /** Where a replica has to be; undefined: the primary is to be asked. */
  at(): Promise<number | undefined>;
  leave(): void;
}

interface Twin {
  through(pass: Pass): Db;
  close(): Promise<void>;
}

export function openStandby({ url, application, db, listener, log }: StandbyOptions): Standby {
  const line = openReplicaLine({ url, application, db, listener, log });
  let place = 0;
  const standing = askedTogether((answered) => {
    listener.position().then(
      (at) => {
        place = at;
        answered(true);
      },
      () => answered(false),
    );
  });
  const twins = new Map<unknown, Twin>();
  let behindUntil = 0;

  const mayAsk = (): boolean => line.isUp() && performance.now() > behindUntil;
  const openPass = (): Pass => {
    let left = false;
    let told = -1;
    let asked: Promise<number | undefined> | undefined;
    return {
      at: () => {
        if (left || !mayAsk()) return Promise.resolve(undefined);
        if (!asked || told !== listener.told()) {
          told = listener.told();
          // Meanwhile it may have been asked again: later is as good.
          asked = standing().then((isKnown) => (isKnown ? place : undefined));
        }
        return asked;
      },
      leave: () => {
        left = true;
      },
    };
  };

  const accompany = (primary: Db, { mostWaiting = Infinity, tell, ...options }: TwinOptions): void => {
    const replica = openDatabase({
      ...options,
      url,
      application: `${options.application}-replica`,
      waitMs: CONNECT_MS,
      connectMs: CONNECT_MS,
      // The line says what is to be said.
      onIdleError: () => undefined,
      log,
    });
    /** Undefined where the replica is not the one to ask. */
    const ask = async <T>(
      at: number,
      read: (db: Db) => Promise<T>,
    ): Promise<{ answer: T } | 'behind' | 'away'> => {
      if (!line.isUp() || replica.pool.waitingCount >= mostWaiting) return 'away';
      const client = await replica.pool.connect();
      let broken: Error | undefined;
      const lost = (error: Error): void => void (broken ??= error);
      client.on('error', lost);
      try {
        if (!(await line.unlessLost(line.reaches(client, at)))) return 'behind';
        return { answer: await line.unlessLost(read(dbOf(client))) };
      } catch (error) {
        // What waits on it for an answer is nobody's to wait for.
        if (!isPostgresError(error)) lost(error as Error);
        throw error;
      } finally {
        client.off('error', lost);
        client.release(broken);
      }
    };
    const through = (pass: Pass): Db => {
      const read = async <T>(statement: (one: Db) => Promise<T>): Promise<T> => {
        const at = await pass.at();
        if (at === undefined) return statement(primary);
        let result: 'behind' | 'away' | 'failed';
        try {
          const found = await ask(at, statement);
          if (typeof found === 'object') {
            reads.inc({ result: 'replica' });
            return found.answer;
          }
          result = found;
        } catch (error) {
          if (isPostgresError(error) && error.code === TOO_LONG)
            throw (tell?.(error) as Error | undefined) ?? error;
          log.debug(
            { err: error as Error },
            'a statement that the replica did not answer goes to the primary',
          );
          result = 'failed';
        }
        reads.inc({ result });
        if (result === 'behind') behindUntil = performance.now() + BEHIND_MS;
        pass.leave();
        return statement(primary);
      };
      const write = <T>(work: () => Promise<T>): Promise<T> => {
        pass.leave();
        return work();
      };
      return {
        ...primary,
        rows: (...query) => read((one) => one.rows(...query)),
        first: (...query) => read((one) => one.first(...query)),
        run: (...query) => write(() => primary.run(...query)),
        ...('transaction' in primary && {
          transaction: <T>(work: (tx: Db) => Promise<T>) =>
            write(() => (primary as Database).transaction(work)),
        }),
      };
    };
    twins.set(primary, { through, close: () => replica.close() });
  };

  return {
    accompany,
    forRead: (deps) => {
      if (!mayAsk()) {
        reads.inc({ result: line.isUp() ? 'behind' : 'away' });
        return deps;
      }
      const pass = openPass();
      const own = Object.entries(deps).flatMap(([name, value]) => {
        const twin = twins.get(value);
        return twin ? [[name, twin.through(pass)]] : [];
      });
      return { ...deps, ...(Object.fromEntries(own) as Partial<typeof deps>) };
    },
    close: async () => {
      await line.stop();
      await Promise.all([...twins.values()].map((twin) => twin.close()));
    },
  };
}
