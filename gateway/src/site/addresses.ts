/**
 * What stands at addresses of the site outside the interface, as a table: the first row that reads an address and finds
 * something there answers. Everybody may read it, and nobody is known here by a credential.
 */
import { noRoute } from '@sevenfold/chassis/errors';
import type { Seen } from '@sevenfold/chassis/news/seen';
import { type Answer, type Exchange, isReading } from '../edge/exchange';
import type { SiteAddress, Surroundings } from './address';
import { calendarFile } from './calendar-file';
import { crawlerFile } from './crawler-file';
import { embedPage } from './embed-page';
import { siteFeed } from './feed';
import { frontEnd } from './front-end';
import { itemPage } from './item-page';

const addresses: readonly SiteAddress[] = [
  crawlerFile,
  calendarFile,
  siteFeed,
  embedPage,
  frontEnd,
  itemPage,
];

/** Throws 404 where nothing stands there, and 503 where whoever knows is away. `seen` notes what the answer was made of. */
export async function answerSite(
  exchange: Exchange,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Answer> {
  const { method } = exchange;
  const rows = addresses.flatMap((row) => {
    const asked = row.read(exchange);
    return asked === undefined ? [] : [{ row, asked }];
  });
  if (!isReading(method)) throw noRoute();
  for (const { row, asked } of rows) {
    const found = await row.answer(asked, exchange, surroundings, seen);
    if (found) return found;
  }
  throw noRoute();
}
