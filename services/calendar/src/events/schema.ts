/** Fields of an event, and the arguments of its routes (INTERFACE.md 2.12 and 4.10). */
import type { Arg, ArgTable, ArgsOf } from '@sevenfold/chassis/http/args';
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';
import * as shape from '@sevenfold/chassis/http/shapes';
import { checkDate, checkPublicationDate } from '../common/dates';
import { checkImage } from '../content/images';
import { linkRefs } from '../common/inline';
import { imageProperty } from '../content/image-schema';
import { checkStatus } from '../common/statuses';
import { checkTerms } from '../content/resolve-terms';
import { idArgs, listPageArgs } from '../items';
import { organizerSchema } from '../organizers/schema';
import { venueSchema } from '../venues/schema';
import { readCost } from './cost';
import { plainFields } from './fields';
import { checkZone } from './when';
import { defaultEnd, defaultStart } from './window';

const filled = (text: string): string | undefined =>
  text.trim() === '' ? 'It must not be empty.' : undefined;

const checkWebsite = (value: unknown): string | undefined =>
  value === null || value === false || typeof value === 'string' ? undefined : 'website is not an address.';

const text = (description: string, rules: Pick<Arg, 'check'> = {}) =>
  ({ type: 'string', lenient: true, description, check: filled, ...rules }) as const;

const publicationDate = { check: checkPublicationDate, accept: ['null'] } as const;

/** What a body may say. */
const fields = {
  author: { type: 'integer', minimum: 1, description: 'Number of the author.' },
  date: text('Date of publication, on the clock of the site; null for now.', publicationDate),
  date_utc: text('Date of publication, in UTC; null for now.', publicationDate),
  title: text('Title.'),
  description: text('Description, as HTML.'),
  slug: text('Name of the event in its address.'),
  excerpt: text('Short description, as HTML.'),
  status: text('Status of publication.', { check: checkStatus }),
  timezone: text('Time zone of the event: a name, or UTC with an offset.', { check: checkZone }),
  all_day: { type: 'boolean', default: false, description: 'Whether the event takes the whole day.' },
  start_date: text('Date and time of the start.', { check: checkDate }),
  end_date: text('Date and time of the end.', { check: checkDate }),
  image: {
    type: 'string',
    accept: ['integer', 'boolean', 'object', 'null'],
    check: checkImage,
    description: 'Number or address of the featured image, or the image as it is shown; false takes it away.',
  },
  cost: {
    check: (value: unknown) =>
      readCost(value) ? undefined : 'cost is neither a text, a number nor a list of them.',
    description: 'Cost: a text, a number or a list of them.',
  },
  website: { check: checkWebsite, description: 'Address of the website of the event.' },
  ...plainFields,
  categories: { check: checkTerms, description: 'Categories, by number or name.' },
  tags: { check: checkTerms, description: 'Tags, by number or name.' },
  venue: {
    items: { type: 'integer' },
    check: (value: unknown) =>
      (linkRefs(value)?.length ?? 2) > 1
        ? 'venue is neither the number of a venue nor the data of one.'
        : undefined,
    description: 'Number or data of the venue.',
  },
  organizer: {
    items: { type: 'integer' },
    check: (value: unknown) =>
      linkRefs(value)
        ? undefined
        : 'organizer is neither numbers of organizers, nor the data of some, nor a list of both.',
    description: 'Numbers or data of the organizers.',
  },
} as const satisfies ArgTable;

export type EventArgs = ArgsOf<typeof fields>;

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

const positive = (ids: readonly number[]): string | undefined =>
  ids.every((id) => id > 0) ? undefined : 'It must hold numbers above 0.';

const ids = (description: string) =>
  ({ type: 'array', items: { type: 'integer' }, check: positive, description }) as const;

const some = (refs: readonly unknown[]): string | undefined =>
  refs.length === 0 || refs.includes('') ? 'It must not be empty.' : undefined;

/** Shown as numbers; slugs work too. */
const terms = (description: string) =>
  ({ type: 'array', items: { type: 'integer', open: true }, check: some, description }) as const;

export const listArgs = {
  ...listPageArgs('events'),
  start_date: {
    ...text('Only events that end after the beginning of this day.', { check: checkDate }),
    default: defaultStart,
  },
  end_date: {
    ...text('Only events that start before the end of this day.', { check: checkDate }),
    default: defaultEnd,
  },
  search: text('Text in title or description.'),
  categories: terms('Categories, any of them; what is below them counts too.'),
  tags: terms('Tags, any of them.'),
  venue: ids('Venues, any of them.'),
  organizer: ids('Organizers, any of them.'),
  featured: { type: 'boolean', description: 'Only events that are, or are not, featured.' },
  status: { description: 'Status of publication: one, or a list of them.' },
  geoloc: { type: 'boolean', description: 'Only events whose venue has coordinates.' },
  geoloc_lat: { description: 'Latitude of the middle of the search; needs geoloc_lng.' },
  geoloc_lng: { description: 'Longitude of the middle of the search; needs geoloc_lat.' },
  include: ids('Only these events, whatever their dates.'),
  post_parent: { type: 'integer', minimum: 1, description: 'Only events with this parent.' },
} as const satisfies ArgTable;

const shown = (type: string, description: string): Property => ({ type, description });
const told = (type: string, description: string): Property => ({ type, description, readonly: true });
const details = (of: string): Property => ({
  type: 'object',
  description: `Parts of ${of}, as two-digit text.`,
  readonly: true,
  properties: Object.fromEntries(
    ['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map((part) => [
      part,
      shown('string', `The ${part}.`),
    ]),
  ),
});

/** A term as it is kept; without the links that it has alone. */
const term = shape.object({
  name: shape.described('Name, as HTML.', shape.text),
  slug: shape.described('Name in addresses.', shape.text),
  term_group: shape.described('Always 0.', shape.integer),
  term_taxonomy_id: shape.described('The number of the term once more.', shape.integer),
  taxonomy: shape.described('Taxonomy of the term.', shape.text),
  description: shape.described('Description, as HTML.', shape.text),
  parent: shape.described('Number of the parent; 0 without.', shape.integer),
  count: shape.described('How many published objects carry the term.', shape.integer),
  filter: shape.described('Always raw.', shape.constant('raw')),
  id: shape.described('Number of the term.', shape.integer),
  urls: shape.described(
    'Addresses in this interface.',
    shape.object(
      {
        self: shape.described('The term.', shape.text),
        collection: shape.described('The list of its kind.', shape.text),
        up: shape.described('Its parent, if it has one.', shape.text),
      },
      'up',
    ),
  ),
});

const properties = {
  id: told('integer', 'Number of the event.'),
  global_id: told('string', 'Identity across sites.'),
  global_id_lineage: { ...told('array', 'Identities, the present one first.'), items: { type: 'string' } },
  author: shown('string', 'Number of the author, as text.'),
  status: shown('string', 'Status of publication.'),
  date: shown('string', 'Date of publication, on the clock of the site.'),
  date_utc: shown('string', 'Date of publication, in UTC.'),
  modified: told('string', 'Last change, on the clock of the site.'),
  modified_utc: told('string', 'Last change, in UTC.'),
  url: told('string', 'Address for people.'),
  rest_url: told('string', 'Address in this interface.'),
  title: shown('string', 'Title, as HTML.'),
  description: shown('string', 'Description, as HTML.'),
  excerpt: shown('string', 'Short description, as HTML.'),
  slug: shown('string', 'Name of the event in its address.'),
  image: {
    ...imageProperty,
    type: ['object', 'boolean'],
    description: 'Featured image; false when there is none.',
  },
  all_day: shown('boolean', 'Whether the event takes the whole day.'),
  start_date: shown('string', 'Start, on the clock of the event.'),
  start_date_details: details('the start'),
  end_date: shown('string', 'End, on the clock of the event.'),
  end_date_details: details('the end'),
  utc_start_date: told('string', 'Start, in UTC.'),
  utc_start_date_details: details('the start in UTC'),
  utc_end_date: told('string', 'End, in UTC.'),
  utc_end_date_details: details('the end in UTC'),
  timezone: shown('string', 'Time zone of the event.'),
  timezone_abbr: told('string', 'Abbreviation of the time zone at the start.'),
  cost: shown('string', 'Cost, with its currency.'),
  cost_details: {
    ...told('object', 'Parts of the cost.'),
    properties: {
      currency_symbol: shown('string', 'Symbol that the cost names.'),
      currency_position: shown('string', 'prefix, postfix or empty.'),
      values: { ...shown('array', 'Values, ascending.'), items: { type: 'string' } },
    },
  },
  website: shown('string', 'Address of the website of the event.'),
  ...plainFields,
  categories: { ...shown('array', 'Categories.'), items: { type: 'object' }, answered: shape.listOf(term) },
  tags: { ...shown('array', 'Tags.'), items: { type: 'object' }, answered: shape.listOf(term) },
  venue: {
    type: ['object', 'array'],
    description: 'Venue; an empty list when there is none.',
    properties: venueSchema.properties,
    answered: shape.either(shape.itemOf(venueSchema), shape.emptyList),
  },
  organizer: {
    ...shown('array', 'Organizers.'),
    items: { type: 'object', properties: organizerSchema.properties },
    answered: shape.listOf(shape.itemOf(organizerSchema)),
  },
  json_ld: { ...told('object', 'Structured data; only when a single event is read.'), optional: true },
} satisfies Record<string, Property>;

/** The fields that every answer has; `json_ld` only that of a single event. */
export type EventItem = { [K in Exclude<keyof typeof properties, 'json_ld'>]: unknown } & {
  json_ld?: object;
};

export const eventSchema: ItemSchema = { title: 'event', properties };
