/**
 * What a camera or an editor wrote into a picture, as the text fields clients are used to. The reader of such notes is never given
 * the picture: whoever made that may have named the same half megabyte in each of thousands of notes, or packed gigabytes into
 * one, and it would read them all where everybody waits. It is given the two blocks that the picture's own reader has found.
 */
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

/** Each stands in a segment of a JPEG, where it can have no more; larger ones of other formats are left alone. */
const MOST_BYTES = 0xffff - 2;
const EXIF_SEGMENT = 0xe1;
const IPTC_SEGMENT = 0xed;

/** All that is read of Exif, each once. Of IPTC that is all there is: no byte of it belongs to two notes. */
const pick = [
  ...['FNumber', 'Artist', 'Model', 'ImageDescription', 'CreateDate', 'DateTimeOriginal', 'Copyright'],
  ...['FocalLength', 'ISO', 'ExposureTime', 'Orientation'],
];

/** `exif` and `iptc` as sharp finds them. Never fails: notes that cannot be read are as good as none. */
export async function readImageMeta({ exif, iptc }: { exif?: Buffer; iptc?: Buffer }): Promise<ImageMeta> {
  const segments = [segment(EXIF_SEGMENT, exif && named(exif)), segment(IPTC_SEGMENT, iptc)];
  if (segments.every(({ length }) => length === 0)) return NO_IMAGE_META;
  try {
    const found: unknown = await exifr.parse(Buffer.concat([START, ...segments, END]), {
      tiff: true,
      ifd0: { pick },
      exif: { pick },
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

/** As it stands in a JPEG; other formats leave its name out. */
const named = (exif: Buffer): Buffer =>
  exif.subarray(0, EXIF_NAME.length).equals(EXIF_NAME) ? exif : Buffer.concat([EXIF_NAME, exif]);
const EXIF_NAME = Buffer.from('Exif\0\0', 'latin1');

// A JPEG of nothing but its notes.
const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);

function segment(marker: number, bytes: Buffer = Buffer.alloc(0)): Buffer {
  if (bytes.length === 0 || bytes.length > MOST_BYTES) return Buffer.alloc(0);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

function toImageMeta(tags: Record<string, unknown>): ImageMeta {
  return {
    aperture: number(tags.FNumber, 2),
    credit: text(tags.Credit) || text(tags.Byline) || text(tags.Artist),
    camera: text(tags.Model),
    caption: text(tags.Caption) || text(tags.ImageDescription),
    created_timestamp:
      [tags.CreateDate, tags.DateTimeOriginal].map(timestamp).find((found) => found !== UNKNOWN) ?? UNKNOWN,
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

/**
 * Cameras write their clock without a zone; it is read as UTC, as clients expect. Those whose clock was never set write noughts,
 * which are no day and must not be taken for one.
 */
function timestamp(value: unknown): string {
  const match =
    typeof value === 'string' ? /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d:\d\d)/.exec(value) : null;
  if (!match) return UNKNOWN;
  const [, year, month, day, time] = match;
  const clock = `${year}-${month}-${day}T${time}`;
  const moment = new Date(`${clock}Z`);
  const isReal = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(clock);
  return isReal ? String(moment.getTime() / 1000) : UNKNOWN;
}

const UNKNOWN = NO_IMAGE_META.created_timestamp;
