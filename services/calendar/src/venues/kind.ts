/** Venues as a kind of linked things. */
import { selectList } from '@sevenfold/chassis/db/columns';
import { importedOf } from '../common/fields';
import type { LinkedKind } from '../linked/kind';
import { type VenueRow, ownVenueFields, settleVenue, venueColumns } from './fields';
import { presentVenue } from './presenter';
import { createArgs, listArgs, updateArgs, venueSchema } from './schema';

export const venueKind: LinkedKind<VenueRow> = {
  one: 'venue',
  many: 'venues',
  article: 'a',
  args: { list: listArgs, create: createArgs, update: updateArgs },
  schema: venueSchema,
  columns: selectList(venueColumns, 't'),
  imported: new Set(importedOf(venueColumns).map(({ name }) => name)),
  linksOfEvent: 'e.venue_id',
  publicEvents: `from events l where l.status = 'publish' and l.venue_id = t.id`,
  lockSpace: 3,
  ownFields: ownVenueFields,
  settle: settleVenue,
  present: presentVenue,
};
