/** What an address of this site names today: one look into the index of addresses, and the row it leads to. */
import { createHash } from 'node:crypto';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { RpcContext } from '@sevenfold/chassis/grpc/method';
import { laterHead, laterPage } from '../analysis/lists';
import { escapeAttribute } from '@sevenfold/text/html';
import type { Head, Item, ObjectType } from '../analysis/shape';
import { type SpecialPage, specialHead } from '../analysis/special';
import type { Deps } from '../deps';
import { pathOf, searchIn, withoutPage } from './paths';

/**
 * SQL: what of the holders `a` of an address, with their rows `i`, it leads to comes first. What everybody may read goes before
 * what it was taken from, the one that has the address now before those that had it, and of those the last.
 */
export const BEST_FIRST = 'i.is_public desc, a.is_current desc, a.held desc, a.object_type, a.object_id desc';

type Show = RpcContext['show'];
const unheard: Show = () => undefined;

export interface Resolved {
  readonly status: 200 | 301 | 404 | 410;
  readonly location: string;
  readonly objectType: ObjectType | '';
  readonly objectSubtype: string;
  readonly objectId: number;
  readonly page: number;
}

interface Found {
  readonly objectType: ObjectType;
  readonly objectSubtype: string;
  readonly objectId: number;
  readonly status: string;
  readonly isPublic: boolean;
  readonly isCurrent: boolean;
  readonly permalink: string;
  readonly headHtml: string;
  readonly headJson: string;
  readonly listItem: string;
  readonly named: readonly number[];
}

const NOTHING: Resolved = {
  status: 404,
  location: '',
  objectType: '',
  objectSubtype: '',
  objectId: 0,
  page: 1,
};
/** Subtypes whose addresses have pages behind them. */
const hasPages = ({ objectType }: Found): boolean => objectType !== 'post';

/** `show` is told which news make the answer old (migrations/0005_news.sql); also below. */
export async function resolve(deps: Deps, url: string, show: Show = unheard): Promise<Resolved> {
  const named = await find(deps, url, '', show);
  if (!named) return NOTHING;
  const { row, page } = named;
  if (!row.isPublic) return { ...NOTHING, status: isOver(row) ? 410 : 404 };
  const location = page > 1 ? laterPage(row.permalink, page) : row.permalink;
  const { objectType, objectSubtype, objectId } = row;
  const known = { objectType, objectSubtype, objectId, page };
  return row.isCurrent ? { status: 200, location, ...known } : { ...NOTHING, status: 301, location };
}

export interface FoundHead extends Pick<Head, 'html'> {
  /** Whether something stands there that everybody may read. */
  readonly found: boolean;
  readonly json: string;
  readonly objectType: ObjectType | 'search' | '';
  readonly objectId: number;
  /** Other objects that it tells something of. */
  readonly named: readonly number[];
}

type Of = Pick<FoundHead, 'objectType' | 'objectId' | 'named'>;
const OF_NOTHING: Of = { objectType: '', objectId: 0, named: [] };

// Where a version before wrote last, or the row is older than the column: all that it may have told of.
const NAMED = 'case when i.named_no = i.read_no then i.named else i.objects end';

/**
 * An address that moved has the head of where it moved to; a search and what is nowhere have heads of their own, which
 * nobody indexes.
 */
export async function findHead(deps: Deps, url: string, show: Show = unheard): Promise<FoundHead> {
  const search = searchIn(deps.siteUrl, url);
  if (search) show([]);
  if (search)
    return {
      found: true,
      ...told(await specialOf(deps, { kind: 'search', ...search })),
      ...OF_NOTHING,
      objectType: 'search',
    };
  const named = await find(
    deps,
    url,
    `, i.head_html as "headHtml", i.head_json as "headJson", i.list_item as "listItem", ${NAMED} as named`,
    show,
  );
  if (!named?.row.isPublic)
    return { found: false, ...told(await specialOf(deps, { kind: '404' })), ...OF_NOTHING };
  const { row, page } = named;
  const of: Of = { objectType: row.objectType, objectId: row.objectId, named: row.named };
  const feeds = feedLinks(deps.siteUrl, row);
  if (page === 1 || row.listItem === '')
    return { found: true, html: `${row.headHtml}\n${feeds}`, json: row.headJson, ...of };
  const { settings } = await deps.settings();
  const { html, json } = told(laterHead(JSON.parse(row.listItem) as Item, page, settings));
  return { found: true, html: `${html}\n${feeds}`, json, ...of };
}

/** What there is to subscribe to, and of an event its own file. */
function feedLinks(siteUrl: string, { objectSubtype, permalink }: Found): string {
  const link = (type: string, title: string, href: string): string =>
    `<link rel="alternate" type="${type}" title="${title}" href="${escapeAttribute(href)}" />`;
  const [, slug] = (objectSubtype === 'event' && /\/event\/([^/]+)\/$/.exec(permalink)) || [];
  return [
    link('application/rss+xml', 'Posts', `${siteUrl}/feed/`),
    link('text/calendar', 'Calendar', `${siteUrl}/calendar.ics`),
    ...(slug === undefined ? [] : [link('text/calendar', 'This event', `${siteUrl}/events/${slug}.ics`)]),
  ].join('\n');
}

const told = ({ html, json }: Head): Pick<FoundHead, 'html' | 'json'> => ({
  html,
  json: JSON.stringify(json),
});

const specialOf = async ({ settings }: Deps, page: SpecialPage): Promise<Head> =>
  specialHead(page, (await settings()).settings);

const isOver = ({ status }: Found): boolean => status === 'gone' || status === 'trash';

async function find(
  { db, siteUrl }: Deps,
  url: string,
  more: string,
  show: Show,
): Promise<{ readonly row: Found; readonly page: number } | undefined> {
  const path = pathOf(siteUrl, url);
  show([]);
  if (path === undefined) return undefined;
  const findAt = async (wanted: string): Promise<Found | undefined> => {
    const found = await findByPath(db, wanted, more);
    show([pathTag(wanted), ...(found ? [`${found.objectType}:${found.objectId}`] : [])]);
    return found;
  };
  const row = await findAt(path);
  if (row) return { row, page: 1 };
  const archive = withoutPage(path);
  const above = archive && (await findAt(archive.path));
  return above && hasPages(above) ? { row: above, page: archive.page } : undefined;
}

/** The key as PostgreSQL writes it. */
const pathTag = (path: string): string =>
  `path:${createHash('md5')
    .update(path)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;

const findByPath = (db: Db, path: string, more: string): Promise<Found | undefined> =>
  db.first<Found>(
    `select i.object_type as "objectType", i.object_subtype as "objectSubtype", i.object_id as "objectId", i.status,
       i.is_public as "isPublic", a.is_current as "isCurrent", i.permalink${more}
     from addresses a join indexables i using (object_type, object_id)
     where a.path_key = md5($1)::uuid
     order by ${BEST_FIRST} limit 1`,
    [path],
  );
