/**
 * The one way into the index: rows, addresses, links and their counts change together, set-based, or not at all. One write at
 * a time (a lock of its own), so that counts can be kept by what is added and taken away. What was read before what is there
 * is left out.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { clearOld, forgetOldest, keepAddresses, keepHeard, pathsOf, takeHeard } from '../addresses/store';
import { countLinks, keepLinks, resolveAgain, tally } from '../links/store';
import { removeOverrides } from '../overrides/store';
import type { Built } from './build';
import { KEPT, type KeptRow, type KnownRow, UPSERT } from './columns';
import { addShowing, addSql, promise, ticket } from './queue';

const lockGraph = (tx: Db): Promise<unknown> =>
  tx.first(`select pg_advisory_xact_lock(hashtext('seo:graph'))`);

/** Keys as two lists, for `unnest($1::text[], $2::bigint[])`. */
const keysOf = (rows: readonly Pick<KeptRow, 'objectType' | 'objectId'>[]): [string[], number[]] => [
  rows.map(({ objectType }) => objectType),
  rows.map(({ objectId }) => objectId),
];

const nameOf = ({
  objectType,
  objectId,
}: {
  readonly objectType: string;
  readonly objectId: number;
}): string => `${objectType}/${objectId}`;

interface Change {
  /** Undefined where the object was not known. */
  readonly before: KeptRow | undefined;
  readonly after: KeptRow;
}

interface Fresh {
  readonly built: Built;
  readonly before: KnownRow | undefined;
}

/** How many were written. Each object comes once. */
export async function write(tx: Db, all: readonly Built[]): Promise<number> {
  if (all.length === 0) return 0;
  await lockGraph(tx);
  const fresh = await newer(tx, all);
  if (fresh.length === 0) return 0;
  const rows = fresh.map(({ built }) => built.row);
  const keys = keysOf(rows);

  const heard = await takeHeard(tx, keys);
  const heardOf = new Set(heard.map(nameOf));
  const moved = fresh.filter((one) => isMoved(one) || heardOf.has(nameOf(one.built.row)));
  const movedKeys = keysOf(moved.map(({ built }) => built.row));
  const paths = [...(await pathsOf(tx, movedKeys)), ...heard.map(({ path }) => path)];
  for (const { built } of moved) paths.push(...built.paths);

  const counted = await tally(tx, keys, paths);
  await tx.run(UPSERT, [JSON.stringify(await noted(tx, fresh))]);
  const relocated = fresh.filter(isRelocated).map(({ built }) => built);
  await clearOld(tx, relocated);
  await keepAddresses(tx, relocated);
  await keepHeard(tx, heard);
  await forgetOldest(tx, movedKeys);
  await resolveAgain(tx, paths);
  await keepLinks(
    tx,
    fresh.map(({ built }) => built),
  );
  await countLinks(tx, counted, await tally(tx, keys, paths));

  // What was chosen for a thing goes with it.
  await removeOverrides(tx, keysOf(rows.filter(({ status }) => status === 'gone')));

  const changes = fresh.map(({ built, before }): Change => ({ before, after: built.row }));
  await refreshDependents(tx, changes, keys);
  await refreshLate(tx, keys);
  return fresh.length;
}

/** With the number of the last time that others had something else to show of them: what is new is something else, too. */
async function noted(tx: Db, fresh: readonly Fresh[]): Promise<object[]> {
  const isOther = ({ built, before }: Fresh): boolean => looksOther(before, built.row);
  const now = fresh.some(isOther) ? await ticket(tx) : 0;
  // The copy stands last: an object that begins with one, and gets more, takes V8 five times as long.
  return fresh.map((one) => ({ shownNo: isOther(one) ? now : one.before?.shownNo, ...one.built.row }));
}

const looksOther = (before: KeptRow | undefined, after: KeptRow): boolean => before?.shown !== after.shown;

async function newer(tx: Db, all: readonly Built[]): Promise<Fresh[]> {
  const known = await tx.rows<KnownRow>(
    `select ${KEPT} from indexables i join unnest($1::text[], $2::bigint[]) as k (object_type, object_id)
       using (object_type, object_id)`,
    keysOf(all.map(({ row }) => row)),
  );
  const before = new Map(known.map((row) => [nameOf(row), row]));
  // Ids that content and calendar both gave away, as old sites may have them: the first one is meant.
  const once = new Map([...all].reverse().map((built) => [nameOf(built.row), built]));
  return [...once.values()]
    .map((built) => ({ built, before: before.get(nameOf(built.row)) }))
    .filter(({ built, before: had }) => had === undefined || had.readNo < built.row.readNo);
}

const isRelocated = ({ built, before }: Fresh): boolean => before?.permalink !== built.row.permalink;

/** What its addresses lead to, or whether they lead anywhere, is not what it was. */
const isMoved = (one: Fresh): boolean => isRelocated(one) || one.before?.isPublic !== one.built.row.isPublic;

/** What was there and shows something of an object that is no longer what it was is read anew; `written` are others' business. */
async function refreshDependents(
  tx: Db,
  changes: readonly Change[],
  written: readonly [string[], number[]],
): Promise<void> {
  const changed = (type: string): number[] =>
    changes
      .filter(({ before, after }) => after.objectType === type && looksOther(before, after))
      .map(({ after }) => after.objectId);
  const [posts, terms, users] = [changed('post'), changed('term'), changed('user')];
  await addShowing(
    tx,
    `(select * from showing($1, $2, $3) except select * from unnest($7::text[], $8::bigint[]))
     union select 'user', id from unnest($4::bigint[]) as id
     union select 'user', id from unnest($5::bigint[]) as id
       where not exists (select from indexables where object_type = 'user' and object_id = id and is_public)
     union select 'term', id from unnest($6::bigint[]) as id`,
    [
      posts,
      terms,
      users,
      authors(changes, 'lost'),
      authors(changes, 'gained'),
      recounted(changes),
      ...written,
    ],
  );
}

/**
 * What was just written may show something of another that was written anew after the reading began. That writing did not find it
 * among what shows it. Venues and organizers of the same reading are left out: their owner told them in one statement with the events
 * (sources/read.ts), and what events show of them was asked for behind that, so it is no older. So are those of an earlier reading that
 * is written together with this one: it was over when this one began. Else each import, and each rebuilding, would read most events
 * twice.
 */
async function refreshLate(tx: Db, keys: readonly [string[], number[]]): Promise<void> {
  const laterSql = (type: string, ids: string): string =>
    `exists (select from indexables o where o.object_type = '${type}' and o.object_id = ${ids} and o.shown_no > i.read_no
       and not (o.object_subtype in ('venue', 'organizer') and (o.read_no = i.read_no or o.read_no < i.read_no
         and (o.object_type, o.object_id) in (select * from unnest($1::text[], $2::bigint[])))))`;
  const added = await tx.run(
    addSql(`
     select i.object_type, i.object_id
     from indexables i join unnest($1::text[], $2::bigint[]) as k (object_type, object_id) using (object_type, object_id)
     where (i.author <> 0 and ${laterSql('user', 'i.author')})
       or ${laterSql('term', 'any(i.terms)')} or ${laterSql('post', 'any(i.objects)')}`),
    [...keys],
  );
  if (added > 0) await promise(tx);
}

/** Terms that other things carry than before: how many is told by their owner. */
function recounted(changes: readonly Change[]): number[] {
  const carried = (row: KeptRow | undefined): ReadonlySet<number> => new Set(row?.isPublic ? row.terms : []);
  const ids = changes
    .filter(({ after }) => after.objectType === 'post')
    .flatMap(({ before, after }) => {
      const [had, has] = [carried(before), carried(after)];
      return [...[...had].filter((id) => !has.has(id)), ...[...has].filter((id) => !had.has(id))];
    });
  return [...new Set(ids)];
}

/** Whoever has published something is shown to everybody: only its owner knows whether something is left. */
function authors(changes: readonly Change[], which: 'lost' | 'gained'): number[] {
  const ids = changes.flatMap(({ before, after }) => {
    if (which === 'gained') return after.isPublic ? [after.author] : [];
    return before?.isPublic && (!after.isPublic || after.author !== before.author) ? [before.author] : [];
  });
  return [...new Set(ids)].filter((id) => id !== 0);
}
