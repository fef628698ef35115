/** Columns that venues and organizers have alike, and their rows. */
import { type RowOf, selectList } from '@sevenfold/chassis/db/columns';
import { LONG_ROW_BYTES } from '@sevenfold/chassis/http/ready';
import {
  type FieldTable,
  type PlainTable,
  columnsOf,
  importedOf,
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

/** Columns that imports write: beside what their tables tell the name, of what is known by its global id. */
export const importedLinked = (columns: FieldTable): ReadonlySet<string> =>
  new Set(['name', ...importedOf(columns).map(({ name }) => name)]);

/** Those that exist among the ids, in the trash or not. */
export type FindRows<R> = (ids: readonly number[]) => Promise<ReadonlyMap<number, R>>;

const LONG = `octet_length(t.description_html) > ${LONG_ROW_BYTES}`;

const others = ({ descriptionRaw: _raw, descriptionHtml: _html, ...short }: FieldTable): string =>
  selectList(short, 't');

/** Select list of a row `t` whose texts are empty. */
export const shortList = (columns: FieldTable): string =>
  `${others(columns)}, '' as "descriptionRaw", '' as "descriptionHtml"`;

/** Select list of a row `t` among others: without the raw text, which nobody is shown, and with its text unless that is long. */
export const listedList = (columns: FieldTable): string =>
  `${others(columns)}, '' as "descriptionRaw", ${LONG} as "isLong",
    case when ${LONG} then '' else t.description_html end as "descriptionHtml"`;

export type Listed<R extends LinkedRow> = R & { readonly isLong: boolean };
