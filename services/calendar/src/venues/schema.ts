/** Fields of a venue, and the arguments of its routes (INTERFACE.md 2.13 and 4.11). */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { toBoolean } from '@sevenfold/chassis/http/coerce';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { MOST_LINE, textArgs, unlessEmpty } from '../common/fields';
import {
  type LinkedArgs,
  checkName,
  linkedArgs,
  linkedContact,
  linkedEnd,
  linkedJsonLd,
  linkedMiddle,
  linkedStart,
  listArgsOf,
  writeArgsOf,
} from '../linked/schema';
import { plainFields } from './fields';

const text = (description: string) => ({ type: 'string', lenient: true, description }) as const;

/** The interface calls flags text; empty text is no. */
const flag = (description: string) =>
  ({
    ...text(description),
    check: (value: string) =>
      value === '' || toBoolean(value) !== undefined ? undefined : 'It must be true or false.',
  }) as const;

const coordinate = (most: number, description: string) =>
  ({
    type: 'number',
    accept: ['string', 'null'],
    minimum: -most,
    maximum: most,
    unlisted: true,
    check: (value: unknown) =>
      typeof value === 'string' && value !== '' ? 'It is not a number.' : undefined,
    description,
  }) as const;

const { author, date, date_utc, description, status, phone, website, image } = linkedArgs;

const fields = {
  author,
  date,
  date_utc,
  venue: { ...text('Name of the venue.'), check: checkName },
  description,
  status,
  show_map: flag('Whether a map is shown.'),
  show_map_link: flag('Whether a link to a map is shown.'),
  ...textArgs(plainFields),
  phone,
  stateprovince: { ...text('Region and department together.'), maxLength: MOST_LINE },
  website,
  image,
  geo_lat: coordinate(90, 'Latitude in degrees; empty takes the coordinates away.'),
  geo_lng: coordinate(180, 'Longitude in degrees; empty takes the coordinates away.'),
} as const satisfies ArgTable;

export const venueArgs: LinkedArgs = { list: listArgsOf('venues'), ...writeArgsOf(fields, 'venue') };

const shown = (description: string) => ({ type: 'string', description }) as const;

export const venueSchema: ItemSchema = {
  title: 'venue',
  description: 'Where events take place. Empty fields are left out.',
  properties: {
    ...linkedStart,
    venue: shown('Name of the venue.'),
    ...unlessEmpty({ description: shown('Description, as HTML.') }),
    ...linkedMiddle,
    ...unlessEmpty(plainFields),
    ...linkedContact,
    ...unlessEmpty({
      stateprovince: shown('Region and department together.'),
      geo_lat: { type: 'number', description: 'Latitude in degrees.' },
      geo_lng: { type: 'number', description: 'Longitude in degrees.' },
    }),
    json_ld: linkedJsonLd,
    show_map: { type: 'boolean', description: 'Whether a map is shown.' },
    show_map_link: { type: 'boolean', description: 'Whether a link to a map is shown.' },
    ...linkedEnd,
  },
};
