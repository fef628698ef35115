/** The newest posts, or comments, as RSS 2.0, with what its modules add: whole texts, authors, the address of the feed itself. */
import type { Media } from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { Archive, SaidComment, SiteFacts } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import type { Term } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { decodeEntities, escapeHtml, withAddressesOf } from '@sevenfold/text/html';
import { MOST_NAMED } from '@sevenfold/text/told';
import { xmlData, xmlText } from '@sevenfold/text/xml';
import { shortText, titleOfPost } from './content-html';

const MODULES = [
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:atom="http://www.w3.org/2005/Atom"',
].join(' ');

export interface Feed {
  readonly siteUrl: string;
  /** Its own address. */
  readonly address: string;
  /** Whose posts they are. */
  readonly archive: Pick<Archive, 'title' | 'description' | 'link'>;
  readonly facts: SiteFacts;
  readonly posts: readonly Post[];
  /** By their ids. */
  readonly terms: ReadonlyMap<number, Term>;
  readonly pictures: readonly Media[];
}

export function feedXml(feed: Feed): string {
  const { address, archive, facts, posts } = feed;
  return channelXml({
    address,
    title: [archive.title, facts.title].filter((part) => part !== '').join(' – '),
    link: archive.link,
    description: shortText(archive.description),
    facts,
    dates: posts.map(({ modifiedGmt }) => modifiedGmt),
    items: posts.map((post) => itemXml(post, feed)),
  });
}

export interface CommentFeed extends Pick<Feed, 'siteUrl' | 'address' | 'facts'> {
  /** Whose comments they are; undefined: of all. */
  readonly item: Post | undefined;
  readonly posts: readonly Post[];
  readonly comments: readonly SaidComment[];
}

export function commentFeedXml(feed: CommentFeed): string {
  const { siteUrl, address, facts, item, comments } = feed;
  const title = item ? `Comments on ${titleOfPost(item)}` : 'Comments';
  return channelXml({
    address,
    title: `${title} – ${facts.title}`,
    link: item?.link ?? `${siteUrl}/`,
    description: item ? `What is said about ${titleOfPost(item)}` : '',
    facts,
    dates: comments.map(({ dateGmt }) => dateGmt),
    items: comments.map((comment) => commentXml(comment, feed)),
  });
}

interface Channel extends Pick<Feed, 'address' | 'facts'> {
  readonly title: string;
  readonly link: string;
  readonly description: string;
  /** When its items changed. */
  readonly dates: readonly string[];
  /** XML */
  readonly items: readonly string[];
}

function channelXml({ address, title, link, description, facts, dates, items }: Channel): string {
  // When it was built is when it last changed: asked for again it is the same.
  const built = [...dates].sort().at(-1);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${MODULES}>\n<channel>`,
    element('title', title),
    element('link', link),
    // There has to be one.
    element('description', description || facts.description || facts.title),
    element('language', facts.language),
    built === undefined ? '' : element('lastBuildDate', dateText(built)),
    `<atom:link href="${xmlText(address)}" rel="self" type="application/rss+xml" />`,
    ...items,
    '</channel>\n</rss>\n',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`;

/** Of an item it is read as HTML: what was text stays text. */
const described = (text: string): string => element('description', escapeHtml(text));

function itemXml(post: Post, { siteUrl, terms, pictures }: Feed): string {
  const { link, dateGmt, authorName, content, excerpt, hasPassword, featuredMedia } = post;
  const names = [...post.categories, ...post.tags]
    .slice(0, MOST_NAMED)
    .flatMap((termId) => terms.get(termId)?.name ?? []);
  const picture = pictures.find((media) => media.id === featuredMedia);
  const summary = hasPassword ? 'A password protects the text of this page.' : shortText(excerpt || content);
  return [
    '<item>',
    element('title', titleOfPost(post)),
    element('link', link),
    guidXml(guidOf(post, siteUrl)),
    element('pubDate', dateText(dateGmt)),
    ...(authorName === '' ? [] : [element('dc:creator', decodeEntities(authorName))]),
    ...names.map((name) => element('category', decodeEntities(name))),
    described(summary),
    ...(content === '' ? [] : [encoded(link, content)]),
    ...(picture ? [enclosure(picture)] : []),
    '</item>',
  ].join('\n');
}

function commentXml(comment: SaidComment, { siteUrl, item, posts }: CommentFeed): string {
  const { id, link, authorName, content, dateGmt, post: about } = comment;
  const author = decodeEntities(authorName) || 'Somebody';
  const post = posts.find((one) => one.id === about);
  return [
    '<item>',
    element('title', item || !post ? author : `${author} on ${titleOfPost(post)}`),
    element('link', link),
    guidXml(`${post ? guidOf(post, siteUrl) : `${siteUrl}/`}#comment-${id}`),
    element('pubDate', dateText(dateGmt)),
    element('dc:creator', author),
    described(shortText(content)),
    encoded(link, content),
    '</item>',
  ].join('\n');
}

/**
 * By it programs know what they have shown already: so it is what the item has had since it was made, also where it stands at another
 * address by now, or has come from another site. A content service of the version before tells none.
 */
const guidOf = ({ guid, id }: Post, siteUrl: string): string => guid || `${siteUrl}/?p=${id}`;

const guidXml = (guid: string): string => `<guid isPermaLink="false">${xmlText(guid)}</guid>`;

/** Programs that read feeds know no address that it stands at. */
const encoded = (link: string, html: string): string =>
  `<content:encoded>${xmlData(withAddressesOf(link, html))}</content:encoded>`;

const enclosure = ({ url, filesize, mimeType }: Media): string =>
  `<enclosure url="${xmlText(url)}" length="${filesize}" type="${xmlText(mimeType)}" />`;

/** `Sun, 22 Nov 2026 15:00:00 GMT` */
const dateText = (utc: string): string => new Date(/Z$/.test(utc) ? utc : `${utc}Z`).toUTCString();
