/** Arguments of the venue routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArgs, slugArgs } from '../items';

const fields = {
  author: { type: 'integer', description: 'Number of the author.' },
  date: { type: 'string', description: 'Date of publication, on the clock of the site.' },
  date_utc: { type: 'string', description: 'Date of publication, in UTC.' },
  venue: { type: 'string', description: 'Name of the venue.' },
  description: { type: 'string', description: 'Description, as HTML.' },
  status: { type: 'string', description: 'Status of publication.' },
  show_map: { type: 'string', description: 'Whether a map is shown.' },
  show_map_link: { type: 'string', description: 'Whether a link to a map is shown.' },
  address: { type: 'string', description: 'Street and number.' },
  city: { type: 'string', description: 'City.' },
  country: { type: 'string', description: 'Country.' },
  province: { type: 'string', description: 'Region.' },
  state: { type: 'string', description: 'Department.' },
  zip: { type: 'string', description: 'Postal code.' },
  phone: { type: 'string', description: 'Telephone number.' },
  stateprovince: { type: 'string', description: 'Region and department together.' },
  website: { type: 'string', description: 'Address of the website of the venue.' },
  image: { type: 'string', description: 'Number or address of the featured image.' },
} as const satisfies ArgTable;

export const createArgs = {
  ...fields,
  venue: { ...fields.venue, required: true },
} as const satisfies ArgTable;

export const updateArgs = {
  id: { ...idArgs, ...fields },
  slug: { ...slugArgs, ...fields },
} as const satisfies Record<string, ArgTable>;

export const listArgs = {
  page: { type: 'integer', default: 1, description: 'Page to return.' },
  per_page: { type: 'integer', default: 10, description: 'Venues on a page.' },
  search: { type: 'string', description: 'Text in title, description or any other field.' },
  event: { type: 'integer', description: 'Only venues of this event.' },
  has_events: { description: 'Only venues with, or without, events.' },
  only_with_upcoming: {
    type: 'boolean',
    default: false,
    description: 'Only venues of events still to come.',
  },
  status: { description: 'Status of publication.' },
} as const satisfies ArgTable;
