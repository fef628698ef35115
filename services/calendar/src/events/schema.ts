/** Arguments of the event routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArgs } from '../items';
import { defaultEnd, defaultStart } from './window';

const fields = {
  author: { type: 'integer', description: 'Number of the author.' },
  date: { type: 'string', description: 'Date of publication, on the clock of the site.' },
  date_utc: { type: 'string', description: 'Date of publication, in UTC.' },
  title: { type: 'string', description: 'Title.' },
  description: { type: 'string', description: 'Description, as HTML.' },
  slug: { type: 'string', description: 'Name of the event in its address.' },
  excerpt: { type: 'string', description: 'Short description, as HTML.' },
  status: { type: 'string', description: 'Status of publication.' },
  timezone: { type: 'string', description: 'Time zone of the event: a name, or UTC with an offset.' },
  all_day: { type: 'boolean', default: false, description: 'Whether the event takes the whole day.' },
  start_date: { type: 'string', description: 'Date and time of the start.' },
  end_date: { type: 'string', description: 'Date and time of the end.' },
  image: { type: 'string', description: 'Number or address of the featured image.' },
  cost: { description: 'Cost: a text, a number or a list of them.' },
  website: { description: 'Address of the website of the event.' },
  show_map: { type: 'boolean', description: 'Whether a map is shown.' },
  show_map_link: { type: 'boolean', description: 'Whether a link to a map is shown.' },
  hide_from_listings: { type: 'boolean', description: 'Whether calendar views leave the event out.' },
  sticky: { type: 'boolean', description: 'Whether calendar views pin the event.' },
  featured: { type: 'boolean', description: 'Whether the event is featured.' },
  categories: { description: 'Categories, by number or name.' },
  tags: { description: 'Tags, by number or name.' },
  venue: { items: { type: 'integer' }, description: 'Number or data of the venue.' },
  organizer: { items: { type: 'integer' }, description: 'Numbers or data of the organizers.' },
} as const satisfies ArgTable;

export const createArgs = {
  ...fields,
  title: { ...fields.title, required: true },
  start_date: { ...fields.start_date, required: true },
  end_date: { ...fields.end_date, required: true },
} as const satisfies ArgTable;

/** By slug, the path variable and the field share one name. */
export const updateArgs = {
  id: { ...idArgs, ...fields },
  slug: fields,
} as const satisfies Record<string, ArgTable>;

export const listArgs = {
  page: { type: 'integer', default: 1, description: 'Page to return.' },
  per_page: { type: 'integer', default: 10, description: 'Events on a page.' },
  start_date: { type: 'string', default: defaultStart, description: 'Only events after this date.' },
  end_date: { type: 'string', default: defaultEnd, description: 'Only events before this date.' },
  search: { type: 'string', description: 'Text in title or description.' },
  categories: { type: 'array', items: { type: 'integer' }, description: 'Categories, any of them.' },
  tags: { type: 'array', items: { type: 'integer' }, description: 'Tags, any of them.' },
  venue: { type: 'array', items: { type: 'integer' }, description: 'Venues, any of them.' },
  organizer: { type: 'array', items: { type: 'integer' }, description: 'Organizers, any of them.' },
  featured: { type: 'boolean', description: 'Only events that are, or are not, featured.' },
  status: { description: 'Status of publication.' },
  geoloc: { type: 'boolean', description: 'Only events whose venue has coordinates.' },
  geoloc_lat: { description: 'Latitude of the middle of the search; needs geoloc_lng.' },
  geoloc_lng: { description: 'Longitude of the middle of the search; needs geoloc_lat.' },
  include: {
    type: 'array',
    items: { type: 'integer' },
    description: 'Only these events, whatever their dates.',
  },
  post_parent: { type: 'integer', description: 'Only events with this parent.' },
} as const satisfies ArgTable;
