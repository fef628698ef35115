/**
 * An address of an item or an archive: the item as a plain page, a redirect to where it is now, or what became of it.
 * With a front end, which makes pages of its own, the way there (front-end.ts).
 */
import type { Seen } from '@sevenfold/chassis/news/seen';
import { errors } from '../edge/errors';
import type { Answer, Exchange } from '../edge/exchange';
import type { SiteAddress, Surroundings } from './address';
import { LONGEST, addressOf, isSameAddress } from './named';
import { type Asked, type Found, ask } from './ask';
import { headOf } from './head';
import { mainHtml } from './content-html';
import { documentHtml, policyFor } from './document';
import { isNumbered } from './embed-page';
import { interfaceHtml } from './interface-html';
import { isSamePath, moved, taggedAnswer } from './tagged';
import { discoveryHtml, linkHeader, linkOf, pagesHtml } from './head-html';

export const itemPage: SiteAddress = {
  name: 'item page',
  read: ({ path, query }) =>
    path.startsWith('/') && path.length <= LONGEST && !isNumbered(path, query) ? path : undefined,
  answer: async (path, exchange, surroundings, seen) => {
    exchange.by = 'site';
    const address = addressOf(path, exchange.query, surroundings.siteUrl);
    if (!address) return undefined;
    if (isPlainly(exchange, surroundings)) return moved(address.href);
    const asked = await ask(address, path, exchange.id, surroundings, seen);
    return asked.found
      ? found(asked.found, asked, path, exchange.id, surroundings, seen)
      : gone(asked, address, surroundings.siteUrl);
  },
};

/** The proxy in front says that the client came without encryption, to a site that has it. */
const isPlainly = ({ request }: Exchange, { siteUrl, trustProxy }: Surroundings): boolean =>
  trustProxy &&
  siteUrl.startsWith('https:') &&
  String(request.headers['x-forwarded-proto']).split(',').at(-1)?.trim().toLowerCase() === 'http';

async function found(
  what: Found,
  asked: Asked,
  path: string,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Answer | undefined> {
  const { facts: now } = asked;
  const { siteUrl, explorer } = surroundings;
  const link = linkOf(what);
  const { pathname } = new URL(link);
  // Whoever asks by another form of the address shall know the one that lasts.
  if (!isSamePath(pathname, `${new URL(`${siteUrl}/`).pathname.slice(0, -1)}${path}`))
    return within(siteUrl, link);
  const head = await headOf(what, asked, id, surroundings, seen);
  const html = documentHtml({
    language: now.language,
    siteName: now.title,
    siteDescription: now.description,
    homeUrl: `${siteUrl}/`,
    head: [head.html, discoveryHtml(what, siteUrl), pagesHtml(what)].join('\n'),
    main: isFrontPage(what)
      ? `${mainHtml(what, now)}\n${interfaceHtml(siteUrl, explorer)}`
      : mainHtml(what, now),
  });
  return pageAnswer(html, {
    Link: linkHeader(what, siteUrl),
    'Content-Security-Policy': policyFor(siteUrl),
  });
}

const isFrontPage = (what: Found): boolean =>
  what.kind === 'archive' && what.archive.kind === 'home' && what.archive.page === 1;

const pageAnswer = (html: string, more: Readonly<Record<string, string>>): Answer =>
  taggedAnswer(
    Buffer.from(html),
    {
      'Content-Type': 'text/html; charset=UTF-8',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      ...more,
    },
    { page: true },
  );

/** Nobody has it now: what the index knows of what was there. */
async function gone({ resolved }: Asked, address: URL, siteUrl: string): Promise<Answer | undefined> {
  const { status, location } = await resolved;
  if (status === 410) throw errors.gone();
  if (location === '') return undefined;
  return isSameAddress(new URL(location), address) ? undefined : within(siteUrl, location);
}

/** Never off the site, whatever somebody says. */
const within = (siteUrl: string, location: string): Answer | undefined =>
  location.startsWith(`${siteUrl}/`) ? moved(new URL(location).href) : undefined;
