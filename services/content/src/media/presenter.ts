/** From rows to public attachments: fields, links, and the HTML that shows the picture. */
import type { Actor } from '@sevenfold/chassis/actor';
import { can } from '@sevenfold/chassis/actor';
import { isoLocal } from '@sevenfold/text/dates';
import { escapeAttribute } from '@sevenfold/text/html';
import type { Link } from '@sevenfold/chassis/http/present';
import { commonLinks, curies, namespaceRoot, plainLink, postLink } from '../posts/links';
import { may } from '../posts/policy';
import { shownTitle } from '../posts/presenter';
import { isRasterMime } from '@sevenfold/chassis/files/file-types';
import type { WithGeneratedSlug } from '../posts/generated-slugs';
import type { MediaRow } from './store';

interface Site {
  readonly siteUrl: string;
  readonly root: string;
}

/**
 * Address of a file. Paths of stored ones hold nothing but plain letters (file-names.ts), so they need no escaping;
 * attachments of an imported site may name a file that stayed elsewhere, by its whole address.
 */
export const fileUrl = (siteUrl: string, path: string): string =>
  /^https?:\/\//.test(path) ? path : `${siteUrl}/uploads/${path}`;

export const besides = (path: string, file: string): string =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}${file}`;
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export interface PublicSize {
  readonly file: string;
  /** What is not known is absent. */
  readonly width?: number;
  readonly height?: number;
  readonly filesize?: number;
  readonly mime_type: string;
  readonly source_url: string;
}

/** The copies with their addresses, and the file itself as `full` when there are any. */
export function sizesOf(
  siteUrl: string,
  row: Pick<MediaRow, 'file' | 'mimeType' | 'details'>,
): Record<string, PublicSize> {
  const sizes: Record<string, PublicSize> = {};
  for (const [name, size] of Object.entries(row.details.sizes ?? {}))
    sizes[name] = { ...size, source_url: fileUrl(siteUrl, besides(row.file, size.file)) };
  if (Object.keys(sizes).length > 0) {
    sizes.full = {
      file: nameOf(row.file),
      ...measuresOf(row),
      mime_type: row.mimeType,
      source_url: fileUrl(siteUrl, row.file),
    };
  }
  return sizes;
}

/** Of a picture; nothing where they are not known. */
const measuresOf = ({
  details: { width, height },
}: Pick<MediaRow, 'details'>): { width?: number; height?: number } =>
  width && height ? { width, height } : {};

function detailsOf(siteUrl: string, row: MediaRow): object {
  const { image_meta, original_image } = row.details;
  const sizes = sizesOf(siteUrl, row);
  const filesize = row.filesize > 0 ? { filesize: row.filesize } : {};
  const measures = measuresOf(row);
  if (measures.width === undefined) return { ...filesize, sizes };
  return {
    ...measures,
    file: row.file,
    ...filesize,
    sizes,
    image_meta,
    ...(original_image === undefined ? {} : { original_image }),
  };
}

export function presentMedia(
  row: MediaRow | WithGeneratedSlug<MediaRow>,
  { siteUrl, root }: Site,
  editor?: Actor,
): object {
  const url = fileUrl(siteUrl, row.file);
  return {
    id: row.id,
    date: isoLocal(row.dateLocal),
    date_gmt: isoLocal(row.dateGmt),
    guid: { rendered: row.guid, raw: row.guid },
    modified: isoLocal(row.modifiedLocal),
    modified_gmt: isoLocal(row.modifiedGmt),
    slug: row.slug,
    status: row.status,
    type: 'attachment',
    link: postLink(siteUrl, row),
    title: { raw: row.titleRaw, rendered: shownTitle(row) },
    author: row.author,
    comment_status: row.commentStatus,
    ping_status: row.pingStatus,
    template: row.template,
    meta: [],
    permalink_template: plainLink(siteUrl, row),
    generated_slug: 'generatedSlug' in row ? row.generatedSlug : undefined,
    description: { raw: row.contentRaw, rendered: fileHtml(siteUrl, row) + row.contentHtml },
    caption: { raw: row.excerptRaw, rendered: row.excerptHtml || fileCaption(row) },
    alt_text: row.altText,
    media_type: isRasterMime(row.mimeType) ? 'image' : 'file',
    mime_type: row.mimeType,
    media_details: detailsOf(siteUrl, row),
    post: row.parent === 0 ? null : row.parent,
    source_url: url,
    missing_image_sizes: [],
    _links: linksOf(row, root, siteUrl, editor),
  };
}

function linksOf(row: MediaRow, root: string, siteUrl: string, editor?: Actor): Record<string, Link[]> {
  const links = commonLinks(root, row);
  if (!editor) return links;
  const self = [{ href: `${namespaceRoot(root)}/media/${row.id}` }];
  const before = Object.keys(links).length;
  if (can(editor, 'unfiltered_html')) links['core:action-unfiltered-html'] = self;
  if (may(editor, 'attachment', 'edit_others')) links['core:action-assign-author'] = self;
  if (Object.keys(links).length > before) links.curies = curies(siteUrl);
  return links;
}

/** A file that shows nothing by itself goes by its title. */
const fileCaption = ({ mimeType, titleHtml }: MediaRow): string =>
  isRasterMime(mimeType) || /^(?:image|audio|video)\//.test(mimeType) ? '' : `<p>${titleHtml}</p>\n`;

/** What stands before the description: the picture in its medium size, or a link to any other file. */
function fileHtml(siteUrl: string, row: MediaRow): string {
  const url = escapeAttribute(fileUrl(siteUrl, row.file));
  if (!isRasterMime(row.mimeType)) return `<p class="attachment"><a href='${url}'>${row.titleHtml}</a></p>\n`;
  const sizes = sizesOf(siteUrl, row);
  const shown = sizes.medium ?? { ...measuresOf(row), source_url: fileUrl(siteUrl, row.file) };
  const measures = shown.width ? `width="${shown.width}" height="${shown.height}" ` : '';
  const attributes = [
    `${measures}src="${escapeAttribute(shown.source_url)}"`,
    `class="attachment-medium size-medium" alt="${escapeAttribute(row.altText)}" decoding="async" loading="lazy"`,
  ];
  // Only copies that show the whole picture can stand for each other.
  const whole = [sizes.medium, sizes.large, sizes.medium_large, sizes.full].filter(
    (size) => size?.width !== undefined,
  ) as (PublicSize & { width: number })[];
  if (shown.width && whole.length > 1) {
    attributes.push(
      `srcset="${whole.map((size) => `${escapeAttribute(size.source_url)} ${size.width}w`).join(', ')}"`,
    );
    attributes.push(`sizes="(max-width: ${shown.width}px) 100vw, ${shown.width}px"`);
  }
  return `<p class="attachment"><a href='${url}'><img ${attributes.join(' ')} /></a></p>\n`;
}
