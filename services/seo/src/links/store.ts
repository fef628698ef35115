/**
 * Who links to whom. A link names an address; what that leads to is kept beside it and asked anew whenever something comes to,
 * or leaves, the address. Counted are addresses in texts: of a text all that lead to another thing that everybody may read,
 * of a thing those in texts that everybody may read.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { BEST_FIRST } from '../addresses/resolve';
import type { ObjectType } from '../analysis/shape';
import type { Built } from '../indexables/build';

type Keys = readonly [readonly string[], readonly number[]];

export interface Count {
  readonly objectType: ObjectType;
  readonly objectId: number;
  readonly outgoing: number;
  readonly incoming: number;
}

/** SQL: what an address leads to; no row where that is nothing that everybody may read. */
const targetOf = (pathKey: string): string =>
  `(select a.object_type, a.object_id from addresses a join indexables i using (object_type, object_id)
    where a.path_key = ${pathKey} and i.is_public order by ${BEST_FIRST} limit 1)`;

/** SQL: counts by object, of the links that `links` selects. */
const countsOf = (links: string): string => `
  with touched as (${links}),
  counted as (
    select l.source_type, l.source_id, l.target_type, l.target_id, s.is_public
    from touched l join indexables s on s.object_type = l.source_type and s.object_id = l.source_id
    where l.target_id is not null and (l.target_type, l.target_id) <> (l.source_type, l.source_id)),
  sides as (
    select source_type as object_type, source_id as object_id, 1 as outgoing, 0 as incoming from counted
    union all
    select target_type, target_id, 0, 1 from counted where is_public)
  select object_type as "objectType", object_id as "objectId", sum(outgoing)::integer as outgoing,
    sum(incoming)::integer as incoming
  from sides group by object_type, object_id`;

/** What the links in the texts of the objects, and the links to the paths, count for. */
export const tally = (tx: Db, keys: Keys, paths: readonly string[]): Promise<Count[]> =>
  tx.rows<Count>(
    countsOf(`
      select l.* from links l join unnest($1::text[], $2::bigint[]) as k (source_type, source_id)
        using (source_type, source_id)
      union
      select l.* from links l join unnest($3::text[]) as p (named) on l.path_key = md5(p.named)::uuid`),
    [...keys, paths],
  );

/** Brings the counts from what `before` says to what `after` says. */
export async function countLinks(tx: Db, before: readonly Count[], after: readonly Count[]): Promise<void> {
  const deltas = new Map<string, Count>();
  const add = (counts: readonly Count[], sign: 1 | -1): void => {
    for (const { objectType, objectId, outgoing, incoming } of counts) {
      const name = `${objectType}/${objectId}`;
      const so = deltas.get(name) ?? { objectType, objectId, outgoing: 0, incoming: 0 };
      deltas.set(name, {
        ...so,
        outgoing: so.outgoing + sign * outgoing,
        incoming: so.incoming + sign * incoming,
      });
    }
  };
  add(before, -1);
  add(after, 1);
  const changed = [...deltas.values()].filter(({ outgoing, incoming }) => outgoing !== 0 || incoming !== 0);
  if (changed.length === 0) return;
  await tx.run(
    `update indexables i
     set link_count = link_count + d.outgoing, incoming_link_count = incoming_link_count + d.incoming
     from unnest($1::text[], $2::bigint[], $3::integer[], $4::integer[]) as d (object_type, object_id, outgoing, incoming)
     where i.object_type = d.object_type and i.object_id = d.object_id`,
    [
      changed.map(({ objectType }) => objectType),
      changed.map(({ objectId }) => objectId),
      changed.map(({ outgoing }) => outgoing),
      changed.map(({ incoming }) => incoming),
    ],
  );
}

/** Links to the paths lead to what is there now. */
export async function resolveAgain(tx: Db, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await tx.run(
    `update links l set target_type = r.object_type, target_id = r.object_id
     from (
       select distinct p.path_key, t.object_type, t.object_id
       from (select distinct md5(path)::uuid as path_key from unnest($1::text[]) as path) as p
       left join lateral ${targetOf('p.path_key')} as t on true) as r
     where l.path_key = r.path_key
       and (l.target_type, l.target_id) is distinct from (r.object_type, r.object_id)`,
    [paths],
  );
}

/** The links of each text are those that were found in it, and no others. */
export async function keepLinks(tx: Db, all: readonly Built[]): Promise<void> {
  const links = all.flatMap(({ row, links: found }) =>
    found.map((path) => ({ source_type: row.objectType, source_id: row.objectId, path })),
  );
  const found = JSON.stringify(links);
  await tx.run(
    `with found as (
       select source_type, source_id, md5(path)::uuid as path_key
       from jsonb_to_recordset($3::jsonb) as r(source_type text, source_id bigint, path text))
     delete from links l using unnest($1::text[], $2::bigint[]) as k (source_type, source_id)
     where l.source_type = k.source_type and l.source_id = k.source_id
       and not exists (select from found f
         where f.source_type = l.source_type and f.source_id = l.source_id and f.path_key = l.path_key)`,
    [all.map(({ row }) => row.objectType), all.map(({ row }) => row.objectId), found],
  );
  if (links.length === 0) return;
  await tx.run(
    `insert into links (source_type, source_id, path_key, path, target_type, target_id)
     select r.source_type, r.source_id, r.path_key, r.path, t.object_type, t.object_id
     from (select source_type, source_id, path, md5(path)::uuid as path_key
       from jsonb_to_recordset($1::jsonb) as r(source_type text, source_id bigint, path text)) as r
     left join lateral ${targetOf('r.path_key')} as t on true
     on conflict do nothing`,
    [found],
  );
}
