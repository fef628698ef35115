/** Arguments of the routes of posts and pages (INTERFACE.md 4.2 and 4.3), and those that media share. */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import { contextArg, pageArgs } from '@sevenfold/chassis/http/common-args';
import { formats } from './schema';
import { filterableStatuses, writableStatuses } from '@sevenfold/publishing/statuses';

/** Templates that the theme of the site offers; it has none besides the default one. */
const templates: readonly string[] = [];

const INT4 = 2_147_483_647;
const ids = (description: string): Arg => ({
  type: 'array',
  items: { type: 'integer' },
  default: [],
  description,
});

/** A date-time that may not be empty; `null` where it is accepted means the default. */
const dateText = (description: string): Arg => ({
  type: 'string',
  format: 'date-time',
  description,
  check: (value: string) =>
    value === ''
      ? { code: 'rest_invalid_date', message: 'The date is empty; write one such as 2030-01-31T18:00:00.' }
      : undefined,
});

const orders = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
];

/** Arguments that the lists of posts, pages and media share; the three add their own. */
export const listArgs = (what: string): Record<string, Arg> => ({
  context: contextArg,
  ...pageArgs(what),
  search: {
    type: 'string',
    maxLength: 2000,
    description: 'Keeps what contains all these words or "phrases", and none of the -excluded.',
  },
  after: dateText('Keeps what was published after this ISO 8601 date.'),
  before: dateText('Keeps what was published before this ISO 8601 date.'),
  author: ids(`Keeps ${what} of these authors.`),
  author_exclude: ids(`Leaves out ${what} of these authors.`),
  exclude: ids('Leaves out these ids.'),
  include: ids('Keeps these ids.'),
  offset: { type: 'integer', minimum: 0, description: 'Skips so many items; page then has no effect.' },
  order: { type: 'string', enum: ['asc', 'desc'], default: 'desc', description: 'Direction of the order.' },
  orderby: { type: 'string', enum: orders, default: 'date', description: 'What the order goes by.' },
  slug: { type: 'array', items: { type: 'string' }, description: 'Keeps what has one of these slugs.' },
  status: {
    type: 'array',
    items: { type: 'string', enum: filterableStatuses, open: true },
    default: 'publish',
    description: 'Keeps what has one of these statuses.',
  },
});

export const parentListArgs: Record<string, Arg> = {
  parent: ids('Keeps what is directly below these parents; 0 is the top level.'),
  parent_exclude: ids('Leaves out what is directly below these parents.'),
};

const menuOrderArg: Arg = {
  type: 'integer',
  minimum: -INT4 - 1,
  maximum: INT4,
  description: 'Order relative to other pages.',
};

export const postListArgs: ArgTable = {
  ...listArgs('posts'),
  categories: ids('Keeps posts with one of these categories.'),
  categories_exclude: ids('Leaves out posts with one of these categories.'),
  tags: ids('Keeps posts with one of these tags.'),
  tags_exclude: ids('Leaves out posts with one of these tags.'),
  sticky: { type: 'boolean', description: 'Keeps pinned posts (true) or those that are not (false).' },
};

export const pageListArgs: ArgTable = {
  ...listArgs('pages'),
  orderby: {
    type: 'string',
    enum: [...orders, 'menu_order'],
    default: 'date',
    description: 'What the order goes by.',
  },
  menu_order: { ...menuOrderArg, description: 'Keeps pages with this order number.' },
  ...parentListArgs,
};

/** Text, or an object with the text as `raw`. Numbers are taken and ignored, as clients of old are used to. */
export const textArg = (description: string): Arg => ({
  type: 'object',
  accept: ['string', 'number'],
  description,
});

const templateArg: Arg = {
  type: 'string',
  description: 'Theme file used to render; empty for the default.',
  check: (value: string) =>
    value === '' || templates.includes(value)
      ? undefined
      : 'The theme has no template of this name. Send an empty text for the default.',
};

/** Write arguments that posts, pages and media share. */
export const commonWriteArgs = {
  date: { ...dateText('Publication date in the time zone of the site; null for now.'), accept: ['null'] },
  date_gmt: { ...dateText('Publication date in GMT; null for now.'), accept: ['null'] },
  slug: {
    type: 'string',
    maxLength: 2000,
    description: 'Alphanumeric identifier, unique for its type; empty makes one from the title.',
  },
  status: { type: 'string', enum: writableStatuses, description: 'Status to give.' },
  title: textArg('Title, as text or as {raw}.'),
  author: { type: 'integer', description: 'User id of the author.' },
  comment_status: { type: 'string', enum: ['open', 'closed'], description: 'Whether comments are open.' },
  ping_status: { type: 'string', enum: ['open', 'closed'], description: 'Whether pings are open.' },
  meta: { type: 'object', description: 'Meta fields; none is registered.' },
  template: templateArg,
} satisfies Record<string, Arg>;

const articleWriteArgs: Record<string, Arg> = {
  ...commonWriteArgs,
  password: {
    type: 'string',
    maxLength: 255,
    description: 'Protects content and excerpt; empty opens them.',
  },
  content: textArg('Content, as text or as {raw}.'),
  excerpt: textArg('Excerpt, as text or as {raw}.'),
  featured_media: { type: 'integer', description: 'Media id of the featured image, 0 for none.' },
};

export const postWriteArgs: ArgTable = {
  ...articleWriteArgs,
  format: { type: 'string', enum: formats, description: 'Format.' },
  sticky: { type: 'boolean', description: 'Whether the post is pinned.' },
  categories: { type: 'array', items: { type: 'integer' }, description: 'Category ids.' },
  tags: { type: 'array', items: { type: 'integer' }, description: 'Tag ids.' },
};

export const pageWriteArgs: ArgTable = {
  ...articleWriteArgs,
  parent: { type: 'integer', description: 'Id of the parent page, 0 for none.' },
  menu_order: menuOrderArg,
};

export const passwordArg = {
  type: 'string',
  description: 'Password of a protected post.',
} as const satisfies Arg;
