/** The table of what was chosen. A row has what was chosen and nothing else; one with nothing in it is no row. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType, Overrides } from '../analysis/shape';
import type { Key } from '../indexables/build';
import type { Changes } from './fields';

export async function findMany(
  db: Db,
  type: ObjectType,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Overrides>> {
  const rows = await db.rows<{ id: number; chosen: Overrides }>(
    'select object_id as id, chosen from overrides where object_type = $1 and object_id = any($2::bigint[])',
    [type, ids],
  );
  return new Map(rows.map(({ id, chosen }) => [id, chosen]));
}

/** One statement for both, so that two who write at the same time keep what the other one chose. */
export async function change(tx: Db, { objectType, objectId }: Key, changes: Changes): Promise<void> {
  await tx.run(
    `insert into overrides as o (object_type, object_id, chosen) values ($1, $2, $3::jsonb)
     on conflict (object_type, object_id) do update set chosen = (o.chosen || excluded.chosen) - $4::text[]`,
    [objectType, objectId, JSON.stringify(changes.chosen), changes.cleared],
  );
  await tx.run(`delete from overrides where object_type = $1 and object_id = $2 and chosen = '{}'`, [
    objectType,
    objectId,
  ]);
}

/** `keys` are types and numbers. */
export async function removeOverrides(
  tx: Db,
  [types, ids]: readonly [readonly string[], readonly number[]],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    `delete from overrides o using unnest($1::text[], $2::bigint[]) as k (object_type, object_id)
     where o.object_type = k.object_type and o.object_id = k.object_id`,
    [types, ids],
  );
}
