/** The calendar as files, for the gateway, which gives them an address. Everybody may read them, so they hold what strangers see. */
import { stranger } from '@sevenfold/chassis/actor';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { readArgs } from '@sevenfold/chassis/http/read-args';
import { parseQuery } from '@sevenfold/chassis/http/body';
import { pagingHeaders } from '@sevenfold/chassis/http/paging';
import { anyone } from '@sevenfold/chassis/http/route';
import { joinTags, nextQuarter } from '@sevenfold/chassis/http/shows';
import { type FeedServiceServer, FeedServiceService } from '@sevenfold/proto/gen/sevenfold/calendar/v1/feeds';
import { slugify } from '@sevenfold/text/slug';
import { ANYTHING, ofContent } from '../content/news';
import type { Deps } from '../deps';
import { eventNotFound } from '../events/errors';
import { listEvents } from '../events/list';
import { around, tagsOf } from '../events/presenter';
import { isOfTheMoment, listQuery, listTags } from '../events/query';
import { withoutTexts } from './without-texts';
import { feedArgs } from './args';
import { calendarText } from './calendar';
import { type TellableEvent, findPublished, findPublishedBySlug } from './store';

/** Whoever wants to read more of one event than this opens its page, or its own file. */
const MOST_TEXT = 4_000;
const MOST_TEXT_ALONE = 60_000;
/** So many times as much is read: most of it may be markup. */
const MARKUP = 8;

/** What an answer brings along is bounded. */
const MOST_TAG_BYTES = 5_000;

export const feedService = (deps: Deps): RpcService =>
  rpcService<FeedServiceServer>(FeedServiceService, {
    getCalendar: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ query, address }, { show }) => {
        // Its window is of the day that it is now.
        const until = nextQuarter(Date.now());
        const asked = readArgs(feedArgs, parseQuery(query));
        const wanted = listQuery(asked);
        const { rows, total } = await listEvents(deps, stranger, wanted);
        const ids = rows.map(({ id }) => id);
        const events = await findPublished(deps.db, ids, MARKUP * MOST_TEXT);
        const { text, tags } = await tell(deps, events, MOST_TEXT, await nameOf(deps));
        const all = [...listTags(asked), ofContent.name, ...tags];
        if (!isOfTheMoment(asked)) show(joinTags(all).length > MOST_TAG_BYTES ? ANYTHING : all, { until });
        const { page, per_page: perPage } = wanted;
        return {
          body: Buffer.from(text),
          headers: pagingHeaders({ address, total, page, perPage }, query),
        };
      },
    },
    getEventFile: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ slug }, { show }) => {
        const event = await findPublishedBySlug(deps.db, slugify(slug), MARKUP * MOST_TEXT_ALONE);
        if (!event) throw eventNotFound();
        const { text, tags } = await tell(deps, [event], MOST_TEXT_ALONE);
        show(tags);
        return { body: Buffer.from(text), headers: {} };
      },
    },
  });

async function tell(
  deps: Deps,
  events: readonly TellableEvent[],
  mostText: number,
  name?: string,
): Promise<{ readonly text: string; readonly tags: readonly string[] }> {
  const { siteUrl, known } = deps;
  const { all, readable } = await around({ ...deps, linked: withoutTexts(deps.db) }, events, stranger);
  const about = { siteUrl, mostText, name, zone: await known.timezone() };
  return { text: calendarText(events, readable, about), tags: events.flatMap((event) => tagsOf(event, all)) };
}

async function nameOf({ known, siteUrl }: Deps): Promise<string> {
  const title = ((await known.settings())?.title ?? '').trim();
  return title === '' ? new URL(siteUrl).host : title;
}
