/** The files that crawlers ask for, by their paths. */
import type { RpcContext } from '@sevenfold/chassis/grpc/method';
import { answerOf, answersIn } from '../configurations/derive';
import type { Deps } from '../deps';
import { digestOf, make, makeStale } from './make';
import * as store from './store';
import { renderIndex, renderNews, renderRobots } from './xml';

type FileDeps = Pick<Deps, 'db' | 'log' | 'settings' | 'siteUrl'>;

export interface CrawlerFile {
  readonly contentType: string;
  readonly body: Buffer;
  /** ISO 8601; empty where nobody knows. */
  readonly modifiedUtc: string;
  /** The same as long as the body is. */
  readonly digest: string;
}

// The most that an index may name (sitemaps.org), and a sitemap of news (search engines).
const MOST_SITEMAPS = 50_000;
const MOST_NEWS = 1_000;
/** How many stale sitemaps a request for the index makes: the worker makes the others. */
const MADE_FOR_INDEX = 10;

/** Undefined where there is none. `show` is told which news make the answer old (migrations/0005_news.sql). */
export async function findCrawlerFile(
  deps: FileDeps,
  path: string,
  show: RpcContext['show'] = () => undefined,
): Promise<CrawlerFile | undefined> {
  // News leave their sitemap as time goes by: it is not kept.
  if (path !== '/sitemap-news.xml') show(tagsOf(path));
  const { settings, saved } = await deps.settings();
  if (path === '/robots.txt') {
    const disallowed = answerOf(answersIn(saved), 'disallowedPaths').split('\n').filter(Boolean);
    return file('text/plain; charset=UTF-8', renderRobots(deps.siteUrl, { ...settings, disallowed }));
  }
  if (settings.isHidden) return undefined;
  if (path === '/sitemap.xml') return index(deps, settings.newsSitemap, show);
  if (path === '/sitemap-news.xml' && settings.newsSitemap) {
    const posts = await store.listNews(deps.db, MOST_NEWS);
    return posts[0] && xml(renderNews(posts, settings.site));
  }
  const place = placeOf(path);
  return place && sitemap(deps, place);
}

function placeOf(path: string): store.Place | undefined {
  const [, kind, number] = /^\/sitemap-([a-z_]{1,50})-([1-9]\d{0,11})\.xml$/.exec(path) ?? [];
  return kind === undefined ? undefined : { kind, bucket: Number(number) - 1 };
}

function tagsOf(path: string): string[] {
  const place = placeOf(path);
  if (place) return [`map:${place.kind}-${place.bucket}`];
  return path === '/sitemap.xml' ? ['sitemap'] : [];
}

/** None where it would name nothing: the schema knows no empty one. */
async function index(
  deps: FileDeps,
  withNews: boolean,
  show: RpcContext['show'],
): Promise<CrawlerFile | undefined> {
  await makeStale(deps, MADE_FOR_INDEX);
  const [sitemaps, news] = await Promise.all([listMade(deps), withNews ? store.listNews(deps.db, 1) : []]);
  if (sitemaps.length + news.length === 0) return undefined;
  // The sitemap of news goes with the last of them, and nobody is told of that.
  if (news[0]) show([], { until: Date.parse(news[0].published) + store.NEWS_HOURS * 3_600_000 });
  return xml(renderIndex(deps.siteUrl, sitemaps, news[0]?.published));
}

/** Where there is none yet, what somebody else is making is waited for. */
async function listMade(deps: FileDeps): Promise<store.Listed[]> {
  const listed = await store.list(deps.db, MOST_SITEMAPS - 1);
  if (listed.length > 0) return listed;
  for (const place of await store.listStale(deps.db, 1)) await make(deps, place, true);
  return store.list(deps.db, MOST_SITEMAPS - 1);
}

async function sitemap(deps: FileDeps, place: store.Place): Promise<CrawlerFile | undefined> {
  if (await store.isStale(deps.db, place)) {
    // What there is serves while somebody else makes it anew.
    const made = await make(deps, place);
    if (!made && !(await store.find(deps.db, place))) await make(deps, place, true);
  }
  const kept = await store.find(deps.db, place);
  return kept && xml(kept.body, kept.modified, kept.digest);
}

/** Of what changes also where something leaves it, no time tells whether a client has it as it is: then its digest alone does. */
const xml = (body: string, modified?: string, digest?: string): CrawlerFile =>
  file('application/xml; charset=UTF-8', body, modified, digest);

const file = (contentType: string, body: string, modifiedUtc = '', digest = digestOf(body)): CrawlerFile => ({
  contentType,
  body: Buffer.from(body),
  modifiedUtc,
  digest,
});
