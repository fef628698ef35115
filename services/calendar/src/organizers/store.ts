/** Rows of organizers. The statements are those of all linked things: linked/store.ts. */
import type { LinkedRow } from '../linked/rows';

export interface OrganizerRow extends LinkedRow {
  readonly excerptHtml: string;
  readonly email: string;
}

export const organizerColumns: readonly (keyof OrganizerRow)[] = ['excerptHtml', 'email'];
