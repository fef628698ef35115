/** Columns that imports write, with their types: SQL for many rows at once is made from these tables. */
import { partOf } from '../common/edited';
import { importedOf } from '../common/fields';
import { shownColumns, sourceColumns, writtenColumns } from '../events/fields';
import { organizerColumns as ofOrganizers } from '../organizers/fields';
import { venueColumns as ofVenues } from '../venues/fields';

export interface Column {
  readonly name: string;
  readonly type: string;
}

export const eventColumns: readonly Column[] = [
  ...importedOf(shownColumns),
  ...importedOf(writtenColumns),
  ...importedOf(sourceColumns),
];

export const venueColumns = importedOf(ofVenues);
export const organizerColumns = importedOf(ofOrganizers);
/** Of venues and organizers: new ones have one anyway, and those that are there another one at times. */
export const NAME: Column = { name: 'name', type: 'text' };

/** `r (id bigint, title_raw text, …)` for json_to_recordset. */
const record = (columns: readonly Column[]): string =>
  `r (id bigint, slug text, uid text, name text, ${columns.flatMap((column) => (column === NAME ? [] : `${column.name} ${column.type}`)).join(', ')})`;

/**
 * What becomes of what people wrote to a thing that an import brings again: it is overwritten; the whole thing is left as it
 * is; or only what is empty is filled.
 */
export type Authority = 'overwrite' | 'leave' | 'fill';

export const toAuthority = (word: string): Authority =>
  word === 'leave' || word === 'fill' ? word : 'overwrite';

const EMPTY: Readonly<Record<string, (column: string) => string>> = {
  text: (column) => `coalesce(${column}, '') = ''`,
  bigint: (column) => `${column} = 0`,
  'bigint[]': (column) => `${column} = '{}'`,
  'text[]': (column) => `${column} = '{}'`,
  'double precision': (column) => `${column} is null`,
  // The parts of a cost follow from its text.
  jsonb: () => 'true',
};

/** Flags and moments always say something. The address of a picture is none yet. */
function emptiness(part: string, columns: readonly Column[]): string {
  if (part === 'image') return 't.image_id = 0';
  const of = columns.filter(({ name }) => partOf(name) === part);
  return of.map(({ name, type }) => EMPTY[type]?.(`t.${name}`) ?? 'false').join(' and ');
}

/** SQL: a person wrote this part of `t`, and it says something. */
const keptSql = (part: string, columns: readonly Column[]): string =>
  `(t.origin = '' or '${part}' = any(t.edited)) and not (${emptiness(part, columns)})`;

/** What a row becomes when the fields that were sent are written to it: absent ones (null) keep their value. */
function after(column: Column, columns: readonly Column[], authority: Authority): string {
  const source = sourceOf(column, columns);
  const written = (name: string): string =>
    authority === 'fill'
      ? `case when ${keptSql(partOf(name), columns)} then t.${name} else coalesce(r.${name}, t.${name}) end`
      : `coalesce(r.${name}, t.${name})`;
  // What a text shows follows the text: since then it may show what stands at its addresses (events/embeds.ts).
  return source === undefined
    ? written(column.name)
    : `case when (${written(source)}) is not distinct from t.${source} then t.${column.name} else ${written(column.name)} end`;
}

/** The text that a column is the rendering of. */
function sourceOf({ name }: Column, columns: readonly Column[]): string | undefined {
  const source = name.replace(/_html$/, '_raw');
  return source !== name && columns.some((one) => one.name === source) ? source : undefined;
}

const UNTOUCHED = `t.origin <> '' and t.edited = '{}'`;
const untouchedSql = (authority: Authority): string => (authority === 'leave' ? ` and ${UNTOUCHED}` : '');

/** What is the import's from now on is no longer a person's. Of a picture that is known when it is there (images.ts). */
function editedAfterImport(columns: readonly Column[], authority: Authority): string {
  const written = columns
    .filter(({ name }) => partOf(name) !== 'image')
    .map(({ name }) => {
      const kept = authority === 'fill' ? ` and not (${keptSql(partOf(name), columns)})` : '';
      return `case when r.${name} is not null${kept} then '${partOf(name)}' end`;
    });
  return `case when t.edited = '{}' then t.edited else
    array(select unnest(t.edited) except select unnest(array[${written.join(', ')}]) order by 1) end`;
}

/**
 * Locks the rows that would change, in the order of ids. The others are left alone: repeating an import writes and
 * announces nothing, and imports that share a venue do not wait for each other.
 */
export const changedStatement = (table: string, columns: readonly Column[], authority: Authority): string =>
  `select t.id from ${table} t join json_to_recordset($1::json) as ${record(columns)} on r.id = t.id
   where (${columns.map(({ name }) => `t.${name}`).join(', ')}) is distinct from (${columns.map((column) => after(column, columns, authority)).join(', ')})${untouchedSql(authority)}
   order by t.id for no key update of t`;

export const updateStatement = (table: string, columns: readonly Column[], authority: Authority): string =>
  `update ${table} t set ${columns.map((column) => `${column.name} = ${after(column, columns, authority)}`).join(', ')},
     edited = ${editedAfterImport(columns, authority)}, modified_local = $2, modified_utc = $3::timestamp at time zone 'UTC'
   from json_to_recordset($1::json) as ${record(columns)} where t.id = r.id${untouchedSql(authority)}`;

/** What only new rows of a table have, with its values. */
const OWN = {
  name: { columns: 'name', values: 'r.name' },
  // As it was sent, see former-uids.ts.
  uid: { columns: 'uid, uid_as_sent', values: 'r.uid, true' },
} as const;

/**
 * New rows; `own` is the column of text that only this table has. Those that meet another row are passed over, and none is
 * answered for them; or the statement fails: for that PostgreSQL need not look into each unique index first, for each row.
 */
export const insertStatement = (
  table: string,
  columns: readonly Column[],
  own: keyof typeof OWN,
  defaults: Readonly<Record<string, string>>,
  met: 'passed over' | 'a failure' = 'passed over',
): string =>
  `insert into ${table} as t (id, slug, ${OWN[own].columns}, author, origin, status, date_local, date_utc, date_chosen, modified_local,
     modified_utc, ${columns.map(({ name }) => name).join(', ')})
   select r.id, r.slug, ${OWN[own].values}, $2, $3, $4, $5, $6::timestamp at time zone 'UTC', $7, $8, $9::timestamp at time zone 'UTC',
     ${columns.map((column) => insertedValue(column, defaults)).join(', ')}
   from json_to_recordset($1::json) as ${record(columns)}${met === 'passed over' ? ' on conflict do nothing' : ''}`;

const DEFAULTS: Readonly<Record<string, string>> = {
  text: `''`,
  boolean: 'false',
  jsonb: `'{"symbol": "", "position": "", "values": [], "shown": []}'`,
  bigint: '0',
  'bigint[]': `'{}'`,
  'text[]': `'{}'`,
};

/** Value of a new row where nothing was sent; the website of an event and coordinates may be unknown. */
function insertedValue({ name, type }: Column, own: Readonly<Record<string, string>> = {}): string {
  const fallback = own[name] ?? DEFAULTS[type];
  return fallback === undefined ? `r.${name}` : `coalesce(r.${name}, ${fallback})`;
}
