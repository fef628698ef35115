/** Fields of a comment and the arguments of its routes (INTERFACE.md 2.9 and 4.8). */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import { isEmail } from '@sevenfold/chassis/http/coerce';
import { contextArg, forceArg, idArg, pageArgs, refusedIdArg } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { either, itemOf, listOf } from '@sevenfold/chassis/http/shapes';
import { metaProperty } from '../common/meta';

const VIEW = ['view', 'edit'] as const;
const EDIT = ['edit'] as const;
const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;

export const commentSchema: ItemSchema = {
  title: 'comment',
  linked: 'followed',
  embeds: {
    author: itemOf({ title: 'user' }),
    up: either(...['post', 'page', 'attachment'].map((title) => itemOf({ title }))),
    'in-reply-to': itemOf({ title: 'comment' }),
    children: listOf(itemOf({ title: 'comment' })),
  },
  properties: {
    id: { ...integer, description: 'Number of the comment.', readonly: true },
    post: { ...integer, description: 'Id of the post it is about.', context: VIEW },
    parent: { ...integer, description: 'Id of the comment it answers; 0 for none.' },
    author: { ...integer, description: 'Id of the user who wrote it; 0 for a visitor.' },
    author_name: { ...text, description: 'Name of who wrote it.' },
    author_email: {
      ...text,
      description: 'E-mail address of who wrote it.',
      format: 'email',
      context: EDIT,
      answered: text,
    },
    author_url: {
      ...text,
      description: 'Web address of who wrote it.',
      format: 'uri',
      answered: text,
    },
    author_ip: { ...text, description: 'Network address it came from.', format: 'ip', context: EDIT },
    author_user_agent: { ...text, description: 'Program it was written with.', context: EDIT },
    date: { ...text, description: 'When it was written, by the clock of the site.', format: 'date-time' },
    date_gmt: { ...text, description: 'When it was written, in UTC.', format: 'date-time', context: VIEW },
    content: {
      type: 'object',
      description: 'What it says.',
      properties: {
        rendered: { ...text, description: 'As HTML.', readonly: true },
        raw: { ...text, description: 'As stored.', context: EDIT },
      },
    },
    link: { ...text, description: 'Address on the site.', format: 'uri', readonly: true },
    status: { ...text, description: 'approved, hold, spam or trash.', context: VIEW },
    type: { ...text, description: 'Kind of comment.', readonly: true },
    author_avatar_urls: {
      type: 'object',
      description: 'Pictures of who wrote it, by width in pixels.',
      readonly: true,
      properties: {
        24: { ...text, description: '24 pixels wide.', format: 'uri' },
        48: { ...text, description: '48 pixels wide.', format: 'uri' },
        96: { ...text, description: '96 pixels wide.', format: 'uri' },
      },
    },
    meta: metaProperty,
  },
};

const context = contextArg;
const id = idArg('comment');
const password = { type: 'string', description: 'password of the parent post' } as const satisfies Arg;

const ids = (description: string) =>
  ({ type: 'array', items: { type: 'integer' }, description }) as const satisfies Arg;
const idsOrNone = (description: string) => ({ ...ids(description), default: [] }) as const satisfies Arg;

export const listArgs = {
  context,
  ...pageArgs('comments'),
  search: {
    type: 'string',
    description: 'text that the comment, or the name or web address of its author, contains',
  },
  after: { type: 'string', format: 'date-time', description: 'written after this ISO 8601 date' },
  before: { type: 'string', format: 'date-time', description: 'written before this ISO 8601 date' },
  author: ids('written by these users; takes the right to edit posts'),
  author_exclude: ids('not written by these users; takes the right to edit posts'),
  author_email: {
    type: 'string',
    description:
      'written under this e-mail address; takes the right to edit posts, and finds something for moderators alone',
    check: (value: string) => checkEmail(value),
  },
  exclude: idsOrNone('not these comments'),
  include: idsOrNone('only these comments'),
  offset: { type: 'integer', minimum: 0, description: 'skips this many comments' },
  order: { type: 'string', default: 'desc', enum: ['asc', 'desc'], description: 'direction of the order' },
  orderby: {
    type: 'string',
    default: 'date_gmt',
    enum: ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'],
    description: 'what the list is ordered by',
  },
  parent: idsOrNone('answers to these comments; 0 for those that answer none'),
  parent_exclude: idsOrNone('not answers to these comments'),
  post: idsOrNone('about these posts'),
  status: {
    type: 'string',
    default: 'approve',
    description:
      'approve, hold, spam, trash, all (approve and hold) or any; all but approve take the right to edit posts',
  },
  type: {
    type: 'string',
    default: 'comment',
    description: 'kind of comment; all but comment take the right to edit posts',
  },
  password,
} as const satisfies ArgTable;

function checkEmail(value: string): { code: string; message: string } | undefined {
  if (value === '' || isEmail(value)) return undefined;
  return { code: 'rest_invalid_email', message: 'This is not a valid e-mail address.' };
}

const fields = {
  author: {
    type: 'integer',
    minimum: 0,
    nullIsAbsent: true,
    description: 'user id when the author is a user',
  },
  author_email: {
    type: 'string',
    description: 'e-mail address of the author',
    check: (value: string) => checkEmail(value),
  },
  author_ip: { type: 'string', format: 'ip', description: 'network address of the author' },
  author_name: { type: 'string', description: 'name of the author' },
  author_url: { type: 'string', description: 'web address of the author' },
  author_user_agent: { type: 'string', description: 'program of the author' },
  content: {
    type: 'object',
    accept: ['string'],
    nullIsAbsent: true,
    description: 'what the comment says: text, or an object with raw',
  },
  date: {
    type: 'string',
    format: 'date-time',
    accept: ['null'],
    description: 'date by the clock of the site; null for now',
  },
  date_gmt: {
    type: 'string',
    format: 'date-time',
    accept: ['null'],
    description: 'date in UTC; null for now',
  },
} as const satisfies ArgTable;

const rest = {
  status: { type: 'string', description: 'approved, hold, spam, unspam, trash or untrash' },
  meta: { type: 'object', description: 'meta fields; none are registered' },
  type: { type: 'string', nullIsAbsent: true, unlisted: true, description: 'kind of comment; only comment' },
  password: { ...password, unlisted: true },
} as const satisfies ArgTable;

export const createArgs = {
  ...fields,
  parent: { type: 'integer', minimum: 0, default: 0, description: 'id of the comment that this one answers' },
  post: { type: 'integer', minimum: 0, default: 0, description: 'id of the post that it is about' },
  ...rest,
  id: refusedIdArg,
} as const satisfies ArgTable;

export const updateArgs = {
  id,
  ...fields,
  parent: { type: 'integer', minimum: 0, description: 'id of the comment that this one answers' },
  post: { type: 'integer', minimum: 0, nullIsAbsent: true, description: 'id of the post that it is about' },
  ...rest,
} as const satisfies ArgTable;

export const readArgs = { id, context, password } as const satisfies ArgTable;

export const deleteArgs = {
  id,
  force: forceArg,
  password,
} as const satisfies ArgTable;
