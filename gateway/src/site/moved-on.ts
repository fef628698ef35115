/**
 * What stands below an address that something had before stands below the one that it has now: frames in pages of other sites, and
 * programs that subscribed, keep the address for years.
 */
import type { Answer, Exchange } from '../edge/exchange';
import type { Surroundings } from './address';
import { moved } from './tagged';

const DEADLINE_MS = 2_000;

/**
 * `page` is the path of what moved, with its slash; `toAsked` makes of the address of its page that of what is asked for. Undefined where
 * nothing moved, or nobody can say: then the addresses behind answer, which know what to say of that.
 */
export async function movedOn(
  page: string,
  toAsked: (page: string) => string,
  exchange: Exchange,
  { siteUrl, clients }: Surroundings,
): Promise<Answer | undefined> {
  const call = { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true };
  const answer = await clients.seo.resolveUrl({ url: `${siteUrl}${page}` }, call).catch(() => undefined);
  // Never off the site, and below a path alone.
  if (answer?.status !== 301 || !answer.location.startsWith(`${siteUrl}/`)) return undefined;
  const { href, search } = new URL(answer.location);
  if (search !== '') return undefined;
  exchange.by = 'seo';
  return moved(toAsked(href));
}
