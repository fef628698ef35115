/**
 * What an export says of an event, a venue or an organizer, as columns. Its fields are entries of meta data with names of
 * the site's own; they are given the names that imports of events know, so that both are read alike. Pure.
 */
import { systemActor } from '@sevenfold/chassis/actor';
import type { AddItemRequest } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import type { Steps } from '@sevenfold/text/steps';
import type { Raw } from '../imports/fields';
import { type ParseContext, parsingEvent } from '../imports/parse-event';
import { parsingOrganizers, parsingVenue } from '../imports/parse-linked';
import type { Kind } from './store';

export interface Read {
  readonly title: string;
  readonly columns: Readonly<Record<string, unknown>>;
}

/** An export is the work of those who ran the site: its HTML is kept, as that of posts is. */
export const owner = systemActor(['manage_imports', 'unfiltered_html']);

const EVENT: Readonly<Record<string, string>> = {
  _EventStartDate: 'start_date',
  _EventEndDate: 'end_date',
  _EventTimezone: 'timezone',
  _EventAllDay: 'all_day',
  _EventCost: 'cost',
  _EventCurrencySymbol: 'currency_symbol',
  _EventCurrencyPosition: 'currency_position',
  _EventURL: 'url',
  _EventShowMap: 'show_map',
  _EventShowMapLink: 'show_map_link',
  _EventHideFromUpcoming: 'hide_from_listings',
};

const VENUE: Readonly<Record<string, string>> = {
  _VenueAddress: 'address',
  _VenueCity: 'city',
  _VenueCountry: 'country',
  _VenueProvince: 'province',
  _VenueState: 'state',
  _VenueStateProvince: 'stateprovince',
  _VenueZip: 'zip',
  _VenuePhone: 'phone',
  _VenueURL: 'website',
  _VenueLat: 'geo_lat',
  _VenueLng: 'geo_lng',
  _VenueShowMap: 'show_map',
  _VenueShowMapLink: 'show_map_link',
};

const ORGANIZER: Readonly<Record<string, string>> = {
  _OrganizerPhone: 'phone',
  _OrganizerWebsite: 'website',
  _OrganizerEmail: 'email',
};

/** What of the site decides how an item is read. */
type SiteStyle = Pick<ParseContext, 'siteZone' | 'sources'>;

/** In steps; the reason, where it makes no sense. */
export function readingItem(kind: Kind, item: AddItemRequest, site: SiteStyle): Steps<Read | string> {
  return kind === 'event' ? readingEvent(item, site) : readingLinked(kind, item, site);
}

function* readingEvent(item: AddItemRequest, { siteZone, sources }: SiteStyle): Steps<Read | string> {
  const said = named(item, EVENT);
  const raw: Record<string, unknown> = {
    ...said,
    // A row without a cost says so in all its parts.
    cost: said.cost ?? '',
    title: item.title,
    description: item.content,
    excerpt: item.excerpt,
    sticky: item.sticky,
    featured: item.meta.some(({ key, value }) => key.endsWith('_featured') && isTrue(value)),
  };
  // Sites of old kept the moment beside the clock; alone it will do.
  for (const which of ['start', 'end'] as const) {
    const moment = valueOf(item, which === 'start' ? '_EventStartDateUTC' : '_EventEndDateUTC');
    if (!raw[`${which}_date`] && moment) raw[`${which}_date`] = `${moment}+00:00`;
  }
  const parsed = yield* parsingEvent(raw, { actor: owner, sources, origin: '', siteZone, now: new Date() });
  return 'skipped' in parsed ? parsed.skipped.reason : parsed.event;
}

function* readingLinked(
  kind: 'venue' | 'organizer',
  item: AddItemRequest,
  { sources }: SiteStyle,
): Steps<Read | string> {
  const style = { actor: owner, sources };
  const raw: Raw = { ...named(item, kind === 'venue' ? VENUE : ORGANIZER), description: item.content };
  const read =
    kind === 'venue'
      ? yield* parsingVenue({ ...raw, venue: item.title }, style)
      : (yield* parsingOrganizers([{ ...raw, organizer: item.title }], style))?.[0];
  return read ? { title: read.name, columns: { name: read.name, ...read.columns } } : 'It has no name.';
}

const valueOf = ({ meta }: AddItemRequest, name: string): string | undefined =>
  meta.find(({ key }) => key === name)?.value;

/** By the names that imports know; what is not said is absent. */
const named = (item: AddItemRequest, names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const value = valueOf(item, key);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const isTrue = (value: string): boolean => /^(?:1|yes|true|on)$/i.test(value.trim());
