/** What a camera or an editor wrote into a picture, as the text fields clients are used to. */
import { open } from 'node:fs/promises';
import exifr from 'exifr';
import { cleanText, shorten } from '@sevenfold/text/text';

export interface ImageMeta {
  readonly aperture: string;
  readonly credit: string;
  readonly camera: string;
  readonly caption: string;
  readonly created_timestamp: string;
  readonly copyright: string;
  readonly focal_length: string;
  readonly iso: string;
  readonly shutter_speed: string;
  readonly title: string;
  readonly orientation: string;
  readonly keywords: readonly string[];
}

export const NO_IMAGE_META: ImageMeta = {
  aperture: '0',
  credit: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
};

// The blocks stand at the start of a file; more would only cost memory.
const HEAD = 512 * 1024;

/** Never fails: notes that cannot be read are as good as none. */
export async function readImageMeta(file: string): Promise<ImageMeta> {
  try {
    const found: unknown = await exifr.parse(await headOf(file), {
      tiff: true,
      exif: true,
      iptc: true,
      xmp: false,
      icc: false,
      gps: false,
      translateValues: false,
      reviveValues: false,
    });
    return found && typeof found === 'object' ? toImageMeta(found as Record<string, unknown>) : NO_IMAGE_META;
  } catch {
    return NO_IMAGE_META;
  }
}

async function headOf(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(HEAD);
    const { bytesRead } = await handle.read(buffer, 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function toImageMeta(tags: Record<string, unknown>): ImageMeta {
  return {
    aperture: number(tags.FNumber, 2),
    credit: text(tags.Credit) || text(tags.Byline) || text(tags.Artist),
    camera: text(tags.Model),
    caption: text(tags.Caption) || text(tags.ImageDescription),
    created_timestamp: timestamp(tags.CreateDate ?? tags.DateTimeOriginal),
    copyright: text(tags.CopyrightNotice) || text(tags.Copyright),
    focal_length: number(tags.FocalLength, 2),
    iso: number(Array.isArray(tags.ISO) ? tags.ISO[0] : tags.ISO, 0),
    shutter_speed: number(tags.ExposureTime, 6),
    title: text(tags.ObjectName) || text(tags.Headline),
    orientation: number(tags.Orientation, 0),
    keywords: (Array.isArray(tags.Keywords) ? tags.Keywords : [tags.Keywords])
      .map(text)
      .filter((word) => word !== '')
      .slice(0, 100),
  };
}

// Cameras pad with NUL and blanks, and whoever made the picture may have written anything into it.
const text = (value: unknown): string =>
  typeof value === 'string' ? shorten(cleanText(value.slice(0, MOST_READ)), 2000) : '';
const MOST_READ = 20_000;

const number = (value: unknown, digits: number): string =>
  typeof value === 'number' && Number.isFinite(value) ? String(Number(value.toFixed(digits))) : '0';

/** Cameras write their clock without a zone; it is read as UTC, as clients expect. */
function timestamp(value: unknown): string {
  const match =
    typeof value === 'string' ? /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)/.exec(value) : null;
  if (!match) return '0';
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const seconds = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return Number.isFinite(seconds) ? String(seconds) : '0';
}
