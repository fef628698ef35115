/** From rows to public venues, alone and inside events. */
import { presentedTexts } from '../common/fields';
import { compact, jsonLdText } from '../common/json-ld';
import type { Media } from '../content/known';
import {
  type PresentOptions,
  filled,
  presentContact,
  presentEnd,
  presentMiddle,
  presentStart,
} from '../linked/presenter';
import { type VenueRow, plainFields } from './fields';

export const presentVenue = (row: VenueRow, options: PresentOptions): object =>
  compact({
    ...presentStart(row, 'venue', options),
    ...presentMiddle(row, options),
    ...presentedTexts(plainFields, row),
    ...presentContact(row),
    stateprovince: filled(row.stateprovince),
    geo_lat: row.geoLat ?? undefined,
    geo_lng: row.geoLng ?? undefined,
    json_ld: options.single ? venueJsonLd(row, options.media) : undefined,
    show_map: row.showMap,
    show_map_link: row.showMapLink,
    ...presentEnd(row, options),
  });

/** schema.org Place. */
export const venueJsonLd = (row: VenueRow, media: ReadonlyMap<number, Media>): object =>
  compact({
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
