/** Fields of posts and pages (REFERENCE.md 3.1). */
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';
import { either, itemOf, listOf } from '@sevenfold/chassis/http/shapes';
import { registeredStatuses, writableStatuses } from '@sevenfold/publishing/statuses';
import { metaProperty } from '../common/meta';

const EDIT = ['edit'] as const;
const VIEW = ['view', 'edit'] as const;

export const formats = [
  'standard',
  'aside',
  'chat',
  'gallery',
  'link',
  'image',
  'quote',
  'status',
  'video',
  'audio',
] as const;

const html = (description: string): Property => ({ type: 'string', description, readonly: true });
const raw: Property = { type: 'string', description: 'Text as written, for editing.', context: EDIT };

export const renderedText = (description: string, context?: Property['context']): Property => ({
  type: 'object',
  description,
  context,
  properties: { raw, rendered: html('HTML of the text.') },
});

/** Fields that posts, pages and media share. */
export const commonProperties = {
  id: { type: 'integer', description: 'Identifier.', readonly: true },
  date: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Publication date in the time zone of the site.',
  },
  date_gmt: {
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Publication date in GMT.',
    context: VIEW,
  },
  guid: {
    type: 'object',
    description: 'Address that was given at creation and never changes.',
    context: VIEW,
    readonly: true,
    properties: {
      rendered: { ...html('The address.'), context: VIEW },
      raw: { type: 'string', description: 'The address as stored.', context: EDIT, readonly: true },
    },
  },
  modified: {
    type: 'string',
    format: 'date-time',
    description: 'Last change in the time zone of the site.',
    context: VIEW,
    readonly: true,
  },
  modified_gmt: {
    type: 'string',
    format: 'date-time',
    description: 'Last change in GMT.',
    context: VIEW,
    readonly: true,
  },
  slug: { type: 'string', description: 'Alphanumeric identifier, unique for its type.' },
  status: {
    type: 'string',
    description: 'Named status.',
    enum: writableStatuses,
    context: VIEW,
    answered: { type: 'string', enum: registeredStatuses },
  },
  type: { type: 'string', description: 'Type of the object.', readonly: true },
  link: { type: 'string', format: 'uri', description: 'Address on the site.', readonly: true },
} satisfies Record<string, Property>;

const articleProperties = {
  password: { type: 'string', description: 'Protects content and excerpt.', context: EDIT },
  title: renderedText('Title.'),
  content: {
    type: 'object',
    description: 'Content.',
    context: VIEW,
    properties: {
      raw,
      rendered: html('HTML of the content.'),
      protected: { type: 'boolean', description: 'Whether a password protects it.', readonly: true },
      block_version: {
        type: 'integer',
        description: 'Version of the block format, 0 without.',
        context: EDIT,
        readonly: true,
      },
    },
  },
  excerpt: {
    type: 'object',
    description: 'Excerpt.',
    properties: {
      raw,
      rendered: html('HTML of the excerpt.'),
      protected: { type: 'boolean', description: 'Whether a password protects it.', readonly: true },
    },
  },
  author: { type: 'integer', description: 'Id of the author.' },
  featured_media: { type: 'integer', description: 'Id of the featured image, 0 without.' },
} satisfies Record<string, Property>;

const discussionProperties = {
  comment_status: {
    type: 'string',
    enum: ['open', 'closed'],
    description: 'Whether comments are open.',
    context: VIEW,
  },
  ping_status: {
    type: 'string',
    enum: ['open', 'closed'],
    description: 'Whether pings are open.',
    context: VIEW,
  },
} satisfies Record<string, Property>;

const template: Property = { type: 'string', description: 'Theme file used to render.', context: VIEW };
const editingProperties = {
  permalink_template: {
    type: 'string',
    description: 'Address with a place for the slug.',
    context: EDIT,
    readonly: true,
  },
  generated_slug: {
    type: 'string',
    description: 'Slug that the title would give.',
    context: EDIT,
    readonly: true,
  },
} satisfies Record<string, Property>;
const terms = (what: string): Property => ({
  type: 'array',
  items: { type: 'integer' },
  description: `Ids of the ${what}, by name.`,
  context: VIEW,
});

/** What posts, pages and files lead to. */
export const commonEmbeds = {
  author: itemOf({ title: 'user' }),
  replies: listOf(itemOf({ title: 'comment' })),
};
const articleEmbeds = { ...commonEmbeds, 'core:featuredmedia': itemOf({ title: 'attachment' }) };

export const postSchema: ItemSchema = {
  title: 'post',
  linked: 'followed',
  embeds: {
    ...articleEmbeds,
    'core:term': listOf(either(itemOf({ title: 'category' }), itemOf({ title: 'tag' }))),
  },
  properties: {
    ...commonProperties,
    ...articleProperties,
    ...discussionProperties,
    sticky: { type: 'boolean', description: 'Whether it is pinned.', context: VIEW },
    template,
    format: { type: 'string', enum: formats, description: 'Format.', context: VIEW },
    meta: metaProperty,
    categories: terms('categories'),
    tags: terms('tags'),
    ...editingProperties,
  },
};

export const pageSchema: ItemSchema = {
  title: 'page',
  linked: 'followed',
  embeds: { ...articleEmbeds, up: itemOf({ title: 'page' }) },
  properties: {
    ...commonProperties,
    ...articleProperties,
    parent: { type: 'integer', description: 'Id of the parent page.', context: VIEW },
    menu_order: { type: 'integer', description: 'Order relative to other pages.', context: VIEW },
    ...discussionProperties,
    template,
    meta: metaProperty,
    ...editingProperties,
  },
};
