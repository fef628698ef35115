/** From rows to public organizers, alone and inside events. Empty fields are left out, as clients are used to. */
import { shownDateUtc, wireDate } from '../common/dates';
import { globalIdOf, lineageOf } from '../common/global-id';
import { presentImage } from '../common/images';
import { compact, jsonLdText } from '../common/json-ld';
import { publicLink } from '../common/links';
import { obfuscateEmail } from '../common/obfuscate';
import type { Media } from '../content/known';
import type { PresentOptions } from '../venues/presenter';
import type { OrganizerRow } from './store';

export function presentOrganizer(row: OrganizerRow, options: PresentOptions): object {
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
    url: publicLink(siteUrl, 'organizer', row),
    organizer: filled(row.name),
    description: filled(row.descriptionHtml.trim()),
    excerpt: filled(row.excerptHtml.trim()),
    slug: filled(row.slug),
    image: presentImage(media.get(row.imageId)) || undefined,
    phone: filled(row.phone),
    website: filled(row.website),
    email: filled(row.email),
    json_ld: single ? organizerJsonLd(row, media) : undefined,
    global_id: globalIdOf(siteUrl, row),
    global_id_lineage: lineageOf(siteUrl, row),
  });
}

/** schema.org Person. */
export function organizerJsonLd(row: OrganizerRow, media: ReadonlyMap<number, Media>): object {
  return compact({
    '@type': 'Person',
    name: row.name,
    description: jsonLdText(row.descriptionHtml),
    image: media.get(row.imageId)?.url,
    url: '',
    telephone: row.phone,
    email: obfuscateEmail(row.email),
    sameAs: row.website,
  });
}
