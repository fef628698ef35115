/** The SQL of venues and organizers: one set of statements, with the table and the columns of the kind. */
import { insertList, updateList } from '@sevenfold/chassis/db/columns';
import type { Found } from '@sevenfold/chassis/db/list';
import type { Range } from '@sevenfold/chassis/db/selection';
import { type WholeList, listWhole, searchFor } from '@sevenfold/chassis/db/page';
import type { Conditions, Db } from '@sevenfold/chassis/db/sql';
import { publicStatuses, sqlWords } from '@sevenfold/publishing/statuses';
import { editedAfter } from '../common/edited';
import type { LinkedKind } from './kind';
import type { LinkedRow, Listed } from './fields';

type Table = Pick<LinkedKind, 'many'>;

export const findById = <R extends LinkedRow>(
  db: Db,
  kind: LinkedKind<R>,
  id: number,
): Promise<R | undefined> => db.first<R>(`select ${kind.columns} from ${kind.many} t where t.id = $1`, [id]);

export const findBySlug = <R extends LinkedRow>(
  db: Db,
  kind: LinkedKind<R>,
  slug: string,
): Promise<R | undefined> =>
  db.first<R>(`select ${kind.columns} from ${kind.many} t where t.slug = $1 and t.slug <> ''`, [slug]);

export const findMany = <R extends LinkedRow>(
  db: Db,
  kind: LinkedKind<R>,
  ids: readonly number[],
): Promise<R[]> =>
  db.rows<R>(`select ${kind.columns} from ${kind.many} t where t.id = any($1::bigint[])`, [ids]);

/** The row of a write: nobody else changes it until the transaction ends. */
export const lockById = <R extends LinkedRow>(
  tx: Db,
  kind: LinkedKind<R>,
  id: number,
): Promise<R | undefined> =>
  tx.first<R>(`select ${kind.columns} from ${kind.many} t where t.id = $1 for update`, [id]);

/** SQL of an order of rows `t`: what everybody may read before drafts and the like. */
export const PUBLIC_FIRST = `t.status not in ${sqlWords(publicStatuses)}`;

/**
 * Those of the name, in whatever case, that are not in the trash: first those that everybody may read, or somebody's draft would take
 * the place of what events are to show. Locked like the row of a write.
 */
export const lockByName = <R extends LinkedRow>(tx: Db, kind: LinkedKind<R>, name: string): Promise<R[]> =>
  tx.rows<R>(
    `select ${kind.columns} from ${kind.many} t
      where md5(lower(t.name)) = md5(lower($1)) and lower(t.name) = lower($1) and t.status <> 'trash'
      order by ${PUBLIC_FIRST}, t.id limit 20 for update`,
    [name],
  );

/**
 * Until the transaction ends nobody else looks whether the names exist: two writers never make one twice. Who makes
 * several at once locks them together, since all take them in one order then (imports do as well) and never wait in a
 * circle. Names share a thousand locks: the table of locks is one for all databases of the server and has room for some
 * thousands, and an import may bring more names than that at once.
 */
export const lockNames = (
  tx: Db,
  { lockSpace }: Pick<LinkedKind, 'lockSpace'>,
  names: readonly string[],
): Promise<number> =>
  tx.run(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended((hashtext(lower(name)) & 1023)::text, $2) as key from unnest($1::text[]) as name order by key) as keys`,
    [names, lockSpace],
  );

export async function insert(tx: Db, { many }: Table, row: object): Promise<void> {
  const { text, values } = insertList(row);
  await tx.run(`insert into ${many} ${text}`, values);
}

/** What differs in what imports write as well is noted as a person's. */
export async function update(
  tx: Db,
  { many, imported }: Table & Pick<LinkedKind, 'imported'>,
  id: number,
  changes: object,
): Promise<void> {
  const { text, values } = updateList(changes);
  if (values.length === 0) return;
  const edited = editedAfter(changes, imported);
  await tx.run(
    `update ${many} t set ${text}${edited === undefined ? '' : `, edited = ${edited}`} where t.id = $1`,
    [id, ...values],
  );
}

const newestFirst = ['t.date_utc', 't.id'].map((sql) => ({ sql, direction: 'desc' as const }));

const SEARCHED = {
  columns: [{ text: 't.search_text', title: 't.name' }],
  indexed: new Set(['t.date_utc']),
  first: newestFirst,
  text: 't.search_text',
};

type Known = Pick<WholeList, 'along' | 'beside' | 'total'>;

export interface Words {
  readonly term: string;
  /** The part of the conditions that the index of the dates knows. */
  readonly base: string;
}

/** One page of what fits the conditions on `t`, newest first, and how many fit in all; `known` is what spares counting or looking for them. */
export const list = <R extends LinkedRow>(
  db: Db,
  { many, listedColumns: columns }: LinkedKind<R>,
  conditions: Conditions,
  range: Range,
  { words, ...known }: { readonly words?: Words } & Known = {},
): Promise<Found<Listed<R>>> => {
  const search = words && searchFor(conditions, newestFirst, { ...SEARCHED, ...words });
  const of = { table: many, as: 't', columns, conditions, order: newestFirst, search, ...known };
  return listWhole<Listed<R>>(db, { ...of, planFor: 'values' }, range);
};

/** Makes public what was scheduled for a moment that has come; answers the ids. */
export const publishDue = (tx: Db, { many }: Table): Promise<{ id: number; slug: string }[]> =>
  tx.rows<{ id: number; slug: string }>(
    `update ${many} set status = 'publish', date_chosen = true
      where status = 'future' and date_utc <= now() returning id, slug`,
  );
