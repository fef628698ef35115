/** Rows of the index, made of what was read. Pure: the same reading and settings always make the same row. */
import { createHash } from 'node:crypto';
import type { Log } from '@sevenfold/chassis/log';
import { stripControl } from '@sevenfold/text/text';
import { pathOf, plainPath } from '../addresses/paths';
import { analyse } from '../analysis/analyse';
import { renderHead } from '../analysis/head';
import { isList, listItemOf } from '../analysis/lists';
import type { Analysis, Item, ObjectType } from '../analysis/shape';
import type { Current } from '../settings/read';
import type { Read } from '../sources/items';
import type { WrittenRow } from './columns';

/** What is written of one object. */
export interface Built {
  readonly row: WrittenRow;
  /** Paths below the site at which it is found now; the first is that of its permalink. */
  readonly paths: readonly string[];
  /** Paths below the site that its text links to. */
  readonly links: readonly string[];
}

export interface Key {
  readonly objectType: ObjectType;
  readonly objectId: number;
}

/**
 * Where analysis fails, that is logged, and the row is made without the texts: who may see the object, and where it is, is as its
 * owner says in any case. Undefined where that fails, too: one odd object must not keep others out of the index.
 */
export function build(read: Read, current: Current, readNo: number, log: Log): Built | undefined {
  const { objectType, objectSubtype, id } = read.item;
  for (const item of [read.item, { ...read.item, contentHtml: '', excerptHtml: '' }])
    try {
      return make({ ...read, item }, current, readNo);
    } catch (error) {
      log.error({ err: error as Error, objectType, objectSubtype, id }, 'an object could not be analysed');
    }
  return undefined;
}

function make(read: Read, current: Current, readNo: number): Built {
  const analysis = analyse(read.item, current.settings);
  return { row: rowOf(read, analysis, current, readNo), ...addressesOf(read.item, analysis, current) };
}

function rowOf(read: Read, analysis: Analysis, { settings, madeFor }: Current, readNo: number): WrittenRow {
  const { item } = read;
  const head = renderHead(analysis, settings);
  return {
    objectType: item.objectType,
    objectId: item.id,
    objectSubtype: item.objectSubtype,
    status: item.status,
    isPublic: item.isPublic,
    version: read.version,
    madeFor,
    readNo,
    permalink: item.permalink,
    shown: shownOf(item),
    author: read.author,
    terms: read.terms,
    objects: read.objects,
    publishedAt: item.publishedUtc || null,
    modifiedAt: item.modifiedUtc || null,
    name: clean(analysis.breadcrumbTitle),
    title: clean(analysis.title),
    isNoindex: analysis.robots.noindex,
    focusKeyword: clean(analysis.focusKeyword),
    focusKeywordScore: analysis.focusKeywordScore ?? null,
    readabilityScore: analysis.readabilityScore ?? null,
    isCornerstone: analysis.isCornerstone,
    images: analysis.images,
    description: clean(analysis.description),
    canonical: analysis.canonical,
    breadcrumbTitle: clean(analysis.breadcrumbTitle),
    ogTitle: clean(analysis.og.title),
    ogDescription: clean(analysis.og.description),
    ogImage: analysis.og.image?.url ?? '',
    twitterTitle: clean(analysis.twitter.title),
    twitterDescription: clean(analysis.twitter.description),
    twitterImage: analysis.twitter.image?.url ?? '',
    isNofollow: analysis.robots.nofollow,
    isNoarchive: analysis.robots.noarchive,
    isNoimageindex: analysis.robots.noimageindex,
    isNosnippet: analysis.robots.nosnippet,
    wordCount: analysis.wordCount,
    readingMinutes: analysis.readingMinutes,
    headHtml: clean(head.html),
    headJson: clean(JSON.stringify(head.json)),
    listItem: isList(item) ? JSON.stringify(listItemOf(item, analysis)) : '',
    named: read.named,
    namedNo: readNo,
  };
}

// Entities can name characters that PostgreSQL refuses.
const clean = (text: string): string => stripControl(text).toWellFormed();

/** Whatever others show of it. Authors are named whether they have a page or not. */
function shownOf({ objectType, isPublic, ...item }: Item): string {
  const { titleHtml, permalink, author, image, file, place, organization, ancestors } = item;
  const isShown = objectType === 'user' || isPublic;
  return createHash('sha256')
    .update(
      JSON.stringify([titleHtml, permalink, isShown, author, image, file, place, organization, ancestors]),
    )
    .digest('base64url')
    .slice(0, 16);
}

function addressesOf(item: Item, { links }: Analysis, { settings }: Current): Pick<Built, 'paths' | 'links'> {
  const { url } = settings.site;
  const paths = [pathOf(url, item.permalink), ...(item.objectType === 'post' ? [plainPath(item.id)] : [])];
  const known = (path: string | undefined): path is string => path !== undefined;
  return {
    paths: [...new Set(paths.filter(known))],
    links: fewOf([...new Set(links.map((link) => pathOf(url, link.url)).filter(known))]),
  };
}

/** Of all links of a text together, in characters: hundreds of texts are written at once. */
const MOST_LINKED = 65_536;

function fewOf(paths: readonly string[]): string[] {
  let left = MOST_LINKED;
  return paths.filter((path) => (left -= path.length) >= 0);
}

/** What stays of an object that its owner no longer has: its addresses say so. */
export const tombstone = ({ objectType, objectId }: Key, readNo: number): WrittenRow => ({
  objectType,
  objectId,
  objectSubtype: '',
  status: 'gone',
  isPublic: false,
  version: '',
  madeFor: '',
  readNo,
  permalink: '',
  shown: '',
  author: 0,
  terms: [],
  objects: [],
  publishedAt: null,
  modifiedAt: null,
  name: '',
  title: '',
  isNoindex: false,
  focusKeyword: '',
  focusKeywordScore: null,
  readabilityScore: null,
  isCornerstone: false,
  images: [],
  description: '',
  canonical: '',
  breadcrumbTitle: '',
  ogTitle: '',
  ogDescription: '',
  ogImage: '',
  twitterTitle: '',
  twitterDescription: '',
  twitterImage: '',
  isNofollow: false,
  isNoarchive: false,
  isNoimageindex: false,
  isNosnippet: false,
  wordCount: 0,
  readingMinutes: 0,
  headHtml: '',
  headJson: '{}',
  listItem: '',
  named: [],
  namedNo: readNo,
});
