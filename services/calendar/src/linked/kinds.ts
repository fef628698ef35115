/**
 * Venues and organizers are siblings: things that events are linked to. This is what sets them apart, as a table; all
 * else is written once, in this folder, for whichever row of the table it is given.
 */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { selectList } from '../common/columns';
import { ownOrganizerFields } from '../organizers/fields';
import { presentOrganizer } from '../organizers/presenter';
import * as organizerSchema from '../organizers/schema';
import { type OrganizerRow, organizerColumns } from '../organizers/store';
import { ownVenueFields, settleVenue } from '../venues/fields';
import { presentVenue } from '../venues/presenter';
import * as venueSchema from '../venues/schema';
import { type VenueRow, venueColumns } from '../venues/store';
import type { PresentOptions } from './presenter';
import { type LinkedRow, linkedColumns } from './rows';
import type { ListTable } from './schema';

export interface LinkedKind<R extends LinkedRow = LinkedRow> {
  /** Word in codes and messages, type in addresses, and the field that holds the name. */
  readonly one: 'venue' | 'organizer';
  /** Table, path and key of lists. */
  readonly many: 'venues' | 'organizers';
  readonly article: 'a' | 'an';
  readonly args: {
    readonly list: ListTable;
    readonly create: ArgTable;
    readonly update: { readonly id: ArgTable; readonly slug: ArgTable };
  };
  readonly schema: ItemSchema;
  /** For `select … from <table> t`. */
  readonly columns: string;
  /** The ids that a row of `events e` is linked to, as SQL. */
  readonly linksOfEvent: string;
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

export const venueKind: LinkedKind<VenueRow> = {
  one: 'venue',
  many: 'venues',
  article: 'a',
  args: { list: venueSchema.listArgs, create: venueSchema.createArgs, update: venueSchema.updateArgs },
  schema: venueSchema.venueSchema,
  columns: selectList([...linkedColumns, ...venueColumns], 't'),
  linksOfEvent: 'e.venue_id',
  lockSpace: 3,
  ownFields: ownVenueFields,
  settle: settleVenue,
  present: presentVenue,
};

export const organizerKind: LinkedKind<OrganizerRow> = {
  one: 'organizer',
  many: 'organizers',
  article: 'an',
  args: {
    list: organizerSchema.listArgs,
    create: organizerSchema.createArgs,
    update: organizerSchema.updateArgs,
  },
  schema: organizerSchema.organizerSchema,
  columns: selectList([...linkedColumns, ...organizerColumns], 't'),
  linksOfEvent: 'unnest(e.organizer_ids)',
  lockSpace: 4,
  ownFields: ownOrganizerFields,
  settle: () => ({}),
  present: presentOrganizer,
};
