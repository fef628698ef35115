/**
 * Whose a database and a Redis prefix are. An instance (all processes of one site) has an id; it is written where nothing
 * is written yet and compared from then on, so that two sites that were given one server by mistake do not take each
 * other's data and jobs. Without an id (INSTANCE_ID) nothing is asked. What Redis forgets is written there again.
 */
import type { Db } from './db/sql';
import { answered } from './queue/answered';
import type { RedisClient } from './queue/redis';

/** One message for people; nothing was changed. */
export class ForeignInstance extends Error {
  constructor(what: string, theirs: string, ours: string) {
    super(
      `${what} belongs to another instance (${theirs}; this one is ${ours}). Nothing was changed. Give this one a database ` +
        `and a Redis prefix of its own (DATABASE_PREFIX or DATABASE_URL, REDIS_PREFIX), or, if the other one is no more, ` +
        `take over what it left with INSTANCE_ID=${theirs}.`,
    );
    this.name = 'ForeignInstance';
  }
}

/** Any number that no other advisory lock of a service's database uses. */
const LOCK_KEY = 727_002;

export const FIND_INSTANCE_TABLE = `select to_regclass('instance') is not null as "isThere"`;
export const FIND_INSTANCE = 'select id from instance';

/** Throws ForeignInstance. `what` names the database for people. In one transaction, so that of two only one wins. */
export async function claimDatabase(tx: Db, id: string, what: string): Promise<void> {
  await tx.run('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
  const table = await tx.first<{ isThere: boolean }>(FIND_INSTANCE_TABLE);
  if (!table?.isThere)
    await tx.run(
      'create table instance (single boolean primary key default true check (single), id text not null)',
    );
  await tx.run('insert into instance (id) values ($1) on conflict do nothing', [id]);
  const found = await tx.first<{ id: string }>(FIND_INSTANCE);
  if (found && found.id !== id) throw new ForeignInstance(what, found.id, id);
}

export const instanceKey = (prefix: string): string => `${prefix}:instance`;

export const redisIn = (prefix: string): string => `The Redis server with the prefix "${prefix}"`;

/** Throws ForeignInstance, or what Redis says; changes nothing. */
export async function checkRedis(redis: RedisClient, prefix: string, id: string): Promise<void> {
  const found = await answered(redis.get(instanceKey(prefix)));
  if (found !== null && found !== id) throw new ForeignInstance(redisIn(prefix), found, id);
}

/** Writes whose the prefix is where nothing is written. Throws as the above does. */
export async function claimRedis(redis: RedisClient, prefix: string, id: string): Promise<void> {
  await answered(redis.set(instanceKey(prefix), id, { condition: 'NX' }));
  await checkRedis(redis, prefix, id);
}

export interface Claim {
  stop(): Promise<void>;
}

const AGAIN_MS = 10_000;
const SOON_MS = 200;

/**
 * Claims as soon as Redis is there and goes on claiming, since it may forget. `onOurs` is called once, `onForeign` too,
 * and after that nothing is asked any more.
 */
export function keepClaim(options: {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly id: string;
  readonly onOurs: () => void;
  readonly onForeign: (error: ForeignInstance) => void;
}): Claim {
  const { redis, prefix, id } = options;
  let ours = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    let pause = SOON_MS;
    try {
      await claimRedis(redis, prefix, id);
      pause = AGAIN_MS;
      if (!ours && !stopped) options.onOurs();
      ours = true;
    } catch (error) {
      if (error instanceof ForeignInstance) {
        stopped = true;
        options.onForeign(error);
      }
    }
    if (!stopped) timer = setTimeout(turn, pause);
  };
  const turn = (): void => void (running = look());
  turn();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
