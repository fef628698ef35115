/**
 * Tables of fields. From one row follow the argument, the column with its type, the type of a row, the select list, what
 * answers show and what imports write: nothing about a field is said twice.
 */
type SqlType = 'text' | 'boolean' | 'bigint' | 'bigint[]' | 'text[]' | 'timestamp' | 'timestamptz' | 'jsonb';

/** A column and whether imports write it. Its name is that of the row's key, in snake_case. */
export interface ColumnField {
  readonly sql: SqlType;
  readonly imported?: true;
}
export type ColumnTable = Readonly<Record<string, ColumnField>>;

interface Values {
  text: string;
  boolean: boolean;
  bigint: number;
  'bigint[]': readonly number[];
  'text[]': readonly string[];
  timestamp: string;
  timestamptz: string;
  jsonb: unknown;
}

/** What a query of these columns answers. */
export type RowOf<T extends ColumnTable> = { readonly [K in keyof T]: Values[T[K]['sql']] };

/** A field that is written, kept, shown and imported as it is: a row of the argument table and of the schema as well. */
export interface PlainField {
  readonly type: 'boolean' | 'string';
  readonly description: string;
}
export type PlainTable = Readonly<Record<string, PlainField>>;

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type SqlOf<F extends PlainField> = F['type'] extends 'boolean' ? 'boolean' : 'text';
export type PlainColumns<T extends PlainTable> = {
  readonly [K in keyof T & string as Camel<K>]: { readonly sql: SqlOf<T[K]>; readonly imported: true };
};

const camel = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const columnsOf = <T extends PlainTable>(fields: T): PlainColumns<T> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type }]) => [
      camel(name),
      { sql: type === 'boolean' ? 'boolean' : 'text', imported: true },
    ]),
  ) as PlainColumns<T>;

/** Columns of what a body says; absent ones stay absent. */
export const written = <T extends PlainTable>(
  fields: T,
  body: { readonly [K in keyof T]?: unknown },
): Partial<RowOf<PlainColumns<T>>> =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((name) => body[name] !== undefined)
      .map((name) => [camel(name), body[name]]),
  ) as Partial<RowOf<PlainColumns<T>>>;

export const presented = <T extends PlainTable>(
  fields: T,
  row: RowOf<PlainColumns<T>>,
): { [K in keyof T]: unknown } =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [name, (row as Record<string, unknown>)[camel(name)]]),
  ) as { [K in keyof T]: unknown };
