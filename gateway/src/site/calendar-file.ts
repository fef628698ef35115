/** `/calendar.ics` and `/events/{slug}.ics`: what the calendar has, for programs that subscribe to it. */
import { ApiError } from '@sevenfold/chassis/errors';
import type { SiteAddress } from './address';
import { movedOn } from './moved-on';
import { taggedAnswer } from './tagged';

const DEADLINE_MS = 10_000;

const ALL = '/calendar.ics';

export const calendarFile: SiteAddress = {
  name: 'calendar file',
  read: ({ path }) => (path === ALL ? '' : /^\/events\/([^/]{1,300})\.ics$/.exec(path)?.[1]),
  answer: async (slug, exchange, surroundings, seen) => {
    const { siteUrl, clients } = surroundings;
    exchange.by = 'calendar';
    const call = { requestId: exchange.id, deadlineMs: DEADLINE_MS, repeatable: true, seen };
    const file =
      slug === ''
        ? await clients.feeds.getCalendar({ query: exchange.query, address: `${siteUrl}${ALL}` }, call)
        : await clients.feeds.getEventFile({ slug: decodeURIComponent(slug) }, call).catch(unlessNone);
    if (!file) return movedOn(`/event/${slug}/`, toFile, exchange, surroundings);
    const { body, headers } = file;
    return taggedAnswer(body, {
      'Content-Type': 'text/calendar; charset=UTF-8',
      'Content-Disposition': `attachment; ${fileName(slug === '' ? 'calendar' : decodeURIComponent(slug))}`,
      ...headers,
    });
  },
};

function unlessNone(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

/** Of the page of an event. */
const toFile = (page: string): string => page.replace(/\/event\/([^/]+)\/$/, '/events/$1.ics');

/** What is no plain ASCII has a form of its own (RFC 8187), in which nothing can end the header. */
const fileName = (name: string): string =>
  /^[\w.-]+$/.test(name)
    ? `filename="${name}.ics"`
    : `filename="event.ics"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, escaped)}.ics`;

const escaped = (sign: string): string => `%${sign.charCodeAt(0).toString(16)}`;
