/**
 * Event categories and event tags as a table. Both are views over terms of the content service: categories are a
 * taxonomy of the calendar's own, tags are those of posts as well.
 */
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import { CATEGORY, TAG } from '../content/resolve-terms';
import { categoryArgs, tagArgs, termSchemaOf } from './schema';

export interface TermKind {
  /** Path and key of lists. */
  readonly name: 'categories' | 'tags';
  /** Words for summaries and messages. */
  readonly one: string;
  readonly many: string;
  readonly taxonomy: string;
  /** Path of the same terms in core/v2. */
  readonly coreBase: string;
  readonly hierarchical: boolean;
  /** List of core/v2 that shows what carries a term, where there is one. */
  readonly corePosts?: string;
  /** Field of an event that holds its terms. */
  readonly eventField: 'categoryIds' | 'tagIds';
  /** The rights that the content service asks for too. */
  readonly rights: { readonly create: string; readonly update: string; readonly delete: string };
  readonly args: typeof categoryArgs | typeof tagArgs;
  readonly schema: ItemSchema;
}

export const categoryKind: TermKind = {
  name: 'categories',
  one: 'event category',
  many: 'event categories',
  taxonomy: CATEGORY,
  coreBase: 'calendar_events_cat',
  hierarchical: true,
  eventField: 'categoryIds',
  rights: { create: 'publish_events', update: 'publish_events', delete: 'publish_events' },
  args: categoryArgs,
  schema: termSchemaOf('event_category', 'An event category.', true),
};

export const tagKind: TermKind = {
  name: 'tags',
  one: 'event tag',
  many: 'event tags',
  taxonomy: TAG,
  coreBase: 'tags',
  hierarchical: false,
  corePosts: 'posts?tags=',
  eventField: 'tagIds',
  rights: { create: 'edit_post_tags', update: 'manage_post_tags', delete: 'delete_post_tags' },
  args: tagArgs,
  schema: termSchemaOf('event_tag', 'An event tag.', false),
};
