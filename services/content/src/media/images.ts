/**
 * Pictures and their smaller copies. Names and measures are planned from the original alone, before anything is drawn,
 * so that all paths can be reserved first. Work goes from file to file: no picture is held in memory as a whole file,
 * and only a few are drawn at a time.
 */
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type sharpOf from 'sharp';
import type { ApiError } from '@sevenfold/chassis/errors';
import { SpoolFault, headOf } from '@sevenfold/chassis/files/spool';
import { type For, openDrawingLine } from './drawing-line';
import { type ImageMeta, readImageMeta } from './image-meta';
import { countScans } from './jpeg-scans';
import { countPackedText } from './png-texts';
import { apiError } from '../errors';

/** More pixels than any camera makes; a small file can claim far more (a decompression bomb). */
const MOST_PIXELS = 100_000_000;
/** What pictures that are drawn at the same time may take together: half a gibibyte is all that a process has where it is deployed. */
const ROOM_BYTES = 320_000_000;
/** Encoders make a dozen. Each is work for all pixels, and again for each copy. */
const MOST_SCANS = 100;
/** Editors pack some kilobytes. It is in memory several times while the picture is read, which its pixels do not tell. */
const MOST_PACKED_TEXT = 10_000_000;
/** Originals beyond this are replaced by a copy of this size; the original stays beside it. */
const LARGEST_SHOWN = 2560;
const QUALITY = 82;

/**
 * Loaded for the first picture: a process that is never given one is spared 10 MB. Found before that, and not by `import`: Node keeps the
 * failure of either, such as while the process may open no more files, and there would be no pictures ever after.
 */
const drawing = (): typeof sharpOf => (library ??= load());
let library: typeof sharpOf | undefined;

const here = createRequire(__filename);
const PLACE = here.resolve('sharp');

function load(): typeof sharpOf {
  const sharp = here(PLACE) as typeof sharpOf;
  // A cache by file name would answer for temporary files that are long gone.
  sharp.cache(false);
  // Parallel uploads share the processor by requests, not each by all cores.
  sharp.concurrency(1);
  return sharp;
}

export interface Picture {
  /** As people see it: turned the way the camera was held. */
  readonly width: number;
  readonly height: number;
  readonly mime: string;
  readonly animated: boolean;
  /** Whether the file must be turned to be shown. */
  readonly turned: boolean;
  /** Memory that it takes while it is drawn, about. */
  readonly bytes: number;
  readonly meta: ImageMeta;
}

export interface Copy {
  /** `medium`, …; the copy that stands for the original has none. */
  readonly name: string;
  /** File name without folder. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly crop: boolean;
}

export interface Plan {
  readonly width: number;
  readonly height: number;
  /** What is shown: the original, or the copy that stands for it. */
  readonly file: string;
  /** Name of the uploaded bytes when another file is shown. */
  readonly original?: string;
  readonly shown?: Copy;
  readonly sizes: readonly Copy[];
}

const FORMATS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
};

const unreadable = (cause: unknown): ApiError =>
  apiError(
    'rest_upload_sideload_error',
    415,
    'The file is not a picture of the type its name says, or it is damaged.',
    { cause },
  );

/**
 * Throws what kept the library from its work: a full disk, or that it may not open a file, which it takes for a damaged one, is not
 * the fault of the picture.
 */
async function blame(source: string, cause: Error): Promise<never> {
  if (/system error: (?:No space left|Disk quota)/.test(cause.message))
    throw new SpoolFault(Object.assign(cause, { code: 'ENOSPC' }));
  await headOf(source);
  throw unreadable(cause);
}

/** Looks at a file that starts like a picture. Throws 415 when it is none, 413 when it is too large to be drawn. */
export async function inspect(file: string, mime: string): Promise<Picture> {
  // Before the library opens it, which unpacks all of it.
  if (mime === 'image/png' && (await countPackedText(file, MOST_PACKED_TEXT)) > MOST_PACKED_TEXT) {
    throw apiError(
      'rest_upload_sideload_error',
      415,
      `The picture carries more than ${MOST_PACKED_TEXT / 1_000_000} MB of packed text; save it again without its comments.`,
    );
  }
  const sharp = drawing();
  // Without sharp's own limit: the answer to too many pixels is ours to word.
  const found = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch((cause: Error) => blame(file, cause));
  const { width, height } = found.autoOrient;
  if (found.format !== FORMATS[mime] || !(width > 0 && height > 0)) throw unreadable(undefined);
  const frames = found.pages ?? 1;
  const scans = found.format === 'jpeg' ? await countScans(file, MOST_SCANS) : 0;
  const isLayered = found.format === 'jpeg' && (found.isProgressive || scans > 1);
  const perPixel = bytesPerPixel(found, isLayered);
  const most = Math.floor(ROOM_BYTES / perPixel / 1_000_000) * 1_000_000;
  const limit = Math.min(width * height > most ? most : MOST_PIXELS, MOST_PIXELS);
  if (width * height * frames > limit) {
    throw apiError(
      'rest_upload_too_many_pixels',
      413,
      `The picture has more than ${limit / 1_000_000} million pixels${limit < MOST_PIXELS ? ', the most for a file of its kind' : ''}.`,
      { data: { limit } },
    );
  }
  if (scans > MOST_SCANS) {
    throw apiError(
      'rest_upload_sideload_error',
      415,
      `The picture is stored in more than ${MOST_SCANS} layers; save it again as an ordinary JPEG.`,
    );
  }
  return {
    width,
    height,
    mime,
    animated: frames > 1,
    turned: (found.orientation ?? 1) > 1,
    bytes: width * height * perPixel,
    meta: await readImageMeta(found),
  };
}

/** Measured. Most files are read line by line; of the others the whole picture is in memory before its first line is known. */
function bytesPerPixel(
  { format, channels, depth, isProgressive, chromaSubsampling }: sharpOf.Metadata,
  isLayered: boolean,
): number {
  const isDeep = depth === 'ushort';
  if (format === 'heif') return isDeep ? 28 : 20;
  if (format === 'gif') return 7;
  // Not all of them, but which are lossless nobody says.
  if (format === 'webp') return 4.5;
  if (format === 'png' && isProgressive) return channels * (isDeep ? 3 : 1.5);
  if (isLayered) return chromaSubsampling === '4:2:0' ? 4 : channels * 2.4;
  return 2;
}

/** Which copies a picture gets and what they are called. */
export function planCopies(picture: Picture, stem: string, ending: string): Plan {
  const upload = `${stem}.${ending}`;
  const tooLarge = !picture.animated && (picture.width > LARGEST_SHOWN || picture.height > LARGEST_SHOWN);
  let shown: Copy | undefined;
  if (tooLarge) {
    shown = {
      name: '',
      file: `${stem}-scaled.${ending}`,
      crop: false,
      ...fit(picture, LARGEST_SHOWN, LARGEST_SHOWN),
    };
  } else if (picture.turned && !picture.animated) {
    shown = {
      name: '',
      file: `${stem}-rotated.${ending}`,
      crop: false,
      width: picture.width,
      height: picture.height,
    };
  }
  const base = shown ?? picture;
  const files = new Set<string>();
  const sizes: Copy[] = [];
  for (const { name, width, height, crop } of SIZES) {
    const measures = crop
      ? { width: Math.min(width, base.width), height: Math.min(height, base.height) }
      : fit(base, width, height);
    // As large but for a pixel it would show nothing new.
    if (base.width - measures.width <= 1 && base.height - measures.height <= 1) continue;
    const file = `${stem}-${measures.width}x${measures.height}.${ending}`;
    // Odd shapes give two sizes the same measures; a cropped and a fitted one must not share a file.
    const free = files.has(file) ? `${stem}-${measures.width}x${measures.height}-${name}.${ending}` : file;
    files.add(free);
    sizes.push({ name, file: free, crop, ...measures });
  }
  return {
    width: base.width,
    height: base.height,
    file: shown?.file ?? upload,
    original: shown ? upload : undefined,
    shown,
    sizes,
  };
}

const SIZES = [
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium_large', width: 768, height: Infinity, crop: false },
] as const;

function fit(
  of: { width: number; height: number },
  width: number,
  height: number,
): { width: number; height: number } {
  const ratio = Math.min(width / of.width, height / of.height, 1);
  return {
    width: Math.max(1, Math.round(of.width * ratio)),
    height: Math.max(1, Math.round(of.height * ratio)),
  };
}

/** Draws all copies of a plan into a folder; answers where each is and how many bytes it has. Between them it may be given up. */
export async function drawCopies(
  source: string,
  picture: Picture,
  plan: Plan,
  folder: string,
  whose: For = {},
): Promise<Map<string, { file: string; size: number }>> {
  const sharp = drawing();
  const { signal } = whose;
  return inTurn(picture.bytes, whose, async () => {
    const drawn = new Map<string, { file: string; size: number }>();
    signal?.throwIfAborted();
    const copied = await sourceOfCopies(source, picture, plan, folder);
    for (const copy of plan.shown ? [plan.shown, ...plan.sizes] : plan.sizes) {
      signal?.throwIfAborted();
      const file = path.join(folder, copy.file);
      await encode(
        sharp(copied, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true })
          .autoOrient()
          .resize(copy.width, copy.height, { fit: copy.crop ? 'cover' : 'fill' }),
        picture.mime,
      )
        .toFile(file)
        .catch((cause: Error) => blame(source, cause));
      drawn.set(copy.file, { file, size: (await stat(file)).size });
    }
    // Without copies nobody has read the pixels yet, and a file cut short must not pass.
    if (drawn.size === 0)
      await sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
        .stats()
        .catch((cause: Error) => blame(source, cause));
    return drawn;
  });
}

function encode(image: sharpOf.Sharp, mime: string): sharpOf.Sharp {
  switch (mime) {
    case 'image/jpeg':
      return image.jpeg({ quality: QUALITY, mozjpeg: false });
    case 'image/webp':
      return image.webp({ quality: QUALITY });
    case 'image/avif':
      // Twice as fast as the default and hardly larger: a client waits for it.
      return image.avif({ effort: 2 });
    case 'image/gif':
      return image.gif();
    default:
      return image.png();
  }
}

/**
 * AVIF takes longest to be read and most memory to be read and to be written: that is done once, and not at the same time. What is
 * drawn then is as large as what is shown, and turned.
 */
async function sourceOfCopies(source: string, picture: Picture, plan: Plan, folder: string): Promise<string> {
  if (picture.mime !== 'image/avif' || (!plan.shown && plan.sizes.length === 0)) return source;
  const sharp = drawing();
  const whole = path.join(folder, 'whole.png');
  await sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize(plan.width, plan.height, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toFile(whole)
    .catch((cause: Error) => blame(source, cause));
  return whole;
}

/** All that draw in a process share it. */
export const inTurn = openDrawingLine(ROOM_BYTES);
