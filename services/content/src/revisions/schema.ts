/** Fields of revisions (REFERENCE.md 3.7) and the arguments of their routes; they are never written through them. */
import { contextArg, forceOnlyArg, idArg, pageArgs, unlisted } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { commonProperties, renderedText } from '../posts/schema';

const VIEW = ['view', 'edit'] as const;
const { id, guid, modified, modified_gmt, date, date_gmt } = commonProperties;

export const schema: ItemSchema = {
  title: 'revision',
  linked: 'followed',
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

const { page, per_page: perPage } = pageArgs('revisions');
// Without it the list answers everything.
const { default: _ten, ...per_page } = perPage;

export const listArgs = {
  parent: parentArg,
  context: contextArg,
  ...unlisted({ page, per_page }),
} as const;

export const readArgs = { parent: parentArg, id: idArg('revision'), context: contextArg } as const;

export const deleteArgs = {
  parent: parentArg,
  id: idArg('revision'),
  force: forceOnlyArg('revisions'),
} as const;
