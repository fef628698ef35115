/**
 * What is published at its moment has a job for it, promised when the moment is near: by whoever writes, or by a sweep that comes by
 * before. Promised at once it would stay until then, which may be decades, and whoever may choose a date may choose another one as often
 * as he likes.
 */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { fromSqlUtc } from './dates';

export interface Publishing {
  readonly queue: string;
  readonly name: string;
}

/** Many rounds of the sweep, which may have to wait for others. */
const NEAR_SECONDS = 3_600;
/** In a round. What is beyond is published by the sweep for what is overdue. */
const MOST_AT_ONCE = 500;

/** `date` is UTC as SQL has it. */
export async function promiseAt(
  tx: Db,
  { queue, name }: Publishing,
  id: number,
  date: string,
): Promise<void> {
  const runAt = fromSqlUtc(date);
  if (runAt.getTime() < Date.now() + NEAR_SECONDS * 1000) await enqueue(tx, queue, name, { id }, { runAt });
}

/** `scheduled`: SQL of all that waits for its moment, as `id` and `moment`. What has its job already gets no other one. */
export async function promiseNear(tx: Db, { queue, name }: Publishing, scheduled: string): Promise<void> {
  const near = `between now() and now() + make_interval(secs => ${NEAR_SECONDS})`;
  const rows = await tx.rows<{ id: number; moment: string }>(
    `select s.id, s.moment from (${scheduled}) as s
      where s.moment ${near} and not exists (
        select from outbox o where o.kind = 'job' and o.channel = $1 and o.name = $2 and o.payload->>'id' = s.id::text
          and o.done_at is null and o.failed_at is null and o.run_at between date_trunc('second', s.moment) and s.moment)
      order by s.moment, s.id limit ${MOST_AT_ONCE}`,
    [queue, name],
  );
  for (const { id, moment } of rows) await enqueue(tx, queue, name, { id }, { runAt: fromSqlUtc(moment) });
}
