/**
 * Reads a site export (WXR: RSS with elements of its own) as a stream, one record at a time, however large the file.
 * It knows the format and nothing of this site; element prefixes are taken as written, versions 1.0 to 1.2 differ
 * only in namespaces.
 */
import { createReadStream } from 'node:fs';
import { SaxesParser } from 'saxes';

export interface ExportedAuthor {
  kind: 'author';
  login: string;
  email: string;
  displayName: string;
  firstName: string;
  lastName: string;
}

export interface ExportedTerm {
  kind: 'term';
  taxonomy: string;
  foreignId: string;
  slug: string;
  name: string;
  description: string;
  /** Slug of the parent; empty at the top. */
  parentSlug: string;
}

export interface ExportedComment {
  foreignId: string;
  author: string;
  email: string;
  url: string;
  ip: string;
  date: string;
  dateGmt: string;
  content: string;
  approved: string;
  type: string;
  parent: string;
  user: string;
}

export interface ExportedItem {
  kind: 'item';
  foreignId: string;
  type: string;
  title: string;
  creator: string;
  guid: string;
  content: string;
  excerpt: string;
  date: string;
  dateGmt: string;
  commentStatus: string;
  pingStatus: string;
  slug: string;
  status: string;
  parent: string;
  menuOrder: string;
  password: string;
  sticky: string;
  attachmentUrl: string;
  terms: { taxonomy: string; slug: string; name: string }[];
  meta: Map<string, string>;
  comments: ExportedComment[];
}

export interface ExportedSite {
  kind: 'site';
  title: string;
  url: string;
}

export type ExportedRecord = ExportedSite | ExportedAuthor | ExportedTerm | ExportedItem;

/** An element while it is read: its text, its attributes, and what is inside. */
interface Node {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Node[];
}

/** Elements that are one record each; everything above them is only passed through. */
const RECORDS = new Set(['wp:author', 'wp:category', 'wp:tag', 'wp:term', 'item']);

/** Yields the records of a file in its order. Throws with line and column where the file is not well formed. */
export async function* readExport(file: string): AsyncGenerator<ExportedRecord> {
  const ready: ExportedRecord[] = [];
  const stack: Node[] = [];
  const site: ExportedSite = { kind: 'site', title: '', url: '' };
  let announced = false;
  let isExport = false;
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    stack.push({ name: tag.name, attributes: tag.attributes, text: '', children: [] });
  });
  const addText = (text: string): void => {
    const top = stack.at(-1);
    if (top) top.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = stack.pop() as Node;
    const parent = stack.at(-1);
    if (parent?.name === 'channel') {
      if (node.name === 'title') site.title = node.text.trim();
      if (node.name === 'wp:base_blog_url' || (node.name === 'link' && site.url === ''))
        site.url = node.text.trim();
      if (node.name === 'wp:wxr_version') isExport = true;
      if (RECORDS.has(node.name)) {
        if (!announced) ready.push({ ...site });
        announced = true;
        ready.push(toRecord(node));
      }
    } else if (parent) parent.children.push(node);
  });
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 16 })) {
    parser.write(chunk as string);
    yield* ready.splice(0);
  }
  parser.close();
  yield* ready.splice(0);
  if (!isExport) throw new Error('This is not a site export: it has no wp:wxr_version.');
}

function toRecord(node: Node): ExportedRecord {
  const text = (name: string): string => node.children.find((child) => child.name === name)?.text ?? '';
  const term = (
    taxonomy: string,
    slug: string,
    name: string,
    description: string,
    parent: string,
  ): ExportedTerm => ({
    kind: 'term',
    taxonomy,
    foreignId: text('wp:term_id'),
    slug: text(slug),
    name: text(name),
    description: text(description),
    parentSlug: text(parent),
  });
  switch (node.name) {
    case 'wp:author':
      return {
        kind: 'author',
        login: text('wp:author_login').trim(),
        email: text('wp:author_email').trim(),
        displayName: text('wp:author_display_name').trim(),
        firstName: text('wp:author_first_name').trim(),
        lastName: text('wp:author_last_name').trim(),
      };
    case 'wp:category':
      return term(
        'category',
        'wp:category_nicename',
        'wp:cat_name',
        'wp:category_description',
        'wp:category_parent',
      );
    case 'wp:tag':
      return term('post_tag', 'wp:tag_slug', 'wp:tag_name', 'wp:tag_description', '');
    case 'wp:term':
      return term(
        text('wp:term_taxonomy').trim(),
        'wp:term_slug',
        'wp:term_name',
        'wp:term_description',
        'wp:term_parent',
      );
    default:
      return toItem(node, text);
  }
}

function toItem(node: Node, text: (name: string) => string): ExportedItem {
  return {
    kind: 'item',
    foreignId: text('wp:post_id').trim(),
    type: text('wp:post_type').trim(),
    title: text('title'),
    creator: text('dc:creator').trim(),
    guid: text('guid').trim(),
    content: text('content:encoded'),
    excerpt: text('excerpt:encoded'),
    date: text('wp:post_date').trim(),
    dateGmt: text('wp:post_date_gmt').trim(),
    commentStatus: text('wp:comment_status').trim(),
    pingStatus: text('wp:ping_status').trim(),
    slug: text('wp:post_name').trim(),
    status: text('wp:status').trim(),
    parent: text('wp:post_parent').trim(),
    menuOrder: text('wp:menu_order').trim(),
    password: text('wp:post_password'),
    sticky: text('wp:is_sticky').trim(),
    attachmentUrl: text('wp:attachment_url').trim(),
    terms: node.children
      .filter((child) => child.name === 'category' && child.attributes.domain !== undefined)
      .map((child) => ({
        taxonomy: child.attributes.domain as string,
        slug: child.attributes.nicename ?? '',
        name: child.text,
      })),
    meta: new Map(
      node.children
        .filter((child) => child.name === 'wp:postmeta')
        .map((child) => [inside(child, 'wp:meta_key').trim(), inside(child, 'wp:meta_value')]),
    ),
    comments: node.children.filter((child) => child.name === 'wp:comment').map(toComment),
  };
}

const inside = (node: Node, name: string): string =>
  node.children.find((child) => child.name === name)?.text ?? '';

const toComment = (node: Node): ExportedComment => ({
  foreignId: inside(node, 'wp:comment_id').trim(),
  author: inside(node, 'wp:comment_author'),
  email: inside(node, 'wp:comment_author_email').trim(),
  url: inside(node, 'wp:comment_author_url').trim(),
  ip: inside(node, 'wp:comment_author_IP').trim(),
  date: inside(node, 'wp:comment_date').trim(),
  dateGmt: inside(node, 'wp:comment_date_gmt').trim(),
  content: inside(node, 'wp:comment_content'),
  approved: inside(node, 'wp:comment_approved').trim(),
  type: inside(node, 'wp:comment_type').trim(),
  parent: inside(node, 'wp:comment_parent').trim(),
  user: inside(node, 'wp:comment_user_id').trim(),
});
