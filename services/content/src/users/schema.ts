/** Shape of a user and the arguments of its routes (INTERFACE.md 2.8 and 4.7). */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import { contextArg, forceOnlyArg, idArg, pageArgs, refusedIdArg } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { text } from '@sevenfold/chassis/http/shapes';
import { metaProperty } from '../common/meta';
import { LONGEST } from '../common/description';

export const LOCALES = ['', 'en_US', 'de_DE', 'en_GB', 'es_ES', 'fr_FR', 'it_IT', 'nl_NL', 'pt_PT'] as const;

const everywhere = ['view', 'edit', 'embed'] as const;
const onlyEdit = ['edit'] as const;

export const userSchema: ItemSchema = {
  title: 'user',
  linked: 'followed',
  properties: {
    id: { type: 'integer', description: 'Id of the user.', context: everywhere, readonly: true },
    username: { type: 'string', description: 'Log-in name; it never changes.', context: onlyEdit },
    name: { type: 'string', description: 'Name shown to readers.', context: everywhere },
    first_name: { type: 'string', description: 'First name.', context: onlyEdit },
    last_name: { type: 'string', description: 'Last name.', context: onlyEdit },
    email: { type: 'string', format: 'email', description: 'E-mail address.', context: onlyEdit },
    url: {
      type: 'string',
      format: 'uri',
      description: 'Address of a page of the user.',
      context: everywhere,
      answered: text,
    },
    description: { type: 'string', description: 'A few words about the user.', context: everywhere },
    link: {
      type: 'string',
      format: 'uri',
      description: 'Page with what the user wrote.',
      context: everywhere,
      readonly: true,
    },
    locale: { type: 'string', description: 'Language of the user.', enum: LOCALES, context: onlyEdit },
    nickname: { type: 'string', description: 'Nickname.', context: onlyEdit },
    slug: { type: 'string', description: 'Part of addresses that names the user.', context: everywhere },
    roles: {
      type: 'array',
      description: 'Roles of the user.',
      items: { type: 'string' },
      context: onlyEdit,
    },
    registered_date: {
      type: 'string',
      format: 'date-time',
      description: 'Moment of registration.',
      context: onlyEdit,
      readonly: true,
      // In UTC, and it says so.
      answered: { type: 'string', format: 'date-time' },
    },
    capabilities: {
      type: 'object',
      description: 'Everything the user may do.',
      context: onlyEdit,
      readonly: true,
    },
    extra_capabilities: {
      type: 'object',
      description: 'What was given to this user: the roles.',
      context: onlyEdit,
      readonly: true,
    },
    avatar_urls: {
      type: 'object',
      description: 'Addresses of pictures by size.',
      context: everywhere,
      readonly: true,
      properties: {
        24: { type: 'string', format: 'uri', description: 'Picture of 24 pixels.', context: everywhere },
        48: { type: 'string', format: 'uri', description: 'Picture of 48 pixels.', context: everywhere },
        96: { type: 'string', format: 'uri', description: 'Picture of 96 pixels.', context: everywhere },
      },
    },
    meta: metaProperty,
  },
};

const context = contextArg;
const id = idArg('user');

export const listArgs = {
  context,
  ...pageArgs('users'),
  search: {
    type: 'string',
    description:
      'Text that the user name, slug, name or address (with the right to list users: the e-mail address) contains.',
  },
  exclude: { type: 'array', items: { type: 'integer' }, default: [], description: 'Ids to leave out.' },
  include: { type: 'array', items: { type: 'integer' }, default: [], description: 'Only these ids.' },
  offset: { type: 'integer', minimum: 0, description: 'Users to skip; takes the place of the page.' },
  order: { type: 'string', default: 'asc', enum: ['asc', 'desc'], description: 'Direction of the order.' },
  orderby: {
    type: 'string',
    default: 'name',
    enum: ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'],
    description: 'Field to order by.',
  },
  slug: { type: 'array', items: { type: 'string' }, description: 'Only users with one of these slugs.' },
  roles: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only users with at least one of these roles. Needs the right to list users.',
  },
  who: { type: 'string', enum: ['authors'], description: 'Only users who may write posts.' },
} as const satisfies ArgTable;

export const itemArgs = { id, context } as const satisfies ArgTable;
export const meArgs = { context } as const satisfies ArgTable;

// Bounds keep every value within what an index row holds.
const NAME_LENGTH = 250;

function usernameFault(text: string): { code: string; message: string } | undefined {
  const fits = /^[A-Za-z0-9 _.@-]{1,60}$/.test(text) && text === text.trim() && !text.includes('  ');
  if (fits) return undefined;
  return {
    code: 'rest_user_invalid_username',
    message: 'username takes 1 to 60 characters: letters, digits, single spaces between them, and _ . - @.',
  };
}

function passwordFault(text: string): { code: string; message: string } | undefined {
  if (text !== '' && text.length <= 4096 && !text.includes('\\')) return undefined;
  return {
    code: 'rest_user_invalid_password',
    message: 'password must not be empty, contain a backslash, or be longer than 4096 characters.',
  };
}

const username = { type: 'string', description: 'Log-in name.' } as const satisfies Arg;
const email = {
  type: 'string',
  format: 'email',
  maxLength: 100,
  description: 'E-mail address.',
} as const satisfies Arg;
const password = {
  type: 'string',
  description: 'Password; never in an answer.',
  check: passwordFault,
} as const satisfies Arg;

const profile = {
  name: { type: 'string', maxLength: NAME_LENGTH, description: 'Name shown to readers.' },
  first_name: { type: 'string', maxLength: NAME_LENGTH, description: 'First name.' },
  last_name: { type: 'string', maxLength: NAME_LENGTH, description: 'Last name.' },
} as const satisfies ArgTable;

const details = {
  url: { type: 'string', description: 'Address of a page of the user; cleaned, never refused.' },
  description: { type: 'string', maxLength: LONGEST, description: 'A few words about the user.' },
  locale: { type: 'string', enum: LOCALES, description: 'Language of the user; empty is that of the site.' },
  nickname: { type: 'string', maxLength: NAME_LENGTH, description: 'Nickname.' },
  slug: { type: 'string', description: 'Part of addresses that names the user.' },
  roles: { type: 'array', items: { type: 'string' }, maxItems: 20, description: 'Roles of the user.' },
} as const satisfies ArgTable;

const meta = {
  type: 'object',
  description: 'Registered meta fields; there are none.',
} as const satisfies Arg;

/** Of the own profile, and (with `id`) of another's. */
export const meUpdateArgs = {
  username,
  ...profile,
  email,
  ...details,
  password,
  meta,
} as const satisfies ArgTable;
export const updateArgs = { id, ...meUpdateArgs } as const satisfies ArgTable;

export const createArgs = {
  username: { ...username, required: true, check: usernameFault },
  ...profile,
  email: { ...email, required: true },
  ...details,
  password: { ...password, required: true },
  meta,
  id: refusedIdArg,
} as const satisfies ArgTable;

const force = forceOnlyArg('users');

/** `false`, `"false"` and empty text mean that nobody receives the posts. */
export const NOBODY: readonly unknown[] = [false, '', 'false'];

const reassign = {
  type: 'integer',
  required: true,
  accept: ['boolean', 'string'],
  description: 'Id of the user who receives the posts; false moves them to the trash.',
  check: (value: unknown) =>
    typeof value === 'number' || NOBODY.includes(value)
      ? undefined
      : 'reassign must be the id of another user, or false to move the posts to the trash.',
} as const satisfies Arg;

export const meDeleteArgs = { force, reassign } as const satisfies ArgTable;
export const deleteArgs = { id, ...meDeleteArgs } as const satisfies ArgTable;
