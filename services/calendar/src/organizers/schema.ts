/** Arguments of the organizer routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArgs, slugArgs } from '../items';

const fields = {
  author: { type: 'integer', description: 'Number of the author.' },
  date: { type: 'string', lenient: true, description: 'Date of publication, on the clock of the site.' },
  date_utc: { type: 'string', lenient: true, description: 'Date of publication, in UTC.' },
  organizer: { type: 'string', lenient: true, description: 'Name of the organizer.' },
  description: { type: 'string', lenient: true, description: 'Description, as HTML.' },
  status: { type: 'string', lenient: true, description: 'Status of publication.' },
  phone: { type: 'string', lenient: true, description: 'Telephone number.' },
  website: { type: 'string', lenient: true, description: 'Address of the website of the organizer.' },
  email: { type: 'string', lenient: true, description: 'E-mail address.' },
  image: { type: 'string', lenient: true, description: 'Number or address of the featured image.' },
} as const satisfies ArgTable;

export const createArgs = {
  ...fields,
  organizer: { ...fields.organizer, required: true },
} as const satisfies ArgTable;

export const updateArgs = {
  id: { ...idArgs, ...fields },
  slug: { ...slugArgs, ...fields },
} as const satisfies Record<string, ArgTable>;

export const listArgs = {
  page: { type: 'integer', default: 1, description: 'Page to return.' },
  per_page: { type: 'integer', default: 10, description: 'Organizers on a page.' },
  search: { type: 'string', lenient: true, description: 'Text in title, description or any other field.' },
  event: { type: 'integer', description: 'Only organizers of this event.' },
  has_events: { description: 'Only organizers with, or without, events.' },
  only_with_upcoming: {
    type: 'boolean',
    default: false,
    description: 'Only organizers of events still to come.',
  },
  status: { description: 'Status of publication.' },
} as const satisfies ArgTable;
