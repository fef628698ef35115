/** The addresses that objects have and had. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Built } from '../indexables/build';

type Keys = readonly [readonly string[], readonly number[]];

/** Every path that one of the objects has or had. */
export async function pathsOf(tx: Db, keys: Keys): Promise<string[]> {
  const rows = await tx.rows<{ path: string }>(
    `select a.path from addresses a join unnest($1::text[], $2::bigint[]) as k (object_type, object_id)
       using (object_type, object_id)`,
    keys,
  );
  return rows.map(({ path }) => path);
}

/** What an object no longer has leads to it from now on. */
export async function clearOld(tx: Db, moved: readonly Built[]): Promise<void> {
  if (moved.length === 0) return;
  await tx.run(
    `update addresses a set is_current = false, held = r.read_no
     from jsonb_to_recordset($1::jsonb) as r(object_type text, object_id bigint, read_no bigint, path text)
     where a.object_type = r.object_type and a.object_id = r.object_id and a.is_current
       and a.path is distinct from r.path`,
    [
      JSON.stringify(
        moved.map(({ row, paths }) => ({
          object_type: row.objectType,
          object_id: row.objectId,
          read_no: row.readNo,
          path: paths[0] ?? null,
        })),
      ),
    ],
  );
}

/** The first of its paths is where an object is; the others lead there. */
export async function keepAddresses(tx: Db, moved: readonly Built[]): Promise<void> {
  const rows = moved.flatMap(({ row, paths }) =>
    paths.map((path, index) => ({
      object_type: row.objectType,
      object_id: row.objectId,
      read_no: row.readNo,
      path,
      is_current: index === 0,
    })),
  );
  if (rows.length === 0) return;
  await tx.run(
    `insert into addresses as a (path_key, object_type, object_id, path, is_current, held)
     select md5(path)::uuid, object_type, object_id, path, is_current, read_no
     from jsonb_to_recordset($1::jsonb)
       as r(object_type text, object_id bigint, read_no bigint, path text, is_current boolean)
     on conflict (path_key, object_type, object_id) do update
       set is_current = excluded.is_current, held = excluded.held
       where a.is_current <> excluded.is_current`,
    [JSON.stringify(rows)],
  );
}
