/**
 * Venues and organizers are siblings: things that events are linked to. This is what sets a kind apart; all else is
 * written once, in this folder, for whichever kind it is given. The kinds themselves are venues/kind.ts and
 * organizers/kind.ts.
 */
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import type { LinkedRow } from './fields';
import type { PresentOptions } from './presenter';
import type { LinkedArgs } from './schema';

export interface LinkedKind<R extends LinkedRow = LinkedRow> {
  /** Word in codes and messages, type in addresses, and the field that holds the name. */
  readonly one: 'venue' | 'organizer';
  /** Table, path and key of lists. */
  readonly many: 'venues' | 'organizers';
  readonly article: 'a' | 'an';
  readonly args: LinkedArgs;
  readonly schema: ItemSchema;
  /** For `select … from <table> t`. */
  readonly columns: string;
  /** The same with empty texts. */
  readonly shortColumns: string;
  /** The same for lists (`Listed`). */
  readonly listedColumns: string;
  /** Columns that imports write as well. */
  readonly imported: ReadonlySet<string>;
  /** The ids that a row of `events e` is linked to, as SQL. */
  readonly linksOfEvent: string;
  /** The published events `l`, `from … where …`, and what they name, as an index knows both with `end_utc`. */
  readonly publicEvents: { readonly rows: string; readonly names: string };
  /** Different for each kind: the lock on a name must not stop the other kind. */
  readonly lockSpace: number;
  /** Arguments of the kind's own as columns; absent ones stay absent. */
  readonly ownFields: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /** Columns that follow from others, given what changes and what was there. Throws 400 when they do not go together. */
  readonly settle: (
    changes: Readonly<Record<string, unknown>>,
    current: R | undefined,
  ) => Record<string, unknown>;
  readonly present: (row: R, options: PresentOptions) => object;
}
