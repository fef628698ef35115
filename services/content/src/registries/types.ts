/**
 * Post types as the interface describes them. The three of this service are shown; those of other services and of the
 * machinery are known by name only, so that asking for one is a matter of rights and not of existence.
 */
import { type PostTypeName, postTypes } from '../posts/types';
import { taxonomies } from '../terms/taxonomies';
import { type Labels, typeLabels } from './labels';

export interface TypeEntry {
  readonly name: string;
  readonly slug: PostTypeName;
  readonly description: string;
  readonly hierarchical: boolean;
  readonly restBase: string;
  readonly taxonomies: readonly string[];
  readonly labels: Labels;
  readonly supports: readonly string[];
  /** What each right over posts of the type is called: `edit_posts` of pages is `edit_pages`. */
  readonly capabilities: Readonly<Record<string, string>>;
}

const entry = (
  slug: PostTypeName,
  words: { readonly one: string; readonly many: string; readonly description: string },
  supports: readonly string[],
): TypeEntry => ({
  slug,
  name: words.many,
  description: words.description,
  hierarchical: postTypes[slug].hierarchical,
  restBase: postTypes[slug].restBase,
  taxonomies: Object.values(taxonomies)
    .filter(({ types }) => types.includes(slug))
    .map(({ name }) => name),
  labels: typeLabels(words.one, words.many, postTypes[slug].hierarchical),
  supports,
  capabilities: capabilitiesOf(postTypes[slug].plural),
});

function capabilitiesOf(plural: 'posts' | 'pages'): Record<string, string> {
  const one = plural.slice(0, -1);
  return {
    edit_post: `edit_${one}`,
    read_post: `read_${one}`,
    delete_post: `delete_${one}`,
    edit_posts: `edit_${plural}`,
    edit_others_posts: `edit_others_${plural}`,
    delete_posts: `delete_${plural}`,
    publish_posts: `publish_${plural}`,
    read_private_posts: `read_private_${plural}`,
    read: 'read',
    delete_private_posts: `delete_private_${plural}`,
    delete_published_posts: `delete_published_${plural}`,
    delete_others_posts: `delete_others_${plural}`,
    edit_private_posts: `edit_private_${plural}`,
    edit_published_posts: `edit_published_${plural}`,
    create_posts: `edit_${plural}`,
  };
}

export const shownTypes: readonly TypeEntry[] = [
  entry('post', { one: 'Post', many: 'Posts', description: '' }, [
    'title',
    'editor',
    'author',
    'thumbnail',
    'excerpt',
    'trackbacks',
    'custom-fields',
    'comments',
    'revisions',
    'post-formats',
  ]),
  entry('page', { one: 'Page', many: 'Pages', description: '' }, [
    'title',
    'editor',
    'author',
    'thumbnail',
    'page-attributes',
    'custom-fields',
    'comments',
    'revisions',
  ]),
  entry('attachment', { one: 'File', many: 'Media', description: '' }, ['title', 'author', 'comments']),
];

/** Types that exist and are not shown. */
export const hiddenTypes: ReadonlySet<string> = new Set([
  'revision',
  'calendar_events',
  'calendar_venue',
  'calendar_organizer',
]);
