/** Batches that were applied, by key, with the answer that was given. */
import { deleteOld } from '@sevenfold/chassis/db/old';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { AppliedBatch } from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';

export async function appliedBefore(db: Db, keys: readonly string[]): Promise<Map<string, AppliedBatch>> {
  const rows = await db.rows<{ key: string; response: AppliedBatch }>(
    'select key, response from applied_batches where key = any($1::text[])',
    [keys],
  );
  return new Map(rows.map(({ key, response }) => [key, response]));
}

export async function noteApplied(tx: Db, applied: ReadonlyMap<string, AppliedBatch>): Promise<void> {
  if (applied.size === 0) return;
  await tx.run(
    `insert into applied_batches (key, response) select key, response
     from json_to_recordset($1::json) as r (key text, response jsonb)`,
    [JSON.stringify([...applied].map(([key, response]) => ({ key, response })))],
  );
}

/** Of these terms those that no batch of the import has told of; from now on one has. */
export async function notToldBefore(
  tx: Db,
  importId: string,
  terms: readonly number[],
): Promise<Set<number>> {
  if (terms.length === 0) return new Set();
  const rows = await tx.rows<{ id: number }>(
    `insert into told_terms (import_id, term_id) select $1, unnest($2::bigint[])
     on conflict do nothing returning term_id as id`,
    [importId, terms],
  );
  return new Set(rows.map(({ id }) => id));
}

/** A batch is asked for again within seconds or minutes; a year is beyond any doubt. */
export async function forgetApplied(db: Db): Promise<void> {
  await deleteOld(db, {
    table: 'applied_batches',
    old: `applied_at < now() - interval '1 year'`,
    by: 'applied_at',
  });
  await deleteOld(db, { table: 'told_terms', old: `told_at < now() - interval '1 year'`, by: 'told_at' });
}
