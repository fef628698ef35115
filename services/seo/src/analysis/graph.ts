/** What machines read of a page: a graph of schema.org's things (https://schema.org) as a JSON-LD document. */
import { isoUtc } from './dates';
import { eventNodes } from './event';
import { cutText, type Facts } from './facts';
import {
  authorNode,
  breadcrumbNode,
  imageNode,
  type Node,
  node,
  organizerNode,
  placeNode,
  publisherNode,
  reference,
  siteId,
  websiteNode,
} from './nodes';
import { wholeAddress } from './page';
import type { Crumb, Item, SocialCard } from './shape';

/** What has been made of the item so far. */
export interface Told {
  readonly title: string;
  readonly description: string;
  readonly breadcrumb: readonly Crumb[];
  readonly og: SocialCard;
  readonly wordCount: number;
}

// Longer ones are cut by search engines.
const LONGEST_HEADLINE = 110;

const PAGE_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    home: 'CollectionPage',
    user: 'ProfilePage',
    search: 'SearchResultsPage',
  }),
);

export function graphOf(facts: Facts, told: Told): Node {
  const { item, language } = facts;
  const image = told.og.image && imageNode(told.og.image, `${item.permalink}#primaryimage`, language);
  const [subject, ...parts] = subjectNodes(facts, told, image);
  const graph = [
    pageNode(facts, told, image, subject),
    ...(subject ? [subject, ...parts] : []),
    ...(image ? [image] : []),
    // One without a page stands where it is named.
    ...(item.author?.url ? [authorNode(item.author)] : []),
    breadcrumbNode(told.breadcrumb, `${item.permalink}#breadcrumb`),
    websiteNode(facts),
    publisherNode(facts),
  ];
  return { '@context': 'https://schema.org', '@graph': onceEach(graph) };
}

function pageNode(facts: Facts, told: Told, image: Node | undefined, subject: Node | undefined): Node {
  const { item, language } = facts;
  const picture = image && reference(image);
  return node(pageType(item), item.permalink, {
    url: item.permalink,
    name: told.title,
    description: told.description,
    inLanguage: language,
    isPartOf: { '@id': siteId(facts, 'website') },
    datePublished: isoUtc(item.publishedUtc),
    dateModified: isoUtc(item.modifiedUtc),
    breadcrumb: { '@id': `${item.permalink}#breadcrumb` },
    primaryImageOfPage: picture,
    mainEntity: subject && reference(subject),
  });
}

const pageType = ({ objectType, objectSubtype }: Item): string =>
  PAGE_TYPES.get(objectSubtype) ?? (objectType === 'term' ? 'CollectionPage' : 'WebPage');

/** What the page is about, and then what that needs beside it. */
function subjectNodes(facts: Facts, told: Told, image: Node | undefined): Node[] {
  const { item, name } = facts;
  if (item.objectSubtype === 'post') return [articleNode(facts, told, image)];
  if (item.objectSubtype === 'user') return [personNode(facts, told, image)];
  if (item.event) return eventNodes(facts, item.event, told.description, image);
  if (item.place) return [withText(placeNode({ ...item.place, name, url: item.permalink }), told, image)];
  if (item.organization) {
    return [withText(organizerNode({ ...item.organization, name, url: item.permalink }), told, image)];
  }
  return item.file ? fileNodes(facts, told, image, item.file) : [];
}

function articleNode(facts: Facts, told: Told, image: Node | undefined): Node {
  const { item, language, settings, name } = facts;
  const names = (isTag: boolean): string[] =>
    item.terms.filter(({ taxonomy }) => (taxonomy === 'post_tag') === isTag).map((term) => term.name);
  return node(settings.newsSitemap ? 'NewsArticle' : 'Article', `${item.permalink}#article`, {
    headline: cutText(name, LONGEST_HEADLINE),
    description: told.description,
    inLanguage: language,
    datePublished: isoUtc(item.publishedUtc),
    dateModified: isoUtc(item.modifiedUtc),
    author: item.author && reference(authorNode(item.author)),
    publisher: { '@id': siteId(facts, 'publisher') },
    mainEntityOfPage: { '@id': item.permalink },
    image: image && reference(image),
    articleSection: names(false),
    keywords: names(true),
    wordCount: item.hasPassword || told.wordCount === 0 ? undefined : told.wordCount,
  });
}

const personNode = ({ item, name }: Facts, told: Told, image: Node | undefined): Node =>
  withText(
    authorNode({
      id: item.id,
      name,
      // On a later page of what they wrote, too, they are at home on the first.
      url: item.author?.url || item.permalink,
      website: item.author?.website ?? '',
    }),
    told,
    image,
  );

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    image: 'ImageObject',
    video: 'VideoObject',
    audio: 'AudioObject',
  }),
);

function fileNodes(
  { item, name }: Facts,
  told: Told,
  image: Node | undefined,
  file: NonNullable<Item['file']>,
): Node[] {
  const type = MEDIA_TYPES.get(file.mimeType.split('/')[0]!) ?? 'MediaObject';
  if (type === 'ImageObject' && image) return [image];
  return [
    node(type, `${item.permalink}#file`, {
      name,
      description: told.description,
      contentUrl: wholeAddress(file.url),
      encodingFormat: file.mimeType,
      uploadDate: isoUtc(item.publishedUtc),
    }),
  ];
}

const withText = (subject: Node, told: Told, image: Node | undefined): Node => ({
  ...subject,
  ...(told.description === '' ? {} : { description: told.description }),
  ...(image ? { image: reference(image) } : {}),
});

/** A thing that is on a page in two parts is told once, by the first, which says most. */
function onceEach(nodes: readonly Node[]): Node[] {
  const seen = new Set<unknown>();
  return nodes.filter(({ '@id': id }) => id === undefined || (!seen.has(id) && seen.add(id)));
}
