/** Arguments of the event category and event tag routes. Only categories have parents. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { idArgs } from '../items';

const parent = { type: 'integer', description: 'Number of the parent category.' } as const;

const fields = {
  name: { type: 'string', description: 'Name.' },
  description: { type: 'string', description: 'Description.' },
  slug: { type: 'string', description: 'Name of the term in addresses.' },
} as const satisfies ArgTable;

const required = { ...fields, name: { ...fields.name, required: true } } as const satisfies ArgTable;

const beforeParent = {
  page: { type: 'integer', default: 1, description: 'Page to return.' },
  per_page: { type: 'integer', default: 10, description: 'Terms on a page.' },
  search: { type: 'string', description: 'Text in the name.' },
  exclude: { type: 'array', items: { type: 'integer' }, description: 'Terms to leave out.' },
  include: { type: 'array', items: { type: 'integer' }, description: 'Only these terms.' },
  order: { type: 'string', description: 'Direction: asc or desc.' },
  orderby: { type: 'string', description: 'Attribute of the term to order by.' },
  hide_empty: {
    type: 'boolean',
    default: true,
    description: 'Whether terms that nothing carries are left out.',
  },
} as const satisfies ArgTable;

const afterParent = {
  post: { type: 'integer', description: 'Only terms of this event.' },
  event: { type: 'integer', description: 'The same as post.' },
  slug: { type: 'string', description: 'Only the term with this slug.' },
} as const satisfies ArgTable;

export const categoryArgs = {
  list: {
    ...beforeParent,
    parent: { ...parent, description: 'Only children of this category.' },
    ...afterParent,
  },
  create: { ...required, parent },
  update: { ...idArgs, ...fields, parent },
} as const satisfies Record<string, ArgTable>;

export const tagArgs = {
  list: { ...beforeParent, ...afterParent },
  create: required,
  update: { ...idArgs, ...fields },
} as const satisfies Record<string, ArgTable>;
