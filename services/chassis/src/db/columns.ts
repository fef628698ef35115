/**
 * Columns as tables: the type of a row, its select list and what is written follow from one. A column is named like the
 * key of the row, in snake_case.
 */
interface Values {
  text: string;
  boolean: boolean;
  bigint: number;
  integer: number;
  /** Coordinates and the like, which may be unknown. */
  'double precision': number | null;
  'bigint[]': readonly number[];
  'text[]': readonly string[];
  timestamp: string;
  timestamptz: string;
  jsonb: unknown;
}

export type ColumnTable = Readonly<Record<string, { readonly sql: keyof Values }>>;

/** What a query of these columns answers. */
export type RowOf<T extends ColumnTable> = { readonly [K in keyof T]: Values[T[K]['sql']] };

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `alias.date_local as "dateLocal", …` */
export const selectList = (table: ColumnTable, alias: string): string =>
  Object.keys(table)
    .map((name) => `${alias}.${snake(name)} as "${name}"`)
    .join(', ');

/** `(id, date_local, …) values ($1, $2, …)` */
export function insertList(row: object): { text: string; values: unknown[] } {
  const names = Object.keys(row);
  return {
    text: `(${names.map(snake).join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    values: Object.values(row),
  };
}

/** `date_local = $2, …`: the first place is left for the id. */
export function updateList(changes: object): { text: string; values: unknown[] } {
  return {
    text: Object.keys(changes)
      .map((name, index) => `${snake(name)} = $${index + 2}`)
      .join(', '),
    values: Object.values(changes),
  };
}
