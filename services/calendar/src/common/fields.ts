/**
 * Tables of fields. From one row follow the argument, the column with its type, the type of a row, the select list, what
 * answers show and what imports write: nothing about a field is said twice.
 */
import { type ColumnTable, type RowOf, snake } from '@sevenfold/chassis/db/columns';
import type { Property } from '@sevenfold/chassis/http/present';
import { cleanText } from '@sevenfold/text/text';

/** Columns, and which of them imports write. */
export type FieldTable = { readonly [K in keyof ColumnTable]: ColumnTable[K] & { readonly imported?: true } };

/** Those of a table that imports write, by their names in SQL. */
export const importedOf = (table: FieldTable): { readonly name: string; readonly type: string }[] =>
  Object.entries(table).flatMap(([name, { sql, imported }]) =>
    imported ? [{ name: snake(name), type: sql }] : [],
  );

const id = { sql: 'bigint' } as const;
const text = { sql: 'text' } as const;
const flag = { sql: 'boolean' } as const;
const clock = { sql: 'timestamp' } as const;
const moment = { sql: 'timestamptz' } as const;
export const importedText = { ...text, imported: true } as const;
export const importedFlag = { ...flag, imported: true } as const;

/** What events, venues and organizers have alike. Clock times are `YYYY-MM-DD HH:MM:SS[.ffffff]`. */
export const publishedColumns = {
  id,
  author: id,
  status: text,
  statusBeforeTrash: text,
  slug: text,
  dateLocal: clock,
  dateUtc: moment,
  dateChosen: flag,
  modifiedLocal: clock,
  modifiedUtc: moment,
} as const satisfies FieldTable;

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
      type === 'boolean' ? importedFlag : importedText,
    ]),
  ) as PlainColumns<T>;

/** Columns as a body says them; undefined: not mentioned. */
export type Written<R> = { readonly [K in keyof R]: R[K] | undefined };

/** Of texts plain text, without tags. */
export const written = <T extends PlainTable>(
  fields: T,
  body: { readonly [K in keyof T]?: unknown },
): Written<RowOf<PlainColumns<T>>> =>
  Object.fromEntries(Object.keys(fields).map((name) => [camel(name), plainly(body[name])])) as Written<
    RowOf<PlainColumns<T>>
  >;

const plainly = (value: unknown): unknown => (typeof value === 'string' ? cleanText(value) : value);

/** What was mentioned. */
export const given = <R extends object>(columns: Written<R>): Partial<R> =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<R>;

export const presented = <T extends PlainTable>(
  fields: T,
  row: RowOf<PlainColumns<T>>,
): { [K in keyof T]: unknown } =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [name, (row as Record<string, unknown>)[camel(name)]]),
  ) as { [K in keyof T]: unknown };

// ---- texts whose arguments take numbers, and which answers leave out when they are empty -----------------------------

type TextTable = Readonly<Record<string, PlainField & { readonly type: 'string' }>>;

/** Of a text of one line. Each event that names a venue or an organizer shows all of theirs. */
export const MOST_LINE = 2_000;
export const LONGEST_NAME = 500;

type TextArg<F> = F & { readonly lenient: true; readonly maxLength: number };

export const textArgs = <T extends TextTable>(fields: T): { readonly [K in keyof T]: TextArg<T[K]> } =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, lenient: true, maxLength: MOST_LINE }]),
  ) as { [K in keyof T]: TextArg<T[K]> };

export const presentedTexts = <T extends TextTable>(
  fields: T,
  row: RowOf<PlainColumns<T>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(presented(fields, row)).map(([name, value]) => [name, value || undefined]),
  );

/** Fields of answers that are left out where they would be empty. */
export const unlessEmpty = (properties: Readonly<Record<string, Property>>): Record<string, Property> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, { ...property, optional: true }]),
  );
