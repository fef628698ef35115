/**
 * What is to be read anew, and the job that is promised for it. Whoever adds something sees to it that a job is going to begin
 * after it: a job that begins says so first, alone, so that nobody who has not committed yet counts on it.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType } from '../analysis/shape';
import type { Key } from './build';

export const QUEUE = 'seo.indexables';
export const INDEX = 'index-objects';

const PROMISES = `hashtext('seo:promises')`;

/** In the transaction that added something. */
export async function promise(tx: Db): Promise<void> {
  await tx.first(`select pg_advisory_xact_lock_shared(${PROMISES})`);
  const opened = await tx.run('update promised set is_open = true where not is_open');
  if (opened > 0) await enqueue(tx, QUEUE, INDEX, {});
}

/** From here on whoever adds something promises another job. */
export const begin = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.first(`select pg_advisory_xact_lock(${PROMISES})`);
    await tx.run('update promised set is_open = false where is_open');
  });

/**
 * SQL that adds the objects which a query names. What waits and nobody has in hand is not added again: it is going to be read
 * later than now.
 */
export const addSql = (objects: string): string =>
  `insert into waiting (object_type, object_id)
   select o.object_type, o.object_id from (${objects}) as o (object_type, object_id)
   where not exists (select from waiting w
     where w.object_type = o.object_type and w.object_id = o.object_id and w.taken_by is null)`;

export async function add(tx: Db, objectType: ObjectType, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(addSql('select $1::text, unnest($2::bigint[])'), [objectType, ids]);
  await promise(tx);
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

/** What a job has in hand: what it took when it was tried before, else the oldest that nobody has. */
export const take = (db: Database, job: number, most: number): Promise<Taken[]> =>
  db.transaction(async (tx) => {
    const mine = await tx.rows<Taken>(
      'select id, object_type as "objectType", object_id as "objectId" from waiting where taken_by = $1 order by id',
      [job],
    );
    if (mine.length > 0) return mine;
    const taken = await tx.rows<Taken>(
      `update waiting set taken_by = $1, taken_at = now()
       where id in (select id from waiting where taken_by is null order by id limit $2 for update skip locked)
       returning id, object_type as "objectType", object_id as "objectId"`,
      [job, most],
    );
    // The rest is for others, at the same time.
    if (taken.length === most) await promise(tx);
    return taken;
  });

/** The oldest of a type, whoever has them in hand: doing it twice has one effect. */
export const oldest = (db: Db, objectType: ObjectType, most: number): Promise<Taken[]> =>
  db.rows<Taken>(
    `select id, object_type as "objectType", object_id as "objectId" from waiting where object_type = $1
     order by id limit $2`,
    [objectType, most],
  );

export const done = (tx: Db, taken: readonly Taken[]): Promise<number> =>
  tx.run('delete from waiting where id = any($1::bigint[])', [taken.map(({ id }) => id)]);

/** What a job took that does not end, and what waits though no job is open. */
export async function release(tx: Db): Promise<void> {
  await tx.run(
    `update waiting set taken_by = null, taken_at = null where taken_by is not null and taken_at < now() - interval '2 minutes'`,
  );
  const forgotten = await tx.first(
    `select where exists (select from waiting where taken_by is null) and not exists (
       select from outbox where kind = 'job' and channel = '${QUEUE}' and name = '${INDEX}' and done_at is null and failed_at is null)`,
  );
  if (!forgotten) return;
  await tx.run('update promised set is_open = false where is_open');
  await promise(tx);
}

/** Drawn before owners are asked: the larger one was asked later. */
export async function ticket(db: Db): Promise<number> {
  const row = await db.first<{ ticket: number }>(`select nextval('read_numbers') as ticket`);
  return (row as { ticket: number }).ticket;
}
