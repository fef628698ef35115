/** Arguments of the routes of posts and pages (INTERFACE.md 4.2 and 4.3), and those that media share. */
import type { Arg, ArgTable, ArgsOf } from '@sevenfold/chassis/http/args';
import { type ParamFault, invalidParams } from '@sevenfold/chassis/errors';
import { notInEnum } from '@sevenfold/chassis/http/coerce';
import { contextArg, pageArgs } from '@sevenfold/chassis/http/common-args';
import { formats } from './schema';
import { filterableStatuses, writableStatuses } from '@sevenfold/publishing/statuses';

/** Templates that the theme of the site offers; it has none besides the default one. */
const templates: readonly string[] = [];

const INT4 = 2_147_483_647;
const ids = (description: string) =>
  ({ type: 'array', items: { type: 'integer' }, default: [], description }) as const satisfies Arg;

const dateText = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const satisfies Arg;

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
] as const;

/** Arguments that the lists of posts, pages and media share; the three add their own. */
export const listArgs = (what: string) =>
  ({
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
  }) as const satisfies ArgTable;

export const parentListArgs = {
  parent: ids('Keeps what is directly below these parents; 0 is the top level.'),
  parent_exclude: ids('Leaves out what is directly below these parents.'),
} as const satisfies ArgTable;

const menuOrderArg = {
  type: 'integer',
  minimum: -INT4 - 1,
  maximum: INT4,
  description: 'Order relative to other pages.',
} as const satisfies Arg;

const postFilters = {
  categories: ids('Keeps posts with one of these categories.'),
  categories_exclude: ids('Leaves out posts with one of these categories.'),
  tags: ids('Keeps posts with one of these tags.'),
  tags_exclude: ids('Leaves out posts with one of these tags.'),
  sticky: { type: 'boolean', description: 'Keeps pinned posts (true) or those that are not (false).' },
} as const satisfies ArgTable;

export const postListArgs = { ...listArgs('posts'), ...postFilters } as const satisfies ArgTable;

const pageFilters = {
  menu_order: { ...menuOrderArg, description: 'Keeps pages with this order number.' },
  ...parentListArgs,
} as const satisfies ArgTable;

export const pageListArgs = {
  ...listArgs('pages'),
  orderby: {
    type: 'string',
    enum: [...orders, 'menu_order'],
    default: 'date',
    description: 'What the order goes by.',
  },
  ...pageFilters,
} as const satisfies ArgTable;

type Listed = ArgsOf<ReturnType<typeof listArgs>>;

/** Arguments of a list as read; those that a type does not take are absent. */
export type ListQuery = Omit<Listed, 'status' | 'orderby'> & {
  readonly status: readonly string[] | string;
  readonly orderby: string;
} & Partial<ArgsOf<typeof postFilters> & ArgsOf<typeof pageFilters>>;

/** Text, or an object with the text as `raw`. Numbers are taken and ignored, as clients of old are used to. */
export const textArg = (description: string) =>
  ({ type: 'object', accept: ['string', 'number'], description }) as const satisfies Arg;

const templateOfUpdate = {
  type: 'string',
  description: 'Theme file used to render; empty for the default.',
} as const satisfies Arg;

const faultOfTemplate = (value: string): string | undefined =>
  value === '' || templates.includes(value)
    ? undefined
    : 'The theme has no template of this name. Send an empty text for the default.';

const templateArg = { ...templateOfUpdate, check: faultOfTemplate } as const satisfies Arg;

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
  author: { type: 'integer', nullIsAbsent: true, description: 'User id of the author.' },
  comment_status: { type: 'string', enum: ['open', 'closed'], description: 'Whether comments are open.' },
  ping_status: { type: 'string', enum: ['open', 'closed'], description: 'Whether pings are open.' },
  meta: { type: 'object', description: 'Meta fields; none is registered.' },
  template: templateArg,
} as const satisfies ArgTable;

/**
 * What an update takes otherwise: clients send back whole objects, with a status that can be shown but not given, and a
 * template that came with an import. The writer, who knows which ones are there, calls `checkKept`.
 */
export const updateArgsOf = <const S extends string>(...shown: readonly S[]) =>
  ({
    status: { ...commonWriteArgs.status, also: shown },
    template: templateOfUpdate,
  }) as const satisfies ArgTable;

interface Kept {
  readonly status?: string;
  readonly template?: string;
}

/** Throws 400 for a status or a template that cannot be given, unless it is the one that is there. */
export function checkKept({ status, template }: Kept, current: Required<Kept>): void {
  const faults: ParamFault[] = [];
  if (status !== undefined && status !== current.status && !isWritable(status))
    faults.push(notInEnum('status', writableStatuses));
  const message =
    template === undefined || template === current.template ? undefined : faultOfTemplate(template);
  if (message !== undefined) faults.push({ param: 'template', code: 'rest_invalid_param', message });
  if (faults.length > 0) throw invalidParams(faults);
}

const isWritable = (status: string): boolean => (writableStatuses as readonly string[]).includes(status);

const articleWriteArgs = {
  ...commonWriteArgs,
  password: {
    type: 'string',
    maxLength: 255,
    description: 'Protects content and excerpt; empty opens them.',
  },
  content: textArg('Content, as text or as {raw}.'),
  excerpt: textArg('Excerpt, as text or as {raw}.'),
  featured_media: { type: 'integer', description: 'Media id of the featured image, 0 for none.' },
} as const satisfies ArgTable;

export const postWriteArgs = {
  ...articleWriteArgs,
  format: { type: 'string', enum: formats, description: 'Format.' },
  sticky: { type: 'boolean', description: 'Whether the post is pinned.' },
  categories: { type: 'array', items: { type: 'integer' }, description: 'Category ids.' },
  tags: { type: 'array', items: { type: 'integer' }, description: 'Tag ids.' },
} as const satisfies ArgTable;

export const pageWriteArgs = {
  ...articleWriteArgs,
  parent: { type: 'integer', description: 'Id of the parent page, 0 for none.' },
  menu_order: menuOrderArg,
} as const satisfies ArgTable;

/** Body of a write as read; what the type does not have is absent, `null` dates mean the present. */
export type PostInput = Omit<
  Partial<ArgsOf<typeof postWriteArgs> & ArgsOf<typeof pageWriteArgs>>,
  'status'
> & { readonly status?: string };

export const passwordArg = {
  type: 'string',
  description: 'Password of a protected post.',
} as const satisfies Arg;
