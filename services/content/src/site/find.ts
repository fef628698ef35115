/**
 * What stands at an address of the site, as strangers see it: an item by its permalink or its number, else the posts of the
 * home page, of a term or of an author. Slashes too many and upper case make no difference; whoever asks compares the link.
 */
import { createHash } from 'node:crypto';
import { stranger } from '@sevenfold/chassis/actor';
import { ApiError } from '@sevenfold/chassis/errors';
import { MOST_ITEMS } from '@sevenfold/chassis/http/coerce';
import { readArgs } from '@sevenfold/chassis/http/read-args';
import { decodeEntities } from '@sevenfold/text/html';
import { shorten } from '@sevenfold/text/text';
import { MOST_DESCRIPTION, type Most, ON_A_PAGE } from '@sevenfold/text/told';
import type { Deps } from '../deps';
import { postListArgs } from '../posts/args';
import { findIdByPath, pathBelowSite } from '../posts/find-by-url';
import { prepareList } from '../posts/list';
import { listPosts } from '../posts/run-list';
import { JOINS, type Row, columnsOf, selectOf } from '../posts/told';
import { termLink } from '../terms/presenter';
import * as terms from '../terms/store';
import { type TaxonomyName, taxonomies } from '../terms/taxonomies';
import { AUTHORS } from '../users/embed';
import { userLink } from '../users/presenter';
import * as users from '../users/store';

const NUMBERED = ['p', 'page_id', 'attachment_id'];

/** As columns keep it; undefined for addresses of other sites. */
function pathOf(siteUrl: string, url: string): string | undefined {
  const plain = URL.canParse(url) ? new URL(url) : undefined;
  if (!plain) return undefined;
  plain.search = '';
  return pathBelowSite(siteUrl, plain.href)?.replace(/\/{2,}/g, '/');
}

/** What is chosen for the address hangs on whatever comes there or leaves it (migrations/0019_narrower_news.sql). */
export function tagsOfAddress({ siteUrl }: Pick<Deps, 'siteUrl'>, url: string): string[] {
  const path = pathOf(siteUrl, url) ?? '';
  const paths = path === '' ? [] : [...new Set([path, path.toLowerCase()])];
  return paths.map((one) => `at:${createHash('md5').update(one).digest('hex')}`);
}

/** What a list is chosen from. */
const SETS = ['post', 'category', 'post_tag', 'calendar_events_cat', 'user'];

/** Whether there is a list of an author hangs on whatever he has published, pages too. */
export function tagsOfCollection(deps: Pick<Deps, 'siteUrl'>, url: string): string[] {
  const isAuthor = pathOf(deps.siteUrl, url)?.toLowerCase().startsWith('author/') === true;
  return [...SETS, ...(isAuthor ? [AUTHORS] : []), ...tagsOfAddress(deps, url)];
}

export async function findItem(
  { db, siteUrl }: Deps,
  url: string,
  most = ON_A_PAGE,
): Promise<Row | undefined> {
  const path = pathOf(siteUrl, url);
  if (path === undefined) return undefined;
  const id = path === '' ? numberIn(url) : await idAt(db, path);
  return id === undefined ? undefined : db.first<Row>(`${selectOf(most)} where p.id = $1`, [id]);
}

const idAt = async (db: Deps['db'], path: string): Promise<number | undefined> =>
  (await findIdByPath(db, path)) ??
  (path === path.toLowerCase() ? undefined : findIdByPath(db, path.toLowerCase()));

function numberIn(url: string): number | undefined {
  const { searchParams } = new URL(url);
  // With a type it is another service's.
  if (searchParams.has('post_type')) return undefined;
  const text = NUMBERED.map((name) => searchParams.get(name)).find((value) => value !== null);
  return text !== undefined && text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Whose posts they are. */
export interface Collection {
  readonly kind: 'home' | 'author' | TaxonomyName;
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly link: string;
  readonly page: number;
}

export async function findCollection(deps: Deps, url: string): Promise<Collection | undefined> {
  const whole = pathOf(deps.siteUrl, url)?.toLowerCase();
  if (whole === undefined) return undefined;
  const paged = /^(?:(.*)\/)?page\/([1-9]\d{0,5})$/.exec(whole);
  const path = paged ? (paged[1] ?? '') : whole;
  const page = Number(paged?.[2] ?? 1);
  if (path === '') {
    // The home page, but not a number that leads nowhere.
    const numbered = NUMBERED.some((name) => new URL(url).searchParams.has(name));
    return numbered
      ? undefined
      : { kind: 'home', id: 0, title: '', description: '', link: `${deps.siteUrl}/`, page };
  }
  const slug = path.slice(path.lastIndexOf('/') + 1);
  if (path === `author/${slug}`) return authorOf(deps, slug, page);
  for (const { name, linkBase } of Object.values(taxonomies))
    if (path.startsWith(`${linkBase}/`)) return termOf(deps, name, slug, page);
  return undefined;
}

/** Who published nothing is nobody's business. */
async function authorOf({ db, siteUrl }: Deps, slug: string, page: number): Promise<Collection | undefined> {
  const user = await users.findBySlug(db, slug);
  if (!user?.published) return undefined;
  const { id, name, description } = user;
  return {
    kind: 'author',
    id,
    title: decodeEntities(name),
    description: shorten(description, MOST_DESCRIPTION),
    link: userLink(siteUrl, user),
    page,
  };
}

async function termOf(
  { db, siteUrl }: Deps,
  taxonomy: TaxonomyName,
  slug: string,
  page: number,
): Promise<Collection | undefined> {
  const term = await terms.findBySlug(db, taxonomy, slug);
  if (!term) return undefined;
  const { id, name, description } = term;
  return {
    kind: taxonomy,
    id,
    title: decodeEntities(name),
    description: shorten(description, MOST_DESCRIPTION),
    link: termLink(siteUrl, term),
    page,
  };
}

export interface Posts {
  readonly rows: readonly Row[];
  readonly pages: number;
}

export interface Asked {
  readonly perPage: number;
  readonly timezone: string;
  /** How much of their texts. */
  readonly most: Most;
}

/** Undefined beyond the last page. */
export async function postsOf(
  deps: Deps,
  { kind, id, page }: Collection,
  { perPage, timezone, most }: Asked,
): Promise<Posts | undefined> {
  if (kind === 'calendar_events_cat') return { rows: [], pages: 1 };
  const filter =
    kind === 'author'
      ? { author: [id] }
      : kind === 'category'
        ? // A list is asked for no more: what is in further terms is not on the page.
          { categories: (await terms.listDescendants(deps.db, [id])).slice(0, MOST_ITEMS) }
        : kind === 'post_tag'
          ? { tags: [id] }
          : {};
  const { args } = readArgs(postListArgs, { page, per_page: perPage, ...filter });
  const list = prepareList(stranger, 'post', args, { timezone, context: 'view' });
  try {
    const found = await listPosts<Row>(
      deps,
      stranger,
      { columns: columnsOf(most), joins: JOINS },
      list,
      args,
    );
    if (found.rows.length === 0 && page > 1) return undefined;
    return { rows: found.rows, pages: Math.max(1, Math.ceil(found.total / perPage)) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}
