/** Arguments and fields that venues and organizers share. Each kind's own schema puts them in its order. */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import type { Property } from '@sevenfold/chassis/http/present';
import { cleanText } from '@sevenfold/text/text';
import { MOST_DESCRIPTION } from '@sevenfold/text/told';
import { idArgs, listPageArgs, slugArgs } from '../items';
import { checkPublicationDate } from '../common/dates';
import { LONGEST_NAME, textArgs, unlessEmpty } from '../common/fields';
import { checkImage } from '../content/images';
import { imageProperty } from '../content/image-schema';
import { checkStatus } from '../common/statuses';
import { readWebsite } from '../common/urls';
import { plainFields } from './fields';

export const checkName = (text: string): string | undefined =>
  text.length > LONGEST_NAME
    ? `The name has more than ${LONGEST_NAME} characters.`
    : cleanText(text) === ''
      ? 'The name has no text.'
      : undefined;

const checkWebsite = (text: string): string | undefined =>
  text.trim() === '' || readWebsite(text) !== undefined
    ? undefined
    : 'website is not the address of a website, such as https://example.org.';

/** Each event that names it shows all of it. */
const checkDescription = (text: string): string | undefined =>
  text.length > MOST_DESCRIPTION ? `description has more than ${MOST_DESCRIPTION} characters.` : undefined;

const checkSearch = (text: string): string | undefined =>
  text.trim() === '' ? 'search has no text.' : undefined;

export const linkedArgs = {
  author: { type: 'integer', minimum: 0, nullIsAbsent: true, description: 'Number of the author.' },
  date: {
    type: 'string',
    lenient: true,
    accept: ['null'],
    check: checkPublicationDate,
    description: 'Date of publication, on the clock of the site; null for now.',
  },
  date_utc: {
    type: 'string',
    lenient: true,
    accept: ['null'],
    check: checkPublicationDate,
    description: 'Date of publication, in UTC; null for now.',
  },
  description: {
    type: 'string',
    lenient: true,
    nullIsAbsent: true,
    check: checkDescription,
    description: 'Description, as HTML.',
  },
  status: { type: 'string', check: checkStatus, description: 'Status of publication.' },
  ...textArgs(plainFields),
  website: { type: 'string', lenient: true, check: checkWebsite, description: 'Address of the website.' },
  image: {
    type: 'string',
    accept: ['integer', 'boolean', 'object', 'null'],
    check: checkImage,
    description: 'Number or address of the featured image, or the image as it is shown; false takes it away.',
  },
} as const satisfies ArgTable;

export type ListTable = ReturnType<typeof listArgsOf>;

export interface LinkedArgs {
  readonly list: ListTable;
  readonly create: ArgTable;
  readonly update: { readonly id: ArgTable; readonly slug: ArgTable };
}

/** A new one needs its name; one that is there is found by either of its names. */
export const writeArgsOf = (fields: ArgTable, name: string): Pick<LinkedArgs, 'create' | 'update'> => ({
  create: { ...fields, [name]: { ...(fields[name] as Arg), required: true } },
  update: { id: { ...idArgs, ...fields }, slug: { ...slugArgs, ...fields } },
});

/** Arguments of the list of `many`, such as `venues`. */
export const listArgsOf = (many: string) =>
  ({
    ...listPageArgs(many),
    search: {
      type: 'string',
      lenient: true,
      check: checkSearch,
      description: 'Text in title, description or any other field.',
    },
    event: { type: 'integer', description: `Only ${many} of this event.` },
    has_events: { description: `Only ${many} with events (true, 1, yes), or without (anything else).` },
    only_with_upcoming: {
      type: 'boolean',
      default: false,
      description: `Only ${many} of events that are not over yet.`,
    },
    status: { description: 'Status of publication, or several.' },
  }) as const satisfies ArgTable;

// ---- fields of answers -----------------------------------------------------------------------------------------------

export const linkedStart = {
  id: { type: 'integer', description: 'Number, unique among events, venues and organizers.', readonly: true },
  author: { type: 'string', description: 'Number of the author, as text.' },
  status: { type: 'string', description: 'Status of publication.' },
  date: { type: 'string', description: 'Date of publication, on the clock of the site.' },
  date_utc: { type: 'string', description: 'Date of publication, in UTC.' },
  modified: {
    type: 'string',
    description: 'Date of the last change, on the clock of the site.',
    readonly: true,
  },
  modified_utc: { type: 'string', description: 'Date of the last change, in UTC.', readonly: true },
  url: { type: 'string', format: 'uri', description: 'Page on the site.', readonly: true },
} as const satisfies Record<string, Property>;

export const linkedMiddle = unlessEmpty({
  slug: { type: 'string', description: 'Name in addresses.' },
  image: imageProperty,
});

export const linkedContact = unlessEmpty({
  ...plainFields,
  website: {
    type: 'string',
    format: 'uri',
    description: 'Address of the website.',
    // What an import brought may be none.
    answered: { type: 'string' },
  },
});

export const linkedJsonLd = {
  type: 'object',
  description: 'Structured data of schema.org; only when one is read alone.',
  readonly: true,
  optional: true,
} as const satisfies Property;

export const linkedEnd = {
  global_id: { type: 'string', description: 'Identity across sites.', readonly: true },
  global_id_lineage: {
    type: 'array',
    items: { type: 'string' },
    description: 'Identities it has had, its own first.',
    readonly: true,
  },
} as const satisfies Record<string, Property>;
