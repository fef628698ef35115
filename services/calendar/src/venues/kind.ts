/** Venues as a kind of linked things. */
import { selectList } from '@sevenfold/chassis/db/columns';
import { importedLinked, listedList, shortList } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { type VenueRow, ownVenueFields, settleVenue, venueColumns } from './fields';
import { presentVenue } from './presenter';
import { venueArgs, venueSchema } from './schema';

export const venueKind: LinkedKind<VenueRow> = {
  one: 'venue',
  many: 'venues',
  article: 'a',
  args: venueArgs,
  schema: venueSchema,
  columns: selectList(venueColumns, 't'),
  shortColumns: shortList(venueColumns),
  listedColumns: listedList(venueColumns),
  imported: importedLinked(venueColumns),
  linksOfEvent: 'e.venue_id',
  publicEvents: { rows: `from events l where l.status = 'publish'`, names: 'l.venue_id' },
  lockSpace: 3,
  ownFields: ownVenueFields,
  settle: settleVenue,
  present: presentVenue,
};
