/** Fields of a term, and the arguments built from them. Only taxonomies with a tree have parents. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { contextArg, forceOnlyArg, idArg, pageArgs, unlisted } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { itemOf } from '@sevenfold/chassis/http/shapes';
import { metaProperty } from '../common/meta';
import { LONGEST as LONGEST_DESCRIPTION } from '../common/description';
import { LONGEST_NAME } from './clean';
import type { Taxonomy } from './taxonomies';

export function termSchema({ one, hierarchical, name }: Taxonomy): ItemSchema {
  const title = name === 'post_tag' ? 'tag' : name;
  return {
    title,
    description: `A ${one}.`,
    linked: 'followed',
    ...(hierarchical ? { embeds: { up: itemOf({ title }) } } : {}),
    properties: {
      id: { type: 'integer', description: 'Number of the term.', readonly: true },
      count: {
        type: 'integer',
        description: 'How many published objects carry the term.',
        context: ['view', 'edit'],
        readonly: true,
      },
      description: { type: 'string', description: 'HTML description.', context: ['view', 'edit'] },
      link: { type: 'string', format: 'uri', description: 'Page of the term on the site.', readonly: true },
      name: { type: 'string', description: 'HTML title of the term.' },
      slug: { type: 'string', description: 'Name of the term in addresses, unique in its taxonomy.' },
      taxonomy: { type: 'string', description: 'Taxonomy of the term.', enum: [name], readonly: true },
      ...(hierarchical
        ? {
            parent: {
              type: 'integer',
              description: 'Number of the parent term; 0 without.',
              context: ['view', 'edit'],
            } as const,
          }
        : {}),
      meta: metaProperty,
    },
  };
}

const context = contextArg;
const id = idArg('term');
const parent = { type: 'integer', description: 'Number of the parent term; 0 for none.' } as const;

const listStart = {
  context,
  ...pageArgs('terms'),
  search: { type: 'string', description: 'Text in the name or the slug.' },
  exclude: { type: 'array', items: { type: 'integer' }, default: [], description: 'Terms to leave out.' },
  include: { type: 'array', items: { type: 'integer' }, default: [], description: 'Only these terms.' },
} as const satisfies ArgTable;

const listMiddle = {
  order: { type: 'string', default: 'asc', enum: ['asc', 'desc'], description: 'Direction of the order.' },
  orderby: {
    type: 'string',
    default: 'name',
    enum: ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'],
    description: 'What the list is ordered by.',
  },
  hide_empty: {
    type: 'boolean',
    default: false,
    description: 'Whether terms that nothing published carries are left out.',
  },
} as const satisfies ArgTable;

const listEnd = {
  post: { type: 'integer', description: 'Only terms of this post.' },
  slug: { type: 'array', items: { type: 'string' }, description: 'Only terms with these slugs.' },
} as const satisfies ArgTable;

const treeList = {
  ...listStart,
  ...listMiddle,
  parent: { type: 'integer', description: 'Only children of this term; 0 for the topmost terms.' },
  ...listEnd,
} as const satisfies ArgTable;

const flatList = {
  ...listStart,
  offset: { type: 'integer', minimum: 0, description: 'How many terms to skip, in place of page.' },
  ...listMiddle,
  ...listEnd,
} as const satisfies ArgTable;

const fields = {
  name: { type: 'string', maxLength: LONGEST_NAME, description: 'HTML title of the term.' },
  description: {
    type: 'string',
    maxLength: LONGEST_DESCRIPTION,
    description: 'HTML description of the term.',
  },
  slug: { type: 'string', description: 'Alphanumeric identifier, unique in its taxonomy.' },
} as const satisfies ArgTable;
// Clients send back whole terms, and some are described at greater length, from before there was a limit (actions.ts).
const sentBack = {
  ...fields,
  name: { ...fields.name, nullIsAbsent: true },
  description: { type: 'string', description: fields.description.description },
} as const satisfies ArgTable;
const meta = { meta: { type: 'object', description: 'Meta fields.' } } as const satisfies ArgTable;
const requiredName = { ...fields, name: { ...fields.name, required: true } } as const satisfies ArgTable;
// Flat taxonomies know the argument only to refuse it.
const refusedParent = unlisted({ parent });

export const itemArgs = { id, context } as const satisfies ArgTable;
export const removeArgs = {
  id,
  force: forceOnlyArg('terms'),
} as const satisfies ArgTable;

export const treeArgs = {
  list: treeList,
  create: { ...requiredName, parent, ...meta },
  update: { id, ...sentBack, parent, ...meta },
} as const satisfies Record<string, ArgTable>;

export const flatArgs = {
  list: flatList,
  create: { ...requiredName, ...refusedParent, ...meta },
  update: { id, ...sentBack, ...refusedParent, ...meta },
} as const satisfies Record<string, ArgTable>;
