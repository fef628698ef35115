/**
 * The fields of an event as tables. A field that is kept and shown as it is given is one row of `plainFields`, and a
 * column in a migration. One that is more than a copy has rows in `columns`; how it is read and shown then stands in
 * schema.ts, read.ts and presenter.ts, which do not compile without it.
 */
import type { RowOf } from '@sevenfold/chassis/db/columns';
import { MOST_INDEXED_EXCERPT, MOST_TITLE } from '@sevenfold/text/told';
import {
  type FieldTable,
  type PlainTable,
  columnsOf,
  importedFlag,
  importedText,
  publishedColumns,
} from '../common/fields';
import type { CostDetails } from './cost';

/** Of texts, in characters: as much as others look at, since lists show fifty of each, and as the body of a request may hold. */
export const LONGEST = {
  title: MOST_TITLE,
  excerpt: MOST_INDEXED_EXCERPT,
  description: 1024 * 1024,
} as const;

export const plainFields = {
  show_map: { type: 'boolean', description: 'Whether a map is shown.' },
  show_map_link: { type: 'boolean', description: 'Whether a link to a map is shown.' },
  hide_from_listings: { type: 'boolean', description: 'Whether calendar views leave the event out.' },
  sticky: { type: 'boolean', description: 'Whether calendar views pin the event.' },
  featured: { type: 'boolean', description: 'Whether the event is featured.' },
} as const satisfies PlainTable;

const id = { sql: 'bigint' } as const;
const ids = { sql: 'bigint[]', imported: true } as const;
const clock = { sql: 'timestamp', imported: true } as const;
const moment = { sql: 'timestamptz', imported: true } as const;

/** What every read answers. */
export const shownColumns = {
  ...publishedColumns,
  titleHtml: importedText,
  descriptionHtml: importedText,
  excerptHtml: importedText,
  timezone: importedText,
  allDay: importedFlag,
  startLocal: clock,
  endLocal: clock,
  startUtc: moment,
  endUtc: moment,
  imageId: id,
  costDetails: { sql: 'jsonb', imported: true },
  website: importedText,
  ...columnsOf(plainFields),
  venueId: { ...id, imported: true },
  organizerIds: ids,
  categoryIds: ids,
  tagIds: ids,
  globalId: importedText,
  globalIdLineage: { sql: 'text[]', imported: true },
} as const satisfies FieldTable;

/** What only writes look at: the raw texts are as large as the rendered ones and never shown. */
export const writtenColumns = {
  titleRaw: importedText,
  descriptionRaw: importedText,
  excerptRaw: importedText,
  cost: importedText,
  parent: id,
} as const satisfies FieldTable;

/** What only imports know: where its picture is, and what its source calls the series it belongs to. */
export const sourceColumns = {
  imageSource: importedText,
  parentUid: importedText,
} as const satisfies FieldTable;

export type EventRow = Omit<RowOf<typeof shownColumns>, 'costDetails' | 'website'> & {
  readonly costDetails: CostDetails;
  /** Null: none was ever given. */
  readonly website: string | null;
};
export type FullEventRow = EventRow & RowOf<typeof writtenColumns>;
