/**
 * What is to be read anew, and the job that is promised for it. Whoever adds something sees to it that a job is going to begin
 * after it: a job that begins says so first, alone, so that nobody who has not committed yet counts on it.
 *
 * There are two lines. What changed by itself is read at once; what came in lots, as an import brings it, when no more comes, so
 * that reading does not take from the import what it runs on. Where that takes long it is read all the same, a lot at a time.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType } from '../analysis/shape';
import type { Key } from './build';

export const QUEUE = 'seo.indexables';

export interface Line {
  readonly job: string;
  /** Columns: that a job of it is promised; and SQL of what waits in it and nobody has in hand. */
  readonly flag: 'is_open' | 'lots_open';
  readonly free: string;
}
export const SINGLE: Line = {
  job: 'index-objects',
  flag: 'is_open',
  free: 'taken_by is null and not in_lots',
};
export const LOTS: Line = { job: 'index-lots', flag: 'lots_open', free: 'taken_by is null and in_lots' };

/** So long nothing came. */
const CALM_SECONDS = 2;
/** What has waited so long waits for no calm: longer than most imports take, since reading takes a quarter of what they run on. */
const LATE_SECONDS = 120;

/** So far apart begin the jobs of what changed by itself: one costs as much as reading several things. What comes alone waits for nothing. */
const APART_SECONDS = 0.25;

const PROMISES = `hashtext('seo:promises')`;

/** In the transaction that added something. */
export async function promise(tx: Db, line = SINGLE, inSeconds = 0): Promise<void> {
  await tx.first(`select pg_advisory_xact_lock_shared(${PROMISES})`);
  const opened = await tx.first<{ wait: number }>(
    `update promised set ${line.flag} = true where not ${line.flag}
     returning least(greatest(extract(epoch from begun_at - now()) + $1, 0), $1)::float8 as wait`,
    [APART_SECONDS],
  );
  if (!opened) return;
  await enqueue(tx, QUEUE, line.job, {}, { inSeconds: line === SINGLE ? opened.wait : inSeconds });
}

/** Soon, when it may be calm. */
export const promiseLots = (tx: Db): Promise<void> => promise(tx, LOTS, CALM_SECONDS);

/** From here on whoever adds something promises another job. */
export const begin = (db: Database, { flag }: Line): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.first(`select pg_advisory_xact_lock(${PROMISES})`);
    await tx.run(
      `update promised set ${flag} = false${flag === SINGLE.flag ? ', begun_at = clock_timestamp()' : ''} where ${flag}`,
    );
  });

/**
 * SQL that adds the objects which a query names. What waits and nobody has in hand is not added again: it is going to be read
 * later than now.
 */
export const addSql = (objects: string): string =>
  `insert into waiting (object_type, object_id)
   select o.object_type, o.object_id from (${objects}) as o (object_type, object_id)
   where not exists (select from waiting w
     where w.object_type = o.object_type and w.object_id = o.object_id and ${SINGLE.free})`;

/** More than these are a lot. */
const MANY = 500;

/**
 * Adds what a query names that shows something of another thing: one click, such as a new name of a term, may bring any number. A lot
 * waits behind what changed by itself.
 */
export async function addShowing(tx: Db, objects: string, values: readonly unknown[]): Promise<void> {
  const added = await tx.first<{ single: boolean | null; lots: boolean | null }>(
    `with wanted (object_type, object_id) as materialized (${objects}),
     size as (select count(*) > ${MANY} as is_lot from wanted),
     added as (
       insert into waiting (object_type, object_id, in_lots)
       select o.object_type, o.object_id, is_lot from wanted o cross join size
       where not exists (select from waiting w
         where w.object_type = o.object_type and w.object_id = o.object_id and w.taken_by is null and (is_lot or not w.in_lots))
       returning in_lots)
     select bool_or(not in_lots) as single, bool_or(in_lots) as lots from added`,
    values,
  );
  if (added?.single) await promise(tx);
  if (added?.lots) await promiseLots(tx);
}

export async function add(tx: Db, objectType: ObjectType, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(addSql('select $1::text, unnest($2::bigint[])'), [objectType, ids]);
  await promise(tx);
}

/**
 * Whether one waits already is not asked: PostgreSQL, which believes that next to nothing waits, goes through all that does for each
 * message. One that waits twice is read twice.
 */
export async function addLot(tx: Db, objectType: ObjectType, ids: readonly number[]): Promise<void> {
  await tx.run(
    'insert into waiting (object_type, object_id, in_lots) select $1, unnest($2::bigint[]), true',
    [objectType, ids],
  );
  await promiseLots(tx);
}

/** Whether what came in lots is to be read now, and whether the rest of it at once. */
export async function lookAtLots(db: Db): Promise<{ readonly isDue: boolean; readonly isCalm: boolean }> {
  const at = (order: string): string =>
    `(select added_at from waiting where ${LOTS.free} order by id ${order} limit 1)`;
  const row = await db.first<{ isCalm: boolean; isLate: boolean }>(
    `select coalesce(${at('desc')} <= now() - make_interval(secs => $1), true) as "isCalm",
       coalesce(${at('asc')} <= now() - make_interval(secs => $2), false) as "isLate"`,
    [CALM_SECONDS, LATE_SECONDS],
  );
  const { isCalm, isLate } = row as NonNullable<typeof row>;
  return { isDue: isCalm || isLate, isCalm };
}

/**
 * For what changes here and in no owner: whoever has taken what waited may have looked before this is committed, so it waits
 * once more in any case.
 */
export async function addAgain(tx: Db, { objectType, objectId }: Key): Promise<void> {
  await tx.run('insert into waiting (object_type, object_id) values ($1, $2)', [objectType, objectId]);
  await promise(tx);
}

export interface Taken extends Key {
  readonly id: number;
}

const TAKEN = 'id, object_type as "objectType", object_id as "objectId"';

/** What a job has in hand already, as it was tried before; from now on anew. */
export const inHand = (db: Db, job: number): Promise<Taken[]> =>
  db.rows<Taken>(`update waiting set taken_at = now() where taken_by = $1 returning ${TAKEN}`, [job]);

/** The oldest that nobody has; where there is more, `promiseRest` sees to it. */
export const take = (
  db: Database,
  job: number,
  most: number,
  { free }: Line,
  promiseRest: (tx: Db) => Promise<void>,
): Promise<Taken[]> =>
  db.transaction(async (tx) => {
    const taken = await tx.rows<Taken>(
      `update waiting set taken_by = $1, taken_at = now()
       where id = any(array(select id from waiting where ${free} order by id limit $2 for update skip locked))
       returning ${TAKEN}`,
      [job, most],
    );
    if (taken.length === most) await promiseRest(tx);
    return taken;
  });

/** The oldest of a type, whoever has them in hand: doing it twice has one effect. */
export const oldest = (db: Db, objectType: ObjectType, most: number): Promise<Taken[]> =>
  db.rows<Taken>(`select ${TAKEN} from waiting where object_type = $1 order by id limit $2`, [
    objectType,
    most,
  ]);

/** Those of them that nobody has: whoever adds one of these from now on adds it anew. */
export const takeThese = (db: Db, taker: number, waiting: readonly Taken[]): Promise<number> =>
  db.run(
    `update waiting set taken_by = $1, taken_at = now()
     where id = any(array(
       select id from waiting where id = any($2::bigint[]) and taken_by is null order by id for update skip locked))`,
    [taker, waiting.map(({ id }) => id)],
  );

export const giveBack = (db: Db, taker: number): Promise<number> =>
  db.run('update waiting set taken_by = null, taken_at = null where taken_by = $1', [taker]);

/** What was freed while it was read waits on: whoever meant to add it meanwhile has counted on it. */
export const done = (tx: Db, taken: readonly Taken[], taker: number): Promise<number> =>
  tx.run('delete from waiting where id = any($1::bigint[]) and taken_by = $2', [
    taken.map(({ id }) => id),
    taker,
  ]);

/** What a job took that does not end, and what waits though no job is open. */
export async function release(tx: Db): Promise<void> {
  await tx.run(
    `update waiting set taken_by = null, taken_at = null where taken_by is not null and taken_at < now() - interval '2 minutes'`,
  );
  for (const line of [SINGLE, LOTS]) {
    const forgotten = await tx.first(
      `select where exists (select from waiting where ${line.free}) and not exists (
         select from outbox where kind = 'job' and channel = '${QUEUE}' and name = $1 and done_at is null and failed_at is null)`,
      [line.job],
    );
    if (!forgotten) continue;
    await tx.run(`update promised set ${line.flag} = false where ${line.flag}`);
    await promise(tx, line);
  }
}

/** Drawn before owners are asked: the larger one was asked later. */
export async function ticket(db: Db): Promise<number> {
  const row = await db.first<{ ticket: number }>(`select nextval('read_numbers') as ticket`);
  return (row as { ticket: number }).ticket;
}
