/** Arguments of the venue routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArgs, slugArgs } from '../items';

const fields = {
  author: { type: 'integer', description: 'Number of the author.' },
  date: { type: 'string', lenient: true, description: 'Date of publication, on the clock of the site.' },
  date_utc: { type: 'string', lenient: true, description: 'Date of publication, in UTC.' },
  venue: { type: 'string', lenient: true, description: 'Name of the venue.' },
  description: { type: 'string', lenient: true, description: 'Description, as HTML.' },
  status: { type: 'string', lenient: true, description: 'Status of publication.' },
  show_map: { type: 'string', lenient: true, description: 'Whether a map is shown.' },
  show_map_link: { type: 'string', lenient: true, description: 'Whether a link to a map is shown.' },
  address: { type: 'string', lenient: true, description: 'Street and number.' },
  city: { type: 'string', lenient: true, description: 'City.' },
  country: { type: 'string', lenient: true, description: 'Country.' },
  province: { type: 'string', lenient: true, description: 'Region.' },
  state: { type: 'string', lenient: true, description: 'Department.' },
  zip: { type: 'string', lenient: true, description: 'Postal code.' },
  phone: { type: 'string', lenient: true, description: 'Telephone number.' },
  stateprovince: { type: 'string', lenient: true, description: 'Region and department together.' },
  website: { type: 'string', lenient: true, description: 'Address of the website of the venue.' },
  image: { type: 'string', lenient: true, description: 'Number or address of the featured image.' },
  geo_lat: { type: 'number', minimum: -90, maximum: 90, unlisted: true, description: 'Latitude in degrees.' },
  geo_lng: {
    type: 'number',
    minimum: -180,
    maximum: 180,
    unlisted: true,
    description: 'Longitude in degrees.',
  },
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
  search: { type: 'string', lenient: true, description: 'Text in title, description or any other field.' },
  event: { type: 'integer', description: 'Only venues of this event.' },
  has_events: { description: 'Only venues with, or without, events.' },
  only_with_upcoming: {
    type: 'boolean',
    default: false,
    description: 'Only venues of events still to come.',
  },
  status: { description: 'Status of publication.' },
} as const satisfies ArgTable;
