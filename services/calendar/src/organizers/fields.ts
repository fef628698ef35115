/** The fields of an organizer as tables, and from its arguments to its columns. Pure. */
import type { RowOf } from '@sevenfold/chassis/db/columns';
import { type FieldTable, type PlainTable, columnsOf, given, written } from '../common/fields';
import { linkedColumns } from '../linked/fields';

/** Whether mail arrives at the address is not asked. */
export const plainFields = {
  email: { type: 'string', description: 'E-mail address.' },
} as const satisfies PlainTable;

export const organizerColumns = {
  ...linkedColumns,
  excerptHtml: { sql: 'text' },
  ...columnsOf(plainFields),
} as const satisfies FieldTable;

export type OrganizerRow = RowOf<typeof organizerColumns>;

/** Absent arguments stay absent; empty text clears. */
export const ownOrganizerFields = (args: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  given(written(plainFields, args));
