/** From rows to events, with what they are linked to and the reader may see: terms, picture, venue, organizers. */
import { admits } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { decodeEntities, escapeAttribute, stripTags } from '@sevenfold/text/html';
import { zoneAbbreviation, zoneOffsetHours } from '@sevenfold/text/dates';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { dateDetails, shownDateUtc, wireDate } from '../common/dates';
import { presented } from '../common/fields';
import { globalIdOf, lineageOf } from '../common/global-id';
import { presentImage } from '../content/images';
import { compact, jsonLdText } from '../common/json-ld';
import { namespaceRoot, publicLink } from '../common/links';
import { isShown } from '../common/policy';
import { isPublic } from '@sevenfold/publishing/statuses';
import type { Media, Term } from '../content/known';
import { ofContent } from '../content/news';
import { CATEGORY, TAG } from '../content/resolve-terms';
import type { Deps } from '../deps';
import { organizerJsonLd, presentOrganizer } from '../organizers/presenter';
import type { OrganizerRow } from '../organizers/fields';
import { presentVenue, venueJsonLd } from '../venues/presenter';
import type { VenueRow } from '../venues/fields';
import { formatCost, lowestPrice } from './cost';
import { plainFields } from './fields';
import type { EventItem } from './schema';
import type { EventRow } from './store';

/** What events are linked to. */
export interface Around {
  readonly terms: ReadonlyMap<number, Term>;
  readonly media: ReadonlyMap<number, Media>;
  readonly venues: ReadonlyMap<number, VenueRow>;
  readonly organizers: ReadonlyMap<number, OrganizerRow>;
}

/**
 * With the venues, organizers and pictures that the reader may read; the others are left out. `single`: reads of one
 * event also carry structured data.
 */
export async function presentEvents(
  deps: Deps,
  rows: readonly EventRow[],
  actor: Actor,
  single = false,
): Promise<object[]> {
  return (await showEvents(deps, rows, actor, single)).map(({ item }) => item);
}

export interface ShownEvent {
  readonly item: object;
  /** Everything it is linked to is public: all readers see the same. */
  readonly sameForAll: boolean;
  /** What it shows (chassis/http/shows.ts). */
  readonly tags: readonly string[];
}

export async function showEvents(
  deps: Deps,
  rows: readonly EventRow[],
  actor: Actor,
  single = false,
): Promise<ShownEvent[]> {
  const { all, readable } = await around(deps, rows, actor);
  return rows.map((row) => ({
    item: presentEvent(deps, row, readable, single),
    sameForAll: isPublicAround(row, all),
    tags: tagsOf(row, all),
  }));
}

/** All of it, and what of it the reader may read. */
export async function around(
  deps: Deps,
  rows: readonly EventRow[],
  actor: Actor,
): Promise<{ readonly all: Around; readonly readable: Around }> {
  const [venues, organizers, terms] = await Promise.all([
    deps.linked.venues(rows.map((row) => row.venueId)),
    deps.linked.organizers(rows.flatMap((row) => row.organizerIds)),
    deps.known.terms(rows.flatMap((row) => [...row.categoryIds, ...row.tagIds])),
  ]);
  const images = [rows, venues.values(), organizers.values()].flatMap((list) =>
    [...list].map(({ imageId }) => imageId),
  );
  const media = await deps.known.media([...new Set(images)].filter((id) => id !== 0));
  const all = { terms, media, venues, organizers };
  const readable = {
    terms,
    media: kept(media, ({ access }) => admits(access, actor)),
    venues: kept(venues, (venue) => isShown(actor, venue)),
    organizers: kept(organizers, (organizer) => isShown(actor, organizer)),
  };
  return { all, readable };
}

/** Also of what is left out: it may be shown once that changes. */
export function tagsOf(row: EventRow, { venues, organizers }: Around): string[] {
  const linked = [venues.get(row.venueId), ...row.organizerIds.map((id) => organizers.get(id))];
  const images = [row, ...linked].flatMap((one) => (one && one.imageId !== 0 ? [one.imageId] : []));
  return [
    `event:${row.id}`,
    ...(row.venueId === 0 ? [] : [`venue:${row.venueId}`]),
    ...row.organizerIds.map((id) => `organizer:${id}`),
    ...[...row.categoryIds, ...row.tagIds].map((id) => `${ofContent.term}:${id}`),
    ...images.map((id) => `${ofContent.file}:${id}`),
  ];
}

const kept = <T>(map: ReadonlyMap<number, T>, keep: (value: T) => boolean): ReadonlyMap<number, T> =>
  new Map([...map].filter(([, value]) => keep(value)));

function isPublicAround(row: EventRow, { venues, organizers, media }: Around): boolean {
  const linked = [venues.get(row.venueId), ...row.organizerIds.map((id) => organizers.get(id))];
  const isOpen = (id: number): boolean => media.get(id)?.access?.public !== false;
  return (
    isOpen(row.imageId) &&
    linked.every((one) => !one || one.status === 'trash' || (isPublic(one.status) && isOpen(one.imageId)))
  );
}

function presentEvent(deps: Deps, row: EventRow, around: Around, single: boolean): object {
  const { siteUrl, root } = deps;
  const { media } = around;
  const url = publicLink(siteUrl, 'event', row);
  const [startLocal, endLocal] = [wireDate(row.startLocal), wireDate(row.endLocal)];
  const [startUtc, endUtc] = [wireDate(row.startUtc), wireDate(row.endUtc)];
  const venue = around.venues.get(row.venueId);
  const organizers = row.organizerIds.flatMap((id) => around.organizers.get(id) ?? []);
  const options = { siteUrl, media, single };
  const item: EventItem = {
    id: row.id,
    global_id: globalIdOf(siteUrl, row),
    global_id_lineage: lineageOf(siteUrl, row),
    author: String(row.author),
    status: row.status,
    date: wireDate(row.dateLocal),
    date_utc: shownDateUtc(row),
    modified: wireDate(row.modifiedLocal),
    modified_utc: wireDate(row.modifiedUtc),
    url,
    rest_url: `${namespaceRoot(root)}/events/${row.id}`,
    title: row.titleHtml,
    description: row.descriptionHtml.trim(),
    excerpt: row.excerptHtml.trim(),
    slug: row.slug,
    image: presentImage(media.get(row.imageId)),
    all_day: row.allDay,
    start_date: startLocal,
    start_date_details: dateDetails(startLocal),
    end_date: endLocal,
    end_date_details: dateDetails(endLocal),
    utc_start_date: startUtc,
    utc_start_date_details: dateDetails(startUtc),
    utc_end_date: endUtc,
    utc_end_date_details: dateDetails(endUtc),
    timezone: row.timezone,
    timezone_abbr: zoneAbbreviation(row.timezone, fromSqlUtc(startUtc)),
    cost: formatCost(row.costDetails, deps.config.DEFAULT_CURRENCY_SYMBOL),
    cost_details: {
      currency_symbol: row.costDetails.symbol,
      currency_position: row.costDetails.position,
      values: row.costDetails.values,
    },
    website: row.website === null ? url : escapeAttribute(row.website),
    ...presented(plainFields, row),
    categories: presentTerms(root, row.categoryIds, CATEGORY, around.terms),
    tags: presentTerms(root, row.tagIds, TAG, around.terms),
    venue: venue ? presentVenue(venue, options) : [],
    organizer: organizers.map((organizer) => presentOrganizer(organizer, options)),
  };
  if (single) item.json_ld = eventJsonLd(row, url, media, venue, organizers[0]);
  return item;
}

const collections = { [CATEGORY]: 'categories', [TAG]: 'tags' } as const;

function byName(one: Term, other: Term): number {
  const [a, b] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : one.id - other.id;
}

/** In the order of their names; a term that is gone leaves no trace. */
function presentTerms(
  root: string,
  ids: readonly number[],
  taxonomy: keyof typeof collections,
  terms: ReadonlyMap<number, Term>,
): object[] {
  if (ids.length === 0) return [];
  const collection = `${namespaceRoot(root)}/${collections[taxonomy]}`;
  return ids
    .flatMap((id) => terms.get(id) ?? [])
    .filter((term) => term.taxonomy === taxonomy)
    .sort(byName)
    .map((term) => ({
      name: term.name,
      slug: term.slug,
      term_group: 0,
      term_taxonomy_id: term.id,
      taxonomy: term.taxonomy,
      description: term.description,
      parent: term.parent,
      count: term.count,
      filter: 'raw',
      id: term.id,
      urls: compact({
        self: `${collection}/${term.id}`,
        collection,
        up: term.parent === 0 ? undefined : `${collection}/${term.parent}`,
      }),
    }));
}

/** schema.org Event. */
function eventJsonLd(
  row: EventRow,
  url: string,
  media: ReadonlyMap<number, Media>,
  venue: VenueRow | undefined,
  organizer: OrganizerRow | undefined,
): object {
  const price = lowestPrice(row.costDetails);
  return compact({
    '@context': 'http://schema.org',
    '@type': 'Event',
    // What clients put into a script must not end it.
    name: decodeEntities(stripTags(row.titleHtml)).replaceAll('<', '&lt;'),
    description: jsonLdText(row.excerptHtml || row.descriptionHtml),
    image: media.get(row.imageId)?.url,
    url,
    startDate: withOffset(row.startLocal, row.startUtc, row.timezone),
    endDate: withOffset(row.endLocal, row.endUtc, row.timezone),
    location: venue && venueJsonLd(venue, media),
    organizer: organizer && organizerJsonLd(organizer, media),
    offers: price === undefined ? undefined : { '@type': 'Offer', price, url },
  });
}

/** `2026-10-31T16:00:00-04:00` */
function withOffset(local: string, utc: string, timezone: string): string {
  const minutes = Math.round(zoneOffsetHours(timezone, fromSqlUtc(utc)) * 60);
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${wireDate(local).replace(' ', 'T')}${offset}`;
}
