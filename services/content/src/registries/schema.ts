/** Fields of types, statuses and taxonomies, and the arguments of their routes. All are read only. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { contextArg } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';

const both = ['view', 'edit'] as const;
const editOnly = ['edit'] as const;

const field = (type: Property['type'], description: string, context?: Property['context']): Property => ({
  type,
  description,
  readonly: true,
  ...(context ? { context } : {}),
});
const words = (description: string): Property => ({
  ...field('array', description, both),
  items: { type: 'string' },
});

export const typeSchema: ItemSchema = {
  title: 'type',
  linked: 'followed',
  description: 'A kind of post.',
  properties: {
    capabilities: field('object', 'What each right over posts of the type is called.', editOnly),
    description: field('string', 'What the type is for.', both),
    hierarchical: field('boolean', 'Whether posts of the type have parents.', both),
    has_archive: field(
      ['boolean', 'string'],
      'Whether the site has a list of them at an address of its own.',
      both,
    ),
    visibility: field('object', 'Where the site offers the type.', editOnly),
    viewable: field('boolean', 'Whether visitors can see posts of the type.', editOnly),
    labels: field('object', 'Words for forms and lists.', editOnly),
    name: field('string', 'Name for people.'),
    slug: field('string', 'Name of the type.'),
    supports: field('object', 'Features of the type.', editOnly),
    taxonomies: words('Taxonomies of the type.'),
    rest_base: field('string', 'Route of the type.'),
    rest_namespace: field('string', 'Namespace of that route.', both),
  },
};

export const statusSchema: ItemSchema = {
  title: 'status',
  linked: 'followed',
  description: 'A state a post can be in.',
  properties: {
    name: field('string', 'Name for people.'),
    private: field('boolean', 'Whether posts of the status are private.', editOnly),
    protected: field('boolean', 'Whether posts of the status are for those who edit them.', editOnly),
    public: field('boolean', 'Whether everybody sees posts of the status.', both),
    queryable: field('boolean', 'Whether everybody may ask for posts of the status.', both),
    show_in_list: field('boolean', 'Whether lists of all posts hold those of the status.', editOnly),
    slug: field('string', 'Name of the status.'),
    date_floating: field('boolean', 'Whether the date may still move until publication.', both),
  },
};

export const taxonomySchema: ItemSchema = {
  title: 'taxonomy',
  linked: 'followed',
  description: 'A kind of term.',
  properties: {
    name: field('string', 'Name for people.'),
    slug: field('string', 'Name of the taxonomy.'),
    capabilities: field('object', 'What each right over its terms is called.', editOnly),
    description: field('string', 'What the taxonomy is for.', both),
    labels: field('object', 'Words for forms and lists.', editOnly),
    types: words('Post types that carry its terms.'),
    show_cloud: field('boolean', 'Whether clouds of terms may show it.', editOnly),
    hierarchical: field('boolean', 'Whether its terms have parents.', both),
    rest_base: field('string', 'Route of its terms.'),
    rest_namespace: field('string', 'Namespace of that route.', both),
    visibility: field('object', 'Where the site offers the taxonomy.', editOnly),
  },
};

const context = contextArg;

export const listArgs = { context } as const satisfies ArgTable;
export const typeArgs = {
  type: { type: 'string', description: 'Name of the type.' },
  context,
} as const satisfies ArgTable;
export const statusArgs = {
  status: { type: 'string', description: 'Name of the status.' },
  context,
} as const satisfies ArgTable;
export const taxonomyListArgs = {
  context,
  type: { type: 'string', description: 'Only taxonomies of this post type.' },
} as const satisfies ArgTable;
export const taxonomyArgs = {
  taxonomy: { type: 'string', description: 'Name of the taxonomy.' },
  context,
} as const satisfies ArgTable;
