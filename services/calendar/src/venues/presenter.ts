/** From rows to public venues, alone and inside events. Empty fields are left out, as clients are used to. */
import { shownDateUtc, wireDate } from '../common/dates';
import { globalIdOf, lineageOf } from '../common/global-id';
import { presentImage } from '../common/images';
import { compact, jsonLdText } from '../common/json-ld';
import { publicLink } from '../common/links';
import type { Media } from '../content/known';
import type { VenueRow } from './store';

export interface PresentOptions {
  readonly siteUrl: string;
  readonly media: ReadonlyMap<number, Media>;
  /** With structured data: answers that show one thing only. */
  readonly single: boolean;
}

export function presentVenue(row: VenueRow, options: PresentOptions): object {
  const { siteUrl, media, single } = options;
  const filled = (text: string): string | undefined => text || undefined;
  return compact({
    id: row.id,
    author: String(row.author),
    status: row.status,
    date: wireDate(row.dateLocal),
    date_utc: shownDateUtc(row),
    modified: wireDate(row.modifiedLocal),
    modified_utc: wireDate(row.modifiedUtc),
    url: publicLink(siteUrl, 'venue', row),
    venue: filled(row.name),
    description: filled(row.descriptionHtml.trim()),
    slug: filled(row.slug),
    image: presentImage(media.get(row.imageId)) || undefined,
    address: filled(row.address),
    city: filled(row.city),
    country: filled(row.country),
    province: filled(row.province),
    state: filled(row.state),
    zip: filled(row.zip),
    phone: filled(row.phone),
    website: filled(row.website),
    stateprovince: filled(row.stateprovince),
    geo_lat: row.geoLat ?? undefined,
    geo_lng: row.geoLng ?? undefined,
    json_ld: single ? venueJsonLd(row, media) : undefined,
    show_map: row.showMap,
    show_map_link: row.showMapLink,
    global_id: globalIdOf(siteUrl, row),
    global_id_lineage: lineageOf(siteUrl, row),
  });
}

/** schema.org Place. */
export function venueJsonLd(row: VenueRow, media: ReadonlyMap<number, Media>): object {
  const filled = (text: string): string | undefined => text || undefined;
  return compact({
    '@type': 'Place',
    name: row.name,
    description: jsonLdText(row.descriptionHtml),
    image: media.get(row.imageId)?.url,
    url: '',
    address: compact({
      '@type': 'PostalAddress',
      streetAddress: filled(row.address),
      addressLocality: filled(row.city),
      addressRegion: filled(row.stateprovince),
      postalCode: filled(row.zip),
      addressCountry: filled(row.country),
    }),
    geo:
      row.geoLat === null || row.geoLng === null
        ? undefined
        : { '@type': 'GeoCoordinates', latitude: row.geoLat, longitude: row.geoLng },
    telephone: row.phone,
    sameAs: row.website,
  });
}
