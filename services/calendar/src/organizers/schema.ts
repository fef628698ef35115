/** Fields of an organizer, and the arguments of its routes (INTERFACE.md 2.14 and 4.11). */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { textArgs, unlessEmpty } from '../common/fields';
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

const { author, date, date_utc, description, status, phone, website, image } = linkedArgs;

const fields = {
  author,
  date,
  date_utc,
  organizer: { ...text('Name of the organizer.'), check: checkName },
  description,
  status,
  phone,
  website,
  ...textArgs(plainFields),
  image,
} as const satisfies ArgTable;

export const organizerArgs: LinkedArgs = {
  list: listArgsOf('organizers'),
  ...writeArgsOf(fields, 'organizer'),
};

const shown = (description: string) => ({ type: 'string', description }) as const;

export const organizerSchema: ItemSchema = {
  title: 'organizer',
  description: 'Who holds events. Empty fields are left out.',
  properties: {
    ...linkedStart,
    organizer: shown('Name of the organizer.'),
    ...unlessEmpty({
      description: shown('Description, as HTML.'),
      excerpt: shown('Short description, as HTML.'),
    }),
    ...linkedMiddle,
    ...linkedContact,
    ...unlessEmpty(plainFields),
    json_ld: linkedJsonLd,
    ...linkedEnd,
  },
};
