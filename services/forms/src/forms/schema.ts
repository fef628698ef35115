/**
 * A form as the interface names it, and the arguments of its routes. The interface lists none, so they stay out of the
 * index.
 */
import type { ArgTable, Check } from '@sevenfold/chassis/http/args';
import { toBoolean } from '@sevenfold/chassis/http/coerce';
import { idArg, refusedIdArg, unlisted } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import * as shape from '@sevenfold/chassis/http/shapes';
import { MESSAGES } from './properties';

export const itemArgs = unlisted({ id: idArg('form') });

/** Far more than a site has. */
export const MOST_FORMS = 1_000;

const word =
  (...allowed: string[]): Check =>
  (value: string) =>
    allowed.includes(value.toLowerCase()) ? undefined : `It must be one of ${allowed.join(', ')}.`;

const ORDERS = ['id', 'title', 'slug', 'name', 'date', 'modified'] as const;

export const listArgs = unlisted({
  per_page: {
    type: 'integer',
    minimum: -1,
    atMost: MOST_FORMS,
    description: `Most forms to answer, ${MOST_FORMS} in all; all of them without it, and with -1.`,
  },
  offset: { type: 'integer', default: 0, minimum: 0, description: 'How many to skip; only with per_page.' },
  order: {
    type: 'string',
    default: 'asc',
    check: word('asc', 'desc'),
    description: 'Direction of the order.',
  },
  orderby: {
    type: 'string',
    default: 'id',
    check: word(...ORDERS),
    description: 'What the list is ordered by.',
  },
  search: { type: 'string', description: 'Text in the title.' },
});

const LONGEST_TITLE = 500;
const LONGEST_TEXT = 200_000;

const textOf = (value: unknown): boolean => value === null || ['string', 'number'].includes(typeof value);
const isTooLong = (value: unknown): boolean => typeof value === 'string' && value.length > LONGEST_TEXT;
const flagOf = (value: unknown): boolean => value === null || toBoolean(value) !== undefined;

export const MAIL_TEXTS = [
  'subject',
  'sender',
  'recipient',
  'body',
  'additional_headers',
  'attachments',
] as const;
export const MAIL_FLAGS = ['active', 'use_html', 'exclude_blank'] as const;

/** All wrong parts of an object, by name. */
const faultsIn = (value: object, texts: readonly string[], flags: readonly string[]): string | undefined => {
  const fields = value as Record<string, unknown>;
  const wrong = (names: readonly string[], fits: (one: unknown) => boolean): string =>
    names.filter((name) => fields[name] !== undefined && !fits(fields[name])).join(', ');
  const noText = wrong(texts, textOf);
  const noFlag = wrong(flags, flagOf);
  const long = texts.filter((name) => isTooLong(fields[name])).join(', ');
  const faults = [
    noText === '' ? '' : `must be text: ${noText}`,
    noFlag === '' ? '' : `must be true or false: ${noFlag}`,
    long === '' ? '' : `longer than ${LONGEST_TEXT} characters: ${long}`,
  ].filter((fault) => fault !== '');
  return faults.length === 0 ? undefined : `${faults.join('; ')}.`;
};

const accept = ['null'] as const;
const mail = (description: string) =>
  ({
    type: 'object',
    accept,
    check: (value: object) => faultsIn(value, MAIL_TEXTS, MAIL_FLAGS),
    description,
  }) as const;

const written = {
  context: {
    type: 'string',
    accept,
    description: 'Anything but `save` shows what the form would be, and keeps nothing.',
  },
  title: {
    type: 'string',
    accept,
    lenient: true,
    maxLength: LONGEST_TITLE,
    description: 'Title of the form.',
  },
  locale: { type: 'string', accept, maxLength: 50, description: 'Language of the form, such as en_US.' },
  form: { type: 'string', accept, maxLength: LONGEST_TEXT, description: 'The form, in form tags.' },
  mail: mail('Mail that is sent; what is left out stays.'),
  mail_2: mail('Second mail, sent where it is active; what is left out stays.'),
  messages: {
    type: 'object',
    accept,
    check: (value: object) => faultsIn(value, MESSAGES, []),
    description: 'Texts for results and faults; what is left out stays.',
  },
  additional_settings: {
    type: 'string',
    accept,
    maxLength: LONGEST_TEXT,
    description: 'Lines of the form `name: value`.',
  },
} as const satisfies ArgTable;

export const createArgs = unlisted({ id: refusedIdArg, ...written });
export const updateArgs = unlisted({ id: idArg('form'), ...written });

export const formSchema: ItemSchema = {
  title: 'contact-form',
  description: 'A contact form.',
  properties: {
    id: {
      type: 'integer',
      description: 'Number of the form; null of one that is not kept.',
      readonly: true,
      answered: { type: ['integer', 'null'] },
    },
    slug: {
      type: 'string',
      description: 'Name of the form in addresses; null in the answer that makes it.',
      readonly: true,
      answered: { type: ['string', 'null'] },
    },
    title: { type: 'string', description: 'Title of the form.' },
    locale: { type: 'string', description: 'Language of the form.' },
    properties: { type: 'object', description: 'Form, mails, messages and additional settings.' },
    config_errors: {
      type: 'object',
      description: 'What is wrong with the mails, by section; only in answers to writes.',
      readonly: true,
      optional: true,
      answered: shape.either(
        shape.mapOf(
          shape.listOf(
            shape.object({
              message: shape.described('What is wrong.', shape.text),
              link: shape.described('Page that says more about it.', shape.text),
            }),
          ),
        ),
        shape.emptyList,
      ),
    },
  },
};

export const listAnswer = shape.listOf(
  shape.object({
    id: shape.described('Number of the form.', shape.integer),
    slug: shape.described('Name of the form in addresses.', shape.text),
    title: shape.described('Title of the form.', shape.text),
    locale: shape.described('Language of the form.', shape.text),
  }),
);
