/**
 * Pictures and their smaller copies. Names and measures are planned from the original alone, before anything is drawn,
 * so that all paths can be reserved first. Work goes from file to file: no picture is held in memory as a whole file,
 * and only a few are drawn at a time.
 */
import path from 'node:path';
import { stat } from 'node:fs/promises';
import type sharpOf from 'sharp';
import type { ApiError } from '@sevenfold/chassis/errors';
import { SpoolFault, headOf } from '@sevenfold/chassis/files/spool';
import { type ImageMeta, readImageMeta } from './image-meta';
import { apiError } from '../errors';

/** More pixels than any camera makes; a small file can claim far more (a decompression bomb). */
const MOST_PIXELS = 100_000_000;
/** Originals beyond this are replaced by a copy of this size; the original stays beside it. */
const LARGEST_SHOWN = 2560;
const QUALITY = 82;

/** Loaded for the first picture: a process that is never given one is spared 10 MB. */
const drawing = (): Promise<typeof sharpOf> => (library ??= load());
let library: Promise<typeof sharpOf> | undefined;

async function load(): Promise<typeof sharpOf> {
  const { default: sharp } = await import('sharp');
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
  const sharp = await drawing();
  // Without sharp's own limit: the answer to too many pixels is ours to word.
  const found = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch((cause: Error) => blame(file, cause));
  const { width, height } = found.autoOrient;
  if (found.format !== FORMATS[mime] || !(width > 0 && height > 0)) throw unreadable(undefined);
  const frames = found.pages ?? 1;
  if (width * height * frames > MOST_PIXELS) {
    throw apiError(
      'rest_upload_too_many_pixels',
      413,
      `The picture has more than ${MOST_PIXELS / 1_000_000} million pixels.`,
      {
        data: { limit: MOST_PIXELS },
      },
    );
  }
  return {
    width,
    height,
    mime,
    animated: frames > 1,
    turned: (found.orientation ?? 1) > 1,
    meta: await readImageMeta(found),
  };
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

/** Draws all copies of a plan into a folder; answers where each is and how many bytes it has. */
export async function drawCopies(
  source: string,
  picture: Picture,
  plan: Plan,
  folder: string,
): Promise<Map<string, { file: string; size: number }>> {
  const sharp = await drawing();
  return takingTurns(async () => {
    const drawn = new Map<string, { file: string; size: number }>();
    for (const copy of plan.shown ? [plan.shown, ...plan.sizes] : plan.sizes) {
      const file = path.join(folder, copy.file);
      await encode(
        sharp(source, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true })
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

const MOST_AT_A_TIME = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function takingTurns<T>(work: () => Promise<T>): Promise<T> {
  if (running >= MOST_AT_A_TIME) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
