/** Columns that imports write, with their types: SQL for many rows at once is made from these tables. */
import { snake } from '@sevenfold/chassis/db/columns';
import type { FieldTable } from '../common/fields';
import { shownColumns, sourceColumns, writtenColumns } from '../events/fields';
import { organizerColumns as ofOrganizers } from '../organizers/fields';
import { venueColumns as ofVenues } from '../venues/fields';

export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Those of a table of fields that imports write. */
const importedOf = (table: FieldTable): Column[] =>
  Object.entries(table).flatMap(([name, { sql, imported }]) =>
    imported ? [{ name: snake(name), type: sql }] : [],
  );

export const eventColumns: readonly Column[] = [
  ...importedOf(shownColumns),
  ...importedOf(writtenColumns),
  ...importedOf(sourceColumns),
];

export const venueColumns = importedOf(ofVenues);
export const organizerColumns = importedOf(ofOrganizers);

/** `r (id bigint, title_raw text, …)` for json_to_recordset. */
export const record = (columns: readonly Column[]): string =>
  `r (id bigint, slug text, uid text, name text, ${columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`;

/** What a row becomes when the fields that were sent are written to it: absent ones (null) keep their value. */
const after = ({ name }: Column): string => `coalesce(r.${name}, t.${name})`;

/**
 * Locks the rows that would change, in the order of ids. The others are left alone: repeating an import writes and
 * announces nothing, and imports that share a venue do not wait for each other.
 */
export const changedStatement = (table: string, columns: readonly Column[]): string =>
  `select t.id from ${table} t join json_to_recordset($1::json) as ${record(columns)} on r.id = t.id
   where (${columns.map(({ name }) => `t.${name}`).join(', ')}) is distinct from (${columns.map(after).join(', ')})
   order by t.id for no key update of t`;

export const updateStatement = (table: string, columns: readonly Column[]): string =>
  `update ${table} t set ${columns.map((column) => `${column.name} = ${after(column)}`).join(', ')},
     modified_local = $2, modified_utc = $3::timestamp at time zone 'UTC'
   from json_to_recordset($1::json) as ${record(columns)} where t.id = r.id`;

const DEFAULTS: Readonly<Record<string, string>> = {
  text: `''`,
  boolean: 'false',
  jsonb: `'{"symbol": "", "position": "", "values": [], "shown": []}'`,
  bigint: '0',
  'bigint[]': `'{}'`,
  'text[]': `'{}'`,
};

/** Value of a new row where nothing was sent; the website of an event and coordinates may be unknown. */
export function insertedValue({ name, type }: Column, own: Readonly<Record<string, string>> = {}): string {
  const fallback = own[name] ?? DEFAULTS[type];
  return fallback === undefined ? `r.${name}` : `coalesce(r.${name}, ${fallback})`;
}
