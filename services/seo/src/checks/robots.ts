/** What a page and the files beside it say to crawlers about being indexed. Pure. */
import { decodeEntities } from '@sevenfold/text/html';
import { attributesOf, nextMarkup } from '@sevenfold/text/markup';
import robotsParser from 'robots-parser';

/** What most crawlers obey that are not named themselves. */
const CRAWLER = 'Googlebot';

/** Whether robots.txt lets crawlers fetch the address. */
export const isAllowed = (robotsUrl: string, text: string, url: string): boolean =>
  robotsParser(robotsUrl, text).isAllowed(url, CRAWLER) !== false;

/** Whether a value of X-Robots-Tag or meta robots keeps the page out: `noindex`, `none`; those to other crawlers do not count. */
export function forbidsIndexing(directives: string): boolean {
  let isMeant = true;
  return directives.split(',').some((part) => {
    const [, agent, word] = /^(?:([\w-]+)\s*:)?(.*)$/s.exec(part.trim()) ?? [];
    // An agent counts until the next one: `otherbot: noindex, nofollow`.
    if (agent !== undefined && !TAKES_VALUE.has(agent.toLowerCase()))
      isMeant = agent.toLowerCase() === CRAWLER.toLowerCase();
    return isMeant && FORBIDS.has((word ?? '').trim().toLowerCase());
  });
}

const FORBIDS = new Set(['noindex', 'none']);
const TAKES_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/** The same for all `<meta name="robots">` of a page. */
export function pageForbidsIndexing(html: string): boolean {
  for (let found = nextMarkup(html, 0); found; found = nextMarkup(html, found.end)) {
    if (found.kind !== 'open' || found.name !== 'meta') continue;
    const attributes = attributesOf(html, found);
    const value = (name: string): string =>
      decodeEntities(attributes.find((attribute) => attribute.name === name)?.value ?? '');
    const name = value('name').trim().toLowerCase();
    if ((name === 'robots' || name === CRAWLER.toLowerCase()) && forbidsIndexing(value('content')))
      return true;
  }
  return false;
}
