/** From the elements of an export to its records. */
import type { ExportedComment, ExportedItem, ExportedRecord, ExportedTerm, Meta } from './exported';

/** An element: its text, its attributes, and what is inside. */
export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  text: string;
  readonly children: Node[];
}

const inside = (node: Node, name: string): string =>
  node.children.find((child) => child.name === name)?.text ?? '';
const word = (node: Node, name: string): string => inside(node, name).trim();

export function toRecord(node: Node, isOversized: boolean): ExportedRecord {
  const { line } = node;
  if (isOversized) return { kind: 'oversized', line, title: word(node, 'title') };
  switch (node.name) {
    case 'wp:author':
      return {
        kind: 'author',
        line,
        foreignId: word(node, 'wp:author_id'),
        login: word(node, 'wp:author_login'),
        email: word(node, 'wp:author_email'),
        displayName: word(node, 'wp:author_display_name'),
        firstName: word(node, 'wp:author_first_name'),
        lastName: word(node, 'wp:author_last_name'),
      };
    case 'wp:category':
      return toTerm(node, 'category', {
        slug: 'wp:category_nicename',
        name: 'wp:cat_name',
        description: 'wp:category_description',
        parent: 'wp:category_parent',
      });
    case 'wp:tag':
      return toTerm(node, 'post_tag', {
        slug: 'wp:tag_slug',
        name: 'wp:tag_name',
        description: 'wp:tag_description',
        parent: '',
      });
    case 'wp:term':
      return toTerm(node, word(node, 'wp:term_taxonomy'), {
        slug: 'wp:term_slug',
        name: 'wp:term_name',
        description: 'wp:term_description',
        parent: 'wp:term_parent',
      });
    default:
      return toItem(node);
  }
}

const toTerm = (
  node: Node,
  taxonomy: string,
  names: Readonly<Record<'slug' | 'name' | 'description' | 'parent', string>>,
): ExportedTerm => ({
  kind: 'term',
  line: node.line,
  taxonomy,
  foreignId: word(node, 'wp:term_id'),
  slug: word(node, names.slug),
  name: word(node, names.name),
  description: inside(node, names.description),
  parentSlug: word(node, names.parent),
});

const toItem = (node: Node): ExportedItem => ({
  kind: 'item',
  line: node.line,
  foreignId: word(node, 'wp:post_id'),
  type: word(node, 'wp:post_type') || 'post',
  title: inside(node, 'title'),
  link: word(node, 'link'),
  creator: word(node, 'dc:creator'),
  guid: word(node, 'guid'),
  content: inside(node, 'content:encoded'),
  excerpt: inside(node, 'excerpt:encoded'),
  date: word(node, 'wp:post_date'),
  dateGmt: word(node, 'wp:post_date_gmt'),
  commentStatus: word(node, 'wp:comment_status'),
  pingStatus: word(node, 'wp:ping_status'),
  slug: word(node, 'wp:post_name'),
  status: word(node, 'wp:status'),
  parent: word(node, 'wp:post_parent'),
  menuOrder: word(node, 'wp:menu_order'),
  password: inside(node, 'wp:post_password'),
  sticky: word(node, 'wp:is_sticky'),
  attachmentUrl: word(node, 'wp:attachment_url'),
  terms: termsOf(node),
  meta: metaOf(node, 'wp:postmeta'),
  comments: node.children.filter((child) => child.name === 'wp:comment').map(toComment),
});

/**
 * Every term stands there with its taxonomy; the first versions name categories without, beside or instead of that, and call
 * the taxonomy of tags `tag`.
 */
function termsOf(node: Node): ExportedItem['terms'] {
  const all = node.children
    .filter((child) => child.name === 'category')
    .map(({ attributes, text }) => ({
      taxonomy: attributes.domain === 'tag' ? 'post_tag' : (attributes.domain ?? ''),
      slug: attributes.nicename ?? '',
      name: text.trim(),
    }))
    .filter(({ slug, name }) => slug !== '' || name !== '');
  const named = all.filter(({ taxonomy }) => taxonomy !== '');
  const known = new Set(named.map(({ name }) => name));
  const bare = all.filter(({ taxonomy, name }) => taxonomy === '' && !known.has(name));
  // The same tag comes with its slug and once more without.
  const withSlug = new Set(
    named.flatMap(({ taxonomy, slug, name }) => (slug ? [`${taxonomy}/${name}`] : [])),
  );
  return [
    ...named.filter(({ taxonomy, slug, name }) => slug !== '' || !withSlug.has(`${taxonomy}/${name}`)),
    ...bare.map((term) => ({ ...term, taxonomy: 'category' })),
  ];
}

/** A key may come several times. */
function metaOf(node: Node, element: string): Meta {
  const meta = new Map<string, string[]>();
  for (const child of node.children) {
    if (child.name !== element) continue;
    const key = word(child, 'wp:meta_key');
    const value = inside(child, 'wp:meta_value');
    const values = meta.get(key);
    if (values) values.push(value);
    else meta.set(key, [value]);
  }
  return meta;
}

const toComment = (node: Node): ExportedComment => ({
  line: node.line,
  foreignId: word(node, 'wp:comment_id'),
  author: inside(node, 'wp:comment_author'),
  email: word(node, 'wp:comment_author_email'),
  url: word(node, 'wp:comment_author_url'),
  ip: word(node, 'wp:comment_author_IP'),
  date: word(node, 'wp:comment_date'),
  dateGmt: word(node, 'wp:comment_date_gmt'),
  content: inside(node, 'wp:comment_content'),
  approved: word(node, 'wp:comment_approved'),
  type: word(node, 'wp:comment_type'),
  parent: word(node, 'wp:comment_parent'),
  user: word(node, 'wp:comment_user_id'),
  meta: metaOf(node, 'wp:commentmeta'),
});
