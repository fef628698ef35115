/** The three taxonomies as a table: what differs between categories, tags and event categories is a value here. */
export type TaxonomyName = 'category' | 'post_tag' | 'calendar_events_cat';

export interface Taxonomy {
  readonly name: TaxonomyName;
  /** Route and link segment: `/categories`. */
  readonly restBase: 'categories' | 'tags' | 'calendar_events_cat';
  /** Path of the terms' pages on the site: `/category/<slug>/`. */
  readonly linkBase: string;
  /** Words for summaries and messages. */
  readonly one: string;
  readonly many: string;
  readonly article: 'a' | 'an';
  readonly hierarchical: boolean;
  /** Post types that carry these terms. */
  readonly types: readonly string[];
  /** Column of `posts`, and argument of its list, that holds these terms; events are another service's. */
  readonly postsColumn?: 'categories' | 'tags';
  /** Capabilities: who may make, change and delete terms, and who may put them on things. */
  readonly rights: {
    readonly create: string;
    readonly update: string;
    readonly delete: string;
    readonly assign: string;
  };
}

export const taxonomies: Readonly<Record<TaxonomyName, Taxonomy>> = {
  category: {
    name: 'category',
    restBase: 'categories',
    linkBase: 'category',
    one: 'category',
    many: 'categories',
    article: 'a',
    hierarchical: true,
    types: ['post'],
    postsColumn: 'categories',
    rights: {
      create: 'edit_categories',
      update: 'edit_categories',
      delete: 'delete_categories',
      assign: 'assign_categories',
    },
  },
  post_tag: {
    name: 'post_tag',
    restBase: 'tags',
    linkBase: 'tag',
    one: 'tag',
    many: 'tags',
    article: 'a',
    hierarchical: false,
    types: ['post', 'calendar_events'],
    postsColumn: 'tags',
    rights: {
      create: 'edit_post_tags',
      update: 'manage_post_tags',
      delete: 'delete_post_tags',
      assign: 'assign_post_tags',
    },
  },
  calendar_events_cat: {
    name: 'calendar_events_cat',
    restBase: 'calendar_events_cat',
    linkBase: 'events/category',
    one: 'event category',
    many: 'event categories',
    article: 'an',
    hierarchical: true,
    types: ['calendar_events'],
    rights: {
      create: 'publish_events',
      update: 'publish_events',
      delete: 'publish_events',
      assign: 'edit_events',
    },
  },
};

export const isTaxonomy = (name: string): name is TaxonomyName => Object.hasOwn(taxonomies, name);
