/** The addresses that objects have and had. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType } from '../analysis/shape';
import type { Built } from '../indexables/build';

type Keys = readonly [readonly string[], readonly number[]];

/**
 * So many of the addresses that an object had lead to it, the last ones. Each time that it moves all of them are looked at, and who keeps
 * answers is told of each: of more than a hundred that would be «all addresses» (migrations/0005_news.sql).
 */
export const MOST_HELD = 50;

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

/**
 * Kept for the next writing of the objects, unless they are known to be there. Each is looked up by its key: as a join, PostgreSQL, which
 * counts what is there now and then only, may go through all addresses for each message of an import.
 */
export async function hear(
  tx: Db,
  objectType: ObjectType,
  told: readonly { readonly id: number; readonly path: string }[],
): Promise<void> {
  if (told.length === 0) return;
  await tx.run(
    `insert into heard_addresses (object_type, object_id, path, heard)
     select $1, t.id, t.path, nextval('read_numbers')
     from jsonb_to_recordset($2::jsonb) as t(id bigint, path text)
     where not coalesce((select a.is_current from addresses a
       where a.path_key = md5(t.path)::uuid and a.object_type = $1 and a.object_id = t.id), false)`,
    [objectType, JSON.stringify(told)],
  );
}

export interface Heard {
  readonly objectType: string;
  readonly objectId: number;
  readonly path: string;
  readonly heard: number;
}

/** The last ones: more of them would not be kept. */
export const takeHeard = (tx: Db, keys: Keys): Promise<Heard[]> =>
  tx.rows<Heard>(
    `with taken as (
       delete from heard_addresses h using unnest($1::text[], $2::bigint[]) as k (object_type, object_id)
       where h.object_type = k.object_type and h.object_id = k.object_id
       returning h.object_type, h.object_id, h.path, h.heard)
     select object_type as "objectType", object_id as "objectId", path, heard
     from (select *, row_number() over (partition by object_type, object_id order by heard desc) as place from taken) as latest
     where place <= ${MOST_HELD}`,
    keys,
  );

/** What an object had for a while leads to it as well. */
export async function keepHeard(tx: Db, all: readonly Heard[]): Promise<void> {
  if (all.length === 0) return;
  await tx.run(
    `insert into addresses as a (path_key, object_type, object_id, path, is_current, held)
     select md5(path)::uuid, "objectType", "objectId", path, false, max(heard)
     from jsonb_to_recordset($1::jsonb) as r("objectType" text, "objectId" bigint, path text, heard bigint)
     group by 2, 3, 4
     on conflict (path_key, object_type, object_id) do update set held = excluded.held
       where not a.is_current and a.held < excluded.held`,
    [JSON.stringify(all)],
  );
}

/** The form with the id leads to an object for good. */
export const forgetOldest = (tx: Db, keys: Keys): Promise<number> =>
  tx.run(
    `delete from addresses a using (
       select path_key, object_type, object_id,
         row_number() over (partition by object_type, object_id order by held desc, path_key) as place
       from addresses join unnest($1::text[], $2::bigint[]) as k (object_type, object_id) using (object_type, object_id)
       where not is_current and path <> '?p=' || object_id) as h
     where h.place > ${MOST_HELD}
       and a.path_key = h.path_key and a.object_type = h.object_type and a.object_id = h.object_id`,
    keys,
  );
