/** Fields of revisions (REFERENCE.md 3.7) and the arguments of their routes; they are never written through them. */
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { contextArg, idArg } from '../posts/args';
import { commonProperties, renderedText } from '../posts/schema';

const VIEW = ['view', 'edit'] as const;
const { id, guid, modified, modified_gmt, date, date_gmt } = commonProperties;

export const schema: ItemSchema = {
  title: 'revision',
  properties: {
    author: { type: 'integer', description: 'Id of who made the change.', readonly: true },
    date,
    date_gmt,
    id,
    modified,
    modified_gmt,
    parent: { type: 'integer', description: 'Id of the post or page.', readonly: true },
    slug: { type: 'string', description: 'Alphanumeric identifier.', readonly: true },
    guid,
    title: renderedText('Title as it was.'),
    content: renderedText('Content as it was.', VIEW),
    excerpt: renderedText('Excerpt as it was.'),
  },
};

const parentArg = {
  type: 'integer',
  description: 'Id of the post or page the revision belongs to.',
} as const;

export const listArgs = {
  parent: parentArg,
  context: contextArg,
  page: {
    type: 'integer',
    default: 1,
    minimum: 1,
    description: 'Page of the list, with per_page.',
    unlisted: true,
  },
  per_page: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'Most items of one page; all without it.',
    unlisted: true,
  },
} as const;

export const readArgs = { parent: parentArg, id: idArg, context: contextArg } as const;

export const deleteArgs = {
  parent: parentArg,
  id: idArg,
  force: { type: 'boolean', default: false, description: 'Must be true: revisions have no trash.' },
} as const;
