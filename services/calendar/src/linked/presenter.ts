/** The fields that venues and organizers show alike, in the order clients know. Empty ones are left out. */
import { shownDateUtc, wireDate } from '../common/dates';
import { presentedTexts } from '../common/fields';
import { globalIdOf, lineageOf } from '../common/global-id';
import { presentImage } from '../content/images';
import { publicLink } from '../common/links';
import type { Media } from '../content/known';
import { type LinkedRow, plainFields } from './fields';

export interface PresentOptions {
  readonly siteUrl: string;
  readonly media: ReadonlyMap<number, Media>;
  /** With structured data: answers that show one thing only. */
  readonly single: boolean;
}

export const filled = (text: string): string | undefined => text || undefined;

export function presentStart(
  row: LinkedRow,
  kind: 'venue' | 'organizer',
  { siteUrl }: PresentOptions,
): Record<string, unknown> {
  return {
    id: row.id,
    author: String(row.author),
    status: row.status,
    date: wireDate(row.dateLocal),
    date_utc: shownDateUtc(row),
    modified: wireDate(row.modifiedLocal),
    modified_utc: wireDate(row.modifiedUtc),
    url: publicLink(siteUrl, kind, row),
    [kind]: row.name,
    description: filled(row.descriptionHtml.trim()),
  };
}

export const presentMiddle = (row: LinkedRow, { media }: PresentOptions): Record<string, unknown> => ({
  slug: filled(row.slug),
  image: presentImage(media.get(row.imageId)) || undefined,
});

export const presentContact = (row: LinkedRow): Record<string, unknown> => ({
  ...presentedTexts(plainFields, row),
  website: filled(row.website),
});

export const presentEnd = (row: LinkedRow, { siteUrl }: PresentOptions): Record<string, unknown> => ({
  global_id: globalIdOf(siteUrl, row),
  global_id_lineage: lineageOf(siteUrl, row),
});
