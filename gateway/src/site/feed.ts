/**
 * `/feed/`, also below the address of a term or an author: the newest posts, for programs that look for them. Below an item it
 * has the comments on that, and `/comments/feed/` those on everything.
 */
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { Answer, Exchange } from '../edge/exchange';
import type { SiteAddress, Surroundings } from './address';
import { commentFeedXml, feedXml } from './feed-xml';
import { movedOn } from './moved-on';
import { isSamePath, moved, taggedAnswer } from './tagged';

const DEADLINE_MS = 5_000;

const FEED = /^(.*)\/feed\/?$/i;
const COMMENTS = /^\/comments$/i;

export const siteFeed: SiteAddress = {
  name: 'feed',
  read: ({ path }) => (FEED.test(path) ? path : undefined),
  answer: async (path, exchange, surroundings, seen) => {
    const [, below = ''] = FEED.exec(path) ?? [];
    const call = { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true, seen };
    const asked: Asked = { path, below, exchange, surroundings, call };
    if (COMMENTS.test(below)) return answerComments(asked, '');
    return (
      (await answerPosts(asked)) ??
      (await answerComments(asked, `${surroundings.siteUrl}${below}/`)) ??
      movedOn(`${below}/`, (page) => `${page}feed/`, exchange, surroundings)
    );
  },
};

interface Asked {
  readonly path: string;
  /** What stands before `/feed/`. */
  readonly below: string;
  readonly exchange: Exchange;
  readonly surroundings: Surroundings;
  readonly call: CallOptions;
}

async function answerPosts({
  path,
  below,
  exchange,
  surroundings,
  call,
}: Asked): Promise<Answer | undefined> {
  const { siteUrl, clients, facts } = surroundings;
  const url = below === '' ? '' : `${siteUrl}${below}/`;
  const { site, items, terms, archive } = await clients.pages.listNewest({ url }, call);
  // Pages of a list have no feed, and the calendar has one of its own.
  if (!archive || archive.page > 1) return undefined;
  exchange.by = 'content';
  const address = `${archive.link}feed/`;
  if (isElsewhere(address, path, siteUrl)) return moved(address);
  const ids = [...new Set(items.flatMap(({ picture, featuredMedia }) => (picture ? [featuredMedia] : [])))];
  const { media } = ids.length > 0 ? await clients.media.getMedia({ ids }, call) : { media: [] };
  const xml = feedXml({
    siteUrl,
    address,
    archive,
    facts: facts.learn(site),
    posts: items,
    terms: new Map(terms.map((term) => [term.id, term])),
    pictures: media.filter(({ access, isImage }) => isImage && access?.public),
  });
  return rss(xml);
}

/** `url` is the item's; empty: of all. What stands there may be a page of that name. */
async function answerComments(
  { path, exchange, surroundings, call }: Asked,
  url: string,
): Promise<Answer | undefined> {
  const { siteUrl, clients, facts } = surroundings;
  const { site, comments, posts } = await clients.pages.listNewestComments({ url }, call);
  const [item] = url === '' ? [] : posts;
  if (url !== '' && !item) return undefined;
  exchange.by = 'content';
  const address = item ? `${item.link}feed/` : `${siteUrl}/comments/feed/`;
  if (isElsewhere(address, path, siteUrl)) return moved(address);
  return rss(commentFeedXml({ siteUrl, address, facts: facts.learn(site), item, posts, comments }));
}

const isElsewhere = (address: string, path: string, siteUrl: string): boolean =>
  !isSamePath(new URL(address).pathname, new URL(`${siteUrl}${path}`).pathname);

const rss = (xml: string): Answer =>
  taggedAnswer(Buffer.from(xml), { 'Content-Type': 'application/rss+xml; charset=UTF-8' });
