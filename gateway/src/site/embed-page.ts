/** `…/embed/` below any permalink: the item as a small page that other sites show in a frame. */
import type { SiteAddress } from './address';
import { movedOn } from './moved-on';

const DEADLINE_MS = 5_000;

/** What has no path of its own is asked for by its number. */
export const isNumbered = (path: string, query: string): boolean =>
  path === '/' && /(?:^|&)embed=true(?:&|$)/.test(query);

export const embedPage: SiteAddress = {
  name: 'embed page',
  read: ({ path, query }) => {
    const [, page] = /^(.*\/)embed\/*$/.exec(path) ?? [];
    if (page !== undefined) return page;
    return isNumbered(path, query) ? `/?${query}` : undefined;
  },
  answer: async (page, exchange, surroundings, seen) => {
    const { siteUrl, clients } = surroundings;
    exchange.by = 'oembed';
    const { found, html, contentSecurityPolicy } = await clients.oembed.renderEmbedPage(
      { url: `${siteUrl}${page}` },
      { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true, seen },
    );
    if (!found)
      return page.includes('?') ? undefined : movedOn(page, (now) => `${now}embed/`, exchange, surroundings);
    return {
      status: 200,
      headers: {
        Allow: 'GET',
        'Content-Type': 'text/html; charset=UTF-8',
        'Content-Security-Policy': contentSecurityPolicy,
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        // What was taken back must not be shown any longer.
        'Cache-Control': 'no-cache',
      },
      body: Buffer.from(html),
    };
  },
};
