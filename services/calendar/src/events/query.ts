/** What a list of events asks for, whichever door it came in by, and what its answer hangs on. */
import { ofContent } from '../content/news';
import type { ListQuery } from './list-filters';

interface Asked {
  readonly args: object;
  /** Names the client sent, as opposed to defaults. */
  readonly sent: ReadonlySet<string>;
}

/** The default window is of the site's clock, which the argument table does not know. */
export function listQuery({ args, sent }: Asked): ListQuery {
  const query = { ...args } as { -readonly [K in keyof ListQuery]: ListQuery[K] };
  if (!sent.has('start_date')) delete query.start_date;
  if (!sent.has('end_date')) delete query.end_date;
  return query;
}

/** In zones of a site days begin at quarters of an hour; who asks may name any other. */
const OF_THE_MOMENT = /sec|min|[+-]\d{1,2}:?(?!00|15|30|45)[0-5]\d/i;

/** Minutes from now may lead into another day at any moment, not only where a day begins. */
export const isOfTheMoment = ({ args, sent }: Asked): boolean => {
  const dates = args as Pick<ListQuery, 'start_date' | 'end_date'>;
  return (['start_date', 'end_date'] as const).some(
    (name) => sent.has(name) && OF_THE_MOMENT.test(dates[name] ?? ''),
  );
};

/** Sets that the list is chosen from (chassis/http/shows.ts). Its window begins with a day of the site. */
export function listTags({ args, sent }: Asked): string[] {
  const { venue = [], organizer = [] } = args as Pick<ListQuery, 'venue' | 'organizer'>;
  return [
    'event',
    ofContent.zone,
    // What is at a place that nobody may see any more is refused.
    ...venue.map((id) => `venue:${id}`),
    ...organizer.map((id) => `organizer:${id}`),
    ...(sent.has('search') ? ['words'] : []),
    // Where venues are, and which category is below which.
    ...(['geoloc', 'geoloc_lat', 'geoloc_lng'].some((name) => sent.has(name)) ? ['venue'] : []),
    ...(sent.has('categories') ? [ofContent.categories] : []),
    ...(sent.has('tags') ? [ofContent.tags] : []),
  ];
}
