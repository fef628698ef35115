/** The head of a page at any address of the site, for whoever makes the page: what may be shown there is as the owners say, as on our own pages. */
import { type Seen, openSeen } from '@sevenfold/chassis/news/seen';
import type { Surroundings } from './address';
import { type Asked, OWNER_MS, ask } from './ask';
import { headOf, isHeadOf } from './head';
import type { Head } from './head-html';
import { LONGEST, addressOf, givenAddress, isSameAddress } from './named';

export interface HeadAt extends Head {
  /** Whether something public stands there; else it is the head of a page that says so. */
  readonly found: boolean;
}

/** Throws 503 where whoever may know is away. */
export async function headAt(
  url: string,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<HeadAt> {
  const head = (await searchHead(url, surroundings, seen)) ?? (await shownAt(url, id, surroundings, seen));
  if (head) return { found: true, html: head.html, json: head.json };
  const { html, json } = await surroundings.clients.seo.headFor(
    { url: '' },
    { deadlineMs: OWNER_MS, repeatable: true, seen },
  );
  return { found: false, html, json };
}

/** A search shows nothing of anybody but what was searched for: the index alone knows its head. */
async function searchHead(
  url: string,
  { siteUrl, clients }: Surroundings,
  seen: Seen,
): Promise<Head | undefined> {
  const query = givenAddress(url, siteUrl)?.query;
  if (query === undefined || !new URLSearchParams(query).has('s')) return undefined;
  const own = openSeen();
  const head = await clients.seo.headFor({ url }, { deadlineMs: OWNER_MS, repeatable: true, seen: own });
  if (head.objectType !== 'search') return undefined;
  seen.add(own);
  return head;
}

async function shownAt(
  url: string,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Head | undefined> {
  const given = givenAddress(url, surroundings.siteUrl);
  if (!given || given.path.length > LONGEST) return undefined;
  const address = addressOf(given.path, given.query, surroundings.siteUrl);
  if (!address) return undefined;
  const asked = await ask(address, given.path, id, surroundings, seen);
  return asked.found
    ? headOf(asked.found, asked, id, surroundings, seen)
    : elsewhere(asked, address, id, surroundings, seen);
}

/** Where the index says that it is now, if its owners show it there. */
async function elsewhere(
  before: Asked,
  address: URL,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Head | undefined> {
  const { siteUrl } = surroundings;
  const { status, location, page } = await before.resolved;
  // A front end has pages of a length of its own: a list may go on for longer there.
  const isLater = status === 200 && page > 1;
  const to = givenAddress(isLater ? location.replace(/page\/\d+\/$/, '') : location, siteUrl);
  const now = to && addressOf(to.path, to.query, siteUrl);
  if (!now || isSameAddress(now, address)) return undefined;
  const known = await before.head.html;
  seen.add(before.head.seen);
  const asked = await ask(now, to.path, id, surroundings, seen);
  if (!asked.found) {
    await asked.resolved;
    return undefined;
  }
  if (!isLater) return headOf(asked.found, asked, id, surroundings, seen);
  return known?.found && asked.found.kind === 'archive' && isHeadOf(known, asked.found) ? known : undefined;
}
