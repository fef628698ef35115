/**
 * How many published objects of other services carry each term. A source tells its numbers; a term shows the sum over
 * all sources beside its own posts.
 */
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';

export interface ExternalCounts {
  readonly source: string;
  readonly counts: ReadonlyMap<number, number>;
  /** Terms that are not named count zero for this source. */
  readonly complete: boolean;
}

interface Counted {
  readonly id: number;
  readonly taxonomy: string;
  readonly isFilled: boolean;
  readonly wasFilled: boolean;
}

/** Of terms that have got their first objects, or have none any more, it tells other services. */
export async function setExternalCounts(tx: Db, { source, counts, complete }: ExternalCounts): Promise<void> {
  // One at a time: two that tell the sums of overlapping terms would each miss what the other writes.
  await tx.first(`select pg_advisory_xact_lock(hashtext('terms:external-counts'))`);
  const changed = await tx.rows<{ id: number }>(
    `with given as (
       select g.id, greatest(g.count, 0) as count from unnest($2::bigint[], $3::bigint[]) as g (id, count)
       join terms t on t.id = g.id),
     gone as (
       delete from term_external_counts c where c.source = $1
         and ((c.term_id in (select id from given where count = 0))
           or ($4 and c.term_id not in (select id from given)))
       returning c.term_id as id),
     said as (
       insert into term_external_counts as c (source, term_id, count)
       select $1, id, count from given where count > 0
       on conflict (source, term_id) do update set count = excluded.count where c.count <> excluded.count
       returning c.term_id as id)
     select id from gone union select id from said`,
    [source, [...counts.keys()], [...counts.values()], complete],
  );
  if (changed.length === 0) return;
  // In the order of ids, as writers of posts lock them too (store.adjustOwnCounts).
  const counted = await tx.rows<Counted>(
    `with locked as (
       select id, filled as "wasFilled" from terms where id = any($1::bigint[]) order by id for no key update)
     update terms t
     set external_count = coalesce((select sum(c.count) from term_external_counts c where c.term_id = t.id), 0)
     from locked where t.id = locked.id
     returning t.id, t.taxonomy, t.filled as "isFilled", locked."wasFilled"`,
    [changed.map(({ id }) => id)],
  );
  // Who asked when the objects themselves were told of was answered the number of before.
  await emitAll(
    tx,
    'content.term.counted',
    counted
      .filter(({ isFilled, wasFilled }) => isFilled !== wasFilled)
      .map(({ id, taxonomy }) => ({ id, taxonomy })),
  );
}
