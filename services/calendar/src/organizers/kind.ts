/** Organizers as a kind of linked things. */
import { selectList } from '@sevenfold/chassis/db/columns';
import { importedLinked, listedList, shortList } from '../linked/fields';
import type { LinkedKind } from '../linked/kind';
import { type OrganizerRow, organizerColumns, ownOrganizerFields } from './fields';
import { presentOrganizer } from './presenter';
import { organizerArgs, organizerSchema } from './schema';

export const organizerKind: LinkedKind<OrganizerRow> = {
  one: 'organizer',
  many: 'organizers',
  article: 'an',
  args: organizerArgs,
  schema: organizerSchema,
  columns: selectList(organizerColumns, 't'),
  shortColumns: shortList(organizerColumns),
  listedColumns: listedList(organizerColumns),
  imported: importedLinked(organizerColumns),
  linksOfEvent: 'unnest(e.organizer_ids)',
  publicEvents: { rows: 'from event_organizers l where true', names: 'l.target' },
  lockSpace: 4,
  ownFields: ownOrganizerFields,
  settle: () => ({}),
  present: presentOrganizer,
};
