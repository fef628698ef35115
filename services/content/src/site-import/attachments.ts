/** Files of an export: where each one is, and what the other site noted of it (its measures, its smaller copies). */
import { typeOfEnding } from '@sevenfold/chassis/files/file-types';
import type { Db } from '@sevenfold/chassis/db/sql';
import { cleanText, stripControl } from '@sevenfold/text/text';
import { NO_IMAGE_META, type ImageMeta } from '../media/image-meta';
import * as media from '../media/store';
import { type ExportedItem, metaOf } from './exported';
import { type PhpValue, listIn, unserialize } from './php';

/** What an index takes. */
const LONGEST_ADDRESS = 2_000;

/** The address of the file as a whole, or why it has none. */
export function addressOfFile(
  item: ExportedItem,
  site: string,
): { readonly url: string } | { readonly reason: string } {
  const text = item.attachmentUrl || (/\.[a-z0-9]{2,5}$/i.test(item.guid) ? item.guid : '');
  if (text === '') return { reason: 'the attachment names no file' };
  const base = URL.canParse(site) ? site : undefined;
  const isAddress = /^(?:https?:)?\/\/./i.test(text) || (text.startsWith('/') && base !== undefined);
  if (!isAddress || !URL.canParse(text, base ?? 'https://localhost'))
    return { reason: 'the address of the file is none' };
  const url = new URL(text, base ?? 'https://localhost');
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.hostname === '')
    return { reason: 'the address of the file is none' };
  const whole = /^https?:/i.test(text) ? text : url.href;
  return whole.length > LONGEST_ADDRESS ? { reason: 'the address of the file is too long' } : { url: whole };
}

/** Plain text, whoever wrote it. */
export const altTextOf = (item: ExportedItem): string => cleanText(metaOf(item, '_wp_attachment_image_alt'));

/** The record of a file that stays where it is: its address stands for its path. */
export async function insertFile(tx: Db, id: number, item: ExportedItem, url: string): Promise<void> {
  const ending = new URL(url).pathname.split('.').at(-1) ?? '';
  const taken = await tx.first('select from media where file = $1', [url]);
  const { details, filesize } = detailsOf(item);
  await media.insert(tx, {
    postId: id,
    file: taken ? `${url}#${id}` : url,
    mimeType: typeOfEnding(ending)?.mime ?? 'application/octet-stream',
    filesize,
    altText: altTextOf(item),
    details,
    sourceUrl: '',
  });
}

function detailsOf(item: ExportedItem): { details: media.Details; filesize: number } {
  const said = listIn(item.measures ?? unserialize(metaOf(item, '_wp_attachment_metadata')));
  const [width, height] = [measure(said, 'width'), measure(said, 'height')];
  const filesize = measure(said, 'filesize') ?? 0;
  if (!said || width === undefined || height === undefined) return { details: {}, filesize };
  const sizes: Record<string, media.Size> = {};
  for (const [name, entry] of listIn(said.get('sizes')) ?? []) {
    const size = sizeOf(listIn(entry));
    if (size && /^[\w-]{1,60}$/.test(name)) sizes[name] = size;
  }
  const original = textIn(said.get('original_image'));
  return {
    details: {
      width,
      height,
      sizes,
      image_meta: imageMetaOf(listIn(said.get('image_meta'))),
      ...(original !== '' && { original_image: original }),
    },
    filesize,
  };
}

function sizeOf(entry: ReadonlyMap<string, PhpValue> | undefined): media.Size | undefined {
  const file = textIn(entry?.get('file'));
  const [width, height] = [measure(entry, 'width'), measure(entry, 'height')];
  if (!/^[^/\\]{1,255}$/.test(file) || width === undefined || height === undefined) return undefined;
  const filesize = measure(entry, 'filesize');
  return {
    file,
    width,
    height,
    ...(filesize !== undefined && { filesize }),
    mime_type: textIn(entry?.get('mime-type')) || 'application/octet-stream',
  };
}

function imageMetaOf(said: ReadonlyMap<string, PhpValue> | undefined): ImageMeta {
  const texts = Object.keys(NO_IMAGE_META).flatMap((key): [string, string][] => {
    const value = said?.get(key);
    return value === undefined || listIn(value) || key === 'keywords' ? [] : [[key, wordsIn(value)]];
  });
  const keywords = [...(listIn(said?.get('keywords'))?.values() ?? [])].map(wordsIn).slice(0, 100);
  return { ...NO_IMAGE_META, ...Object.fromEntries(texts), keywords };
}

/** As they are read of a picture that is uploaded. */
const wordsIn = (value: PhpValue): string => cleanText(textIn(value));

const textIn = (value: PhpValue | undefined): string =>
  typeof value === 'string'
    ? stripControl(value).slice(0, 2_000)
    : typeof value === 'number'
      ? String(value)
      : '';

/** A whole number above nothing; it may be written as text. */
function measure(list: ReadonlyMap<string, PhpValue> | undefined, name: string): number | undefined {
  const number = Number(list?.get(name) ?? NaN);
  return Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : undefined;
}
