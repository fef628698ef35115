/** From rows to public organizers, alone and inside events. */
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
import { type OrganizerRow, plainFields } from './fields';
import { obfuscateEmail } from './obfuscate';

export const presentOrganizer = (row: OrganizerRow, options: PresentOptions): object =>
  compact({
    ...presentStart(row, 'organizer', options),
    excerpt: filled(row.excerptHtml.trim()),
    ...presentMiddle(row, options),
    ...presentContact(row),
    ...presentedTexts(plainFields, row),
    json_ld: options.single ? organizerJsonLd(row, options.media) : undefined,
    ...presentEnd(row, options),
  });

/** schema.org Person. */
export const organizerJsonLd = (row: OrganizerRow, media: ReadonlyMap<number, Media>): object =>
  compact({
    '@type': 'Person',
    name: row.name,
    description: jsonLdText(row.descriptionHtml),
    image: media.get(row.imageId)?.url,
    url: '',
    telephone: row.phone,
    email: obfuscateEmail(row.email),
    sameAs: row.website,
  });
