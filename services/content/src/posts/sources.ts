/** What shown texts of a post take from elsewhere: what stands for addresses, files of the library, and a setting. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { isRasterMime } from '@sevenfold/chassis/files/file-types';
import { storedFor } from '@sevenfold/publishing/embeds/order';
import type { FindFiles, ShownFile, WantedFiles } from '@sevenfold/text/players';
import { namedInBody } from '@sevenfold/text/render';
import type { Sources } from '@sevenfold/text/rendering';
import { hasShortcodes } from '@sevenfold/text/shortcodes';
import { inTurns } from '@sevenfold/text/steps';
import { fileUrl, sizesOf } from '../media/presenter';
import * as media from '../media/shown';
import type { SiteSettings } from '../settings/values';
import { postLink } from './links';
import { readersOf } from './policy';
import type { PostRow } from './store';
import { type RawTexts, type RenderedTexts, renderFileTexts, renderTexts } from './texts';

type Written = Pick<PostRow, 'id'> & { readonly contentRaw: string };

export async function sourcesFor(
  tx: Db,
  post: Written,
  settings: Pick<SiteSettings, 'use_smilies' | 'url'>,
): Promise<Sources> {
  return {
    smilies: settings.use_smilies,
    findEmbed: await storedFor(tx, post.contentRaw),
    findFiles: await filesFor(tx, post, settings.url),
  };
}

/** The shown texts of a post, page or file as it is written. */
export async function renderWritten(
  tx: Db,
  { id, type }: Pick<PostRow, 'id' | 'type'>,
  texts: RawTexts,
  settings: Pick<SiteSettings, 'use_smilies' | 'url'>,
): Promise<RenderedTexts> {
  return type === 'attachment'
    ? renderFileTexts(texts, { smilies: settings.use_smilies })
    : renderTexts(texts, await sourcesFor(tx, { id, ...texts }, settings));
}

/** What the galleries and players of a text ask for. */
async function wantedIn(contentRaw: string): Promise<WantedFiles[]> {
  const all: WantedFiles[] = [];
  if (hasShortcodes(contentRaw))
    await inTurns(
      namedInBody(contentRaw, {
        findFiles: (wanted) => {
          all.push(wanted);
          return [];
        },
      }),
    );
  return all;
}

/** Whether what it shows depends on what is attached to it. */
export const showsAttached = async (contentRaw: string): Promise<boolean> =>
  (await wantedIn(contentRaw)).some(({ ids }) => ids.length === 0);

/** Files that everybody may read, and those of the post itself, which are seen by whoever sees it. */
async function filesFor(tx: Db, { id, contentRaw }: Written, siteUrl: string): Promise<FindFiles> {
  const wanted = await wantedIn(contentRaw);
  if (wanted.length === 0) return () => [];
  const named = await media.findShown(tx, [...new Set(wanted.flatMap(({ ids }) => ids))]);
  const own = wanted.some(({ ids }) => ids.length === 0) ? await media.findAttached(tx, id) : [];
  const mayShow = (row: media.ShownRow): boolean =>
    row.status === 'inherit' && (row.parent === id || readersOf(row).public);
  const byId = new Map(named.filter(mayShow).map((row) => [row.id, row]));
  return ({ kind, ids, exclude }) => {
    const rows = ids.length === 0 ? own.filter(mayShow) : ids.flatMap((one) => byId.get(one) ?? []);
    return rows
      .filter((row) => isOfKind(row.mimeType, kind) && !exclude.includes(row.id))
      .map((row) => toShown(siteUrl, row));
  };
}

const isOfKind = (mime: string, kind: WantedFiles['kind']): boolean =>
  kind === 'image' ? isRasterMime(mime) : mime.startsWith(`${kind}/`);

const toShown = (siteUrl: string, row: media.ShownRow): ShownFile => ({
  id: row.id,
  url: fileUrl(siteUrl, row.file),
  page: postLink(siteUrl, row),
  mime: row.mimeType,
  title: row.titleHtml,
  caption: inline(row.excerptHtml),
  alt: row.altText,
  width: row.details.width,
  height: row.details.height,
  sizes: Object.fromEntries(
    Object.entries(sizesOf(siteUrl, row)).map(([name, { source_url: url, width = 0, height = 0 }]) => [
      name,
      { url, width, height },
    ]),
  ),
});

/** The caption of one paragraph without its paragraph. */
const inline = (html: string): string => /^<p>((?:(?!<p>)[^])*)<\/p>\n$/.exec(html)?.[1] ?? html;
