/** Users, terms, posts, pages, files and comments as an interface shows them, as records that move in. */
import type {
  ExportedAuthor,
  ExportedItem,
  ExportedRemark,
  ExportedTerm,
} from '@sevenfold/content/site-import/exported';
import type { PhpValue } from '@sevenfold/content/site-import/php';
import { decodeEntities, stripTags } from '@sevenfold/text/html';
import { type Raw, idOf, isTrue, listOf, recordOf, textOf } from './values';

/** A word of the other site as ours. */
export type Ours = (word: string) => string;

export function readUser(raw: Raw, keepRoles: boolean): ExportedAuthor {
  const slug = textOf(raw.slug);
  return {
    kind: 'author',
    line: 0,
    foreignId: idOf(raw.id),
    // Strangers are not told it; most have their log-in name there, too.
    login: textOf(raw.username) || slug,
    email: textOf(raw.email),
    displayName: textOf(raw.name),
    firstName: textOf(raw.first_name),
    lastName: textOf(raw.last_name),
    more: {
      slug,
      nickname: textOf(raw.nickname),
      url: textOf(raw.url),
      description: textOf(raw.description),
      locale: textOf(raw.locale),
      ...(keepRoles && { roles: listOf(raw.roles).slice(0, 20).map(textOf) }),
    },
  };
}

export const readTerm = (raw: Raw, taxonomy: string): ExportedTerm => ({
  kind: 'term',
  line: 0,
  taxonomy,
  foreignId: idOf(raw.id),
  slug: textOf(raw.slug),
  name: textOf(raw.name),
  description: textOf(raw.description),
  parentSlug: '',
  parentId: idOf(raw.parent),
});

/** What was written, or what readers see of it. */
function textIn(value: unknown): { readonly text: string; readonly isRaw: boolean } {
  const { raw, rendered } = recordOf(value);
  if (typeof raw === 'string') return { text: raw, isRaw: true };
  return { text: textOf(rendered) || textOf(value), isRaw: false };
}

/** The reason, where there is nothing to move. */
export function readItem(raw: Raw, type: 'post' | 'page' | 'attachment', ours: Ours): ExportedItem | string {
  const isFile = type === 'attachment';
  const title = textIn(raw.title);
  const content = textIn(isFile ? raw.description : raw.content);
  const excerpt = textIn(isFile ? raw.caption : raw.excerpt);
  const isRendered = !content.isRaw;
  if (isRendered && recordOf(raw.content).protected === true && content.text === '')
    return 'a password protects its text';
  const status = ours(textOf(raw.status)) || (isFile ? 'inherit' : 'publish');
  const format = textOf(raw.format);
  return {
    kind: 'item',
    line: 0,
    foreignId: idOf(raw.id),
    type,
    title: isRendered ? title.text.replace(PREFIX, '') : title.text,
    link: textOf(raw.link),
    creator: '',
    creatorId: idOf(raw.author),
    guid: decodeEntities(textIn(raw.guid).text),
    content: isRendered && isFile ? content.text.replace(FILE_PARAGRAPH, '') : content.text,
    excerpt: isRendered && isMade(excerpt.text, content.text) ? '' : excerpt.text,
    date: textOf(raw.date),
    dateGmt: textOf(raw.date_gmt),
    modified: textOf(raw.modified),
    modifiedGmt: textOf(raw.modified_gmt),
    commentStatus: textOf(raw.comment_status),
    pingStatus: textOf(raw.ping_status),
    slug: textOf(raw.slug),
    status,
    parent: idOf(isFile ? raw.post : raw.parent),
    menuOrder: textOf(raw.menu_order),
    password: textOf(raw.password),
    sticky: isTrue(raw.sticky) ? '1' : '0',
    attachmentUrl: textOf(raw.source_url),
    terms: [
      ...termsOf(raw.categories, 'category'),
      ...termsOf(raw.tags, 'post_tag'),
      ...(format === '' || format === 'standard'
        ? []
        : [{ taxonomy: 'post_format', slug: `post-format-${format}`, name: '' }]),
    ],
    meta: new Map([
      ['_thumbnail_id', [idOf(raw.featured_media)]],
      ['_wp_page_template', [textOf(raw.template)]],
      ['_wp_attachment_image_alt', [textOf(raw.alt_text)]],
    ]),
    comments: [],
    isRendered,
    ...(isFile && { measures: measuresOf(recordOf(raw.media_details)) }),
  };
}

/** The words before titles of what is not for everybody. */
const PREFIX = /^(?:Private|Protected): /;
/** Stands before the description of a file, and shows it. */
const FILE_PARAGRAPH = /^<p class="attachment">[\s\S]*?<\/p>\s*/;

const MOST_TERMS = 1_000;

const termsOf = (value: unknown, taxonomy: string): ExportedItem['terms'] =>
  listOf(value)
    .slice(0, MOST_TERMS)
    .map((id) => ({ taxonomy, slug: '', name: '', foreignId: idOf(id) }));

/** An excerpt that nobody wrote is the beginning of the content. */
function isMade(excerpt: string, content: string): boolean {
  const [short, whole] = [excerpt, content].map((html) =>
    decodeEntities(stripTags(html)).replace(/\s+/g, ''),
  );
  const beginning = (short as string).replace(/\[…\]$/, '');
  return beginning !== '' && (whole as string).startsWith(beginning);
}

/** As exports keep what is known of a file. */
function measuresOf(details: Raw): PhpValue {
  const { sizes, ...rest } = details;
  const { full: _full, ...copies } = recordOf(sizes);
  const renamed = Object.entries(copies).map(([name, size]) => {
    const { mime_type: mime, ...measures } = recordOf(size);
    return [name, { ...measures, 'mime-type': mime }] as const;
  });
  return phpOf({ ...rest, sizes: Object.fromEntries(renamed) }, 0);
}

const DEEPEST = 5;
const MOST_ENTRIES = 1_000;

function phpOf(value: unknown, depth: number): PhpValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return null;
  return new Map(
    Object.entries(value)
      .slice(0, MOST_ENTRIES)
      .map(([key, entry]) => [key, phpOf(entry, depth + 1)]),
  );
}

export function readComment(raw: Raw): ExportedRemark {
  const content = textIn(raw.content);
  const author = idOf(raw.author);
  return {
    kind: 'remark',
    line: 0,
    foreignId: idOf(raw.id),
    post: idOf(raw.post),
    parent: idOf(raw.parent),
    user: author,
    author: textOf(raw.author_name),
    email: textOf(raw.author_email),
    url: textOf(raw.author_url),
    ip: textOf(raw.author_ip),
    agent: textOf(raw.author_user_agent),
    date: textOf(raw.date),
    dateGmt: textOf(raw.date_gmt),
    content: content.isRaw ? content.text : unrendered(content.text),
    approved: textOf(raw.status) || 'approved',
    type: textOf(raw.type),
    meta: new Map(),
    isRendered: !content.isRaw,
  };
}

/** Lines and paragraphs as they were written: what is rendered again must not be doubled. */
const unrendered = (html: string): string =>
  html
    .replace(/<br\s*\/?>\n?/gi, '\n')
    .replace(/<\/p>\s*<p(?:\s[^<>]*)?>/gi, '\n\n')
    .replace(/<\/?p(?:\s[^<>]*)?>/gi, '')
    .trim();
