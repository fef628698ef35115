/** Columns that venues and organizers have alike, and their rows. */
import type { RowOf } from '@sevenfold/chassis/db/columns';
import {
  type FieldTable,
  type PlainTable,
  columnsOf,
  importedText,
  publishedColumns,
} from '../common/fields';

export const plainFields = {
  phone: { type: 'string', description: 'Telephone number.' },
} as const satisfies PlainTable;

export const linkedColumns = {
  ...publishedColumns,
  /** Plain text: no HTML, whoever wrote it. */
  name: { sql: 'text' },
  descriptionRaw: importedText,
  descriptionHtml: importedText,
  /** 0 for none. */
  imageId: { sql: 'bigint' },
  ...columnsOf(plainFields),
  website: importedText,
  globalId: importedText,
  origin: { sql: 'text' },
} as const satisfies FieldTable;

export type LinkedRow = RowOf<typeof linkedColumns>;

/** Those that exist among the ids, in the trash or not. */
export type FindRows<R> = (ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;
