/** Fields of event categories and event tags, and the arguments of their routes. Only categories have parents. */
import type { ArgTable, ArgsOf } from '@sevenfold/chassis/http/args';
import { unlisted } from '@sevenfold/chassis/http/common-args';
import { cleanText } from '@sevenfold/text/text';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { idArgs, listPageArgs } from '../items';

const parent = {
  type: 'integer',
  minimum: 0,
  description: 'Number of the parent category; 0 for none.',
} as const;
/** Tags know the argument only to refuse it. */
const refusedParent = unlisted({
  parent: { ...parent, description: 'Refused: tags have no parents.' },
});

const text = (description: string) => ({ type: 'string', lenient: true, description }) as const;

const fields = {
  name: { ...text('Name.'), check: (name: string) => checkName(name) },
  description: text('Description, with inline HTML.'),
  slug: text('Name of the term in addresses.'),
} as const satisfies ArgTable;

/** What is left of it must be something (REFERENCE.md 14). */
const checkName = (name: string): string | undefined =>
  cleanText(name) === '' ? 'name needs more in it than tags and spaces.' : undefined;

const required = { ...fields, name: { ...fields.name, required: true } } as const satisfies ArgTable;

/** What terms can be ordered by, as the content service knows them. */
const orders = ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'];

const oneOf =
  (allowed: readonly string[]) =>
  (value: string): string | undefined =>
    allowed.includes(value) ? undefined : `It must be one of ${allowed.join(', ')}.`;

const beforeParent = {
  ...listPageArgs('terms'),
  search: text('Text in the name or the slug.'),
  exclude: { type: 'array', items: { type: 'integer' }, description: 'Terms to leave out.' },
  include: { type: 'array', items: { type: 'integer' }, description: 'Only these terms.' },
  order: { type: 'string', check: oneOf(['asc', 'desc']), description: 'Direction: asc or desc.' },
  orderby: {
    type: 'string',
    check: oneOf(orders),
    description: `Attribute to order by: ${orders.join(', ')}.`,
  },
  hide_empty: {
    type: 'boolean',
    default: true,
    description: 'Whether terms that nothing published carries are left out.',
  },
} as const satisfies ArgTable;

const afterParent = {
  post: { type: 'integer', description: 'Only terms of this event.' },
  event: { type: 'integer', description: 'The same as post.' },
  slug: text('Only the term with this slug.'),
} as const satisfies ArgTable;

export const categoryArgs = {
  list: {
    ...beforeParent,
    parent: { type: 'integer', description: 'Only children of this category.' },
    ...afterParent,
  },
  create: { ...required, parent },
  update: { ...idArgs, ...fields, parent },
} as const satisfies Record<string, ArgTable>;

export const tagArgs = {
  list: { ...beforeParent, ...afterParent },
  create: { ...required, ...refusedParent },
  update: { ...idArgs, ...fields, ...refusedParent },
} as const satisfies Record<string, ArgTable>;

export type TermListArgs = ArgsOf<typeof categoryArgs.list>;

export const termSchemaOf = (title: string, description: string, hierarchical: boolean): ItemSchema => ({
  title,
  description,
  linked: 'plainly',
  properties: {
    id: { type: 'integer', description: 'Number of the term.', readonly: true },
    count: { type: 'integer', description: 'How many published objects carry the term.', readonly: true },
    description: { type: 'string', description: 'HTML description.' },
    name: { type: 'string', description: 'Name, as HTML.' },
    slug: { type: 'string', description: 'Name in addresses, unique in the taxonomy.' },
    taxonomy: { type: 'string', description: 'Taxonomy of the term.', readonly: true },
    ...(hierarchical
      ? { parent: { type: 'integer', description: 'Number of the parent category; 0 without.' } as const }
      : {}),
    meta: { type: 'array', items: { type: 'object' }, description: 'Meta fields: none.', readonly: true },
    url: { type: 'string', format: 'uri', description: 'Page of the term on the site.', readonly: true },
    urls: {
      type: 'object',
      description: 'Addresses in this interface.',
      readonly: true,
      properties: {
        self: { type: 'string', format: 'uri', description: 'The term.' },
        collection: { type: 'string', format: 'uri', description: 'The list of its kind.' },
        ...(hierarchical
          ? {
              up: {
                type: 'string',
                format: 'uri',
                description: 'Its parent, if it has one.',
                optional: true,
              } as const,
            }
          : {}),
      },
    },
  },
});
