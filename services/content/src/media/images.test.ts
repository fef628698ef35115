/** Which copies a picture gets, and what is read from it. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { toApiError } from '@sevenfold/chassis/errors';
import { askShortOfFiles } from '@sevenfold/chassis/testing/few-files';
import sharp from 'sharp';
import { type Picture, drawCopies, inspect, planCopies } from './images';
import { NO_IMAGE_META } from './image-meta';
import { animatedGif, picture } from './testing/pictures';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'images-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Exif of so many notes, each of them the whole block. */
function notes(bytes: number, count: number): Buffer {
  const block = Buffer.alloc(bytes, 'x');
  block.write('II*\0\x08\0\0\0', 'latin1');
  block.writeUInt16LE(count, 8);
  for (let n = 0; n < count; n++) {
    const at = 10 + n * 12;
    block.writeUInt16LE(0x8000 + n, at);
    block.writeUInt16LE(2, at + 2);
    block.writeUInt32LE(bytes, at + 4);
    block.writeUInt32LE(0, at + 8);
  }
  return block;
}

function pngChunk(type: string, names: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const content = Buffer.concat([Buffer.from(type + names, 'latin1'), body]);
  const chunk = Buffer.concat([Buffer.alloc(4), content, Buffer.alloc(4)]);
  chunk.writeUInt32BE(content.length - type.length);
  chunk.writeUInt32BE(crc32(content), chunk.length - 4);
  return chunk;
}

/** Letters, not noughts: those would be an empty text for those who read it. */
const packedText = (bytes: number): Buffer =>
  pngChunk('zTXt', 'c\0\0', deflateSync(Buffer.alloc(bytes, 'x')));

/** A PNG of 8 × 8 with these before its pixels. */
async function savedWith(...chunks: Buffer[]): Promise<string> {
  const AFTER_HEAD = 33;
  const png = await picture(8, 8);
  return saved(Buffer.concat([png.subarray(0, AFTER_HEAD), ...chunks, png.subarray(AFTER_HEAD)]));
}

let count = 0;
async function saved(bytes: Buffer): Promise<string> {
  const file = path.join(folder, `source-${(count += 1)}`);
  await writeFile(file, bytes);
  return file;
}

const flat = (width: number, height: number, more: Partial<Picture> = {}): Picture => ({
  width,
  height,
  mime: 'image/jpeg',
  animated: false,
  turned: false,
  bytes: 0,
  meta: NO_IMAGE_META,
  ...more,
});
const measures = (source: Picture): Record<string, string> =>
  Object.fromEntries(planCopies(source, 'p', 'jpg').sizes.map((size) => [size.name, size.file]));

it('loads what draws for the first picture only', () => {
  const look = `require(${JSON.stringify(path.join(__dirname, 'images.ts'))});
    console.log(Object.keys(require.cache).some((file) => /[\\\\/]sharp[\\\\/]/.test(file)));`;
  const args = ['--require', require.resolve('tsx/cjs'), '--eval', look];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('false\n');
});

describe('the plan', () => {
  it('has all sizes of a picture that is large enough, rounded as clients know it', () => {
    expect(measures(flat(1200, 800))).toEqual({
      medium: 'p-300x200.jpg',
      large: 'p-1024x683.jpg',
      thumbnail: 'p-150x150.jpg',
      medium_large: 'p-768x512.jpg',
    });
  });

  it('has only sizes smaller than the picture', () => {
    expect(measures(flat(150, 150))).toEqual({});
    expect(measures(flat(151, 151))).toEqual({});
    expect(measures(flat(152, 150))).toEqual({ thumbnail: 'p-150x150.jpg' });
    expect(measures(flat(300, 100))).toEqual({ thumbnail: 'p-150x100.jpg' });
    expect(measures(flat(301, 100))).toEqual({ thumbnail: 'p-150x100.jpg' });
    expect(measures(flat(302, 100))).toEqual({ medium: 'p-300x99.jpg', thumbnail: 'p-150x100.jpg' });
    expect(measures(flat(500, 1100))).toEqual({
      medium: 'p-136x300.jpg',
      large: 'p-465x1024.jpg',
      thumbnail: 'p-150x150.jpg',
    });
  });

  it('never gives two copies one file', () => {
    const files = Object.values(measures(flat(3000, 1, {})));
    expect(new Set(files).size).toBe(files.length);
    const narrow = planCopies(flat(150, 4000), 'p', 'jpg');
    expect(new Set(narrow.sizes.map((size) => size.file)).size).toBe(narrow.sizes.length);
  });

  it('puts a scaled copy in the place of a huge original, and a turned one in that of a turned one', () => {
    expect(planCopies(flat(4000, 3000), 'p', 'jpg')).toMatchObject({
      width: 2560,
      height: 1920,
      file: 'p-scaled.jpg',
      original: 'p.jpg',
    });
    expect(planCopies(flat(2560, 2560), 'p', 'jpg')).toMatchObject({
      width: 2560,
      file: 'p.jpg',
      original: undefined,
    });
    expect(planCopies(flat(300, 400, { turned: true }), 'p', 'jpg')).toMatchObject({
      width: 300,
      height: 400,
      file: 'p-rotated.jpg',
      original: 'p.jpg',
    });
    expect(planCopies(flat(4000, 3000, { animated: true }), 'p', 'gif')).toMatchObject({
      width: 4000,
      file: 'p.gif',
      original: undefined,
    });
  });
});

describe('inspect', () => {
  it('reads what the camera wrote', async () => {
    const bytes = await sharp(await picture(40, 30, 'jpeg'))
      .withExif({
        IFD0: { Copyright: 'Me \u00a9', Model: 'Cam 1', ImageDescription: 'A day out', Artist: 'Ann' },
        IFD2: {
          FNumber: '28/10',
          ExposureTime: '1/250',
          ISOSpeedRatings: '200',
          FocalLength: '50/1',
          DateTimeDigitized: '2020:01:02 03:04:05',
        },
      })
      .jpeg()
      .toBuffer();
    expect((await inspect(await saved(bytes), 'image/jpeg')).meta).toMatchObject({
      aperture: '2.8',
      camera: 'Cam 1',
      caption: 'A day out',
      credit: 'Ann',
      created_timestamp: String(Date.UTC(2020, 0, 2, 3, 4, 5) / 1000),
      focal_length: '50',
      iso: '200',
      shutter_speed: '0.004',
      keywords: [],
    });
  });

  it.each([
    ['0000:00:00 00:00:00', undefined, '0'],
    ['2024:13:01 10:00:00', undefined, '0'],
    ['2024:02:30 10:00:00', undefined, '0'],
    ['2024:01:01 10:61:00', undefined, '0'],
    ['    :  :     :  :  ', undefined, '0'],
    ['0000:00:00 00:00:00', '2024:02:29 10:00:00', String(Date.UTC(2024, 1, 29, 10) / 1000)],
    ['1960:01:01 00:00:00', undefined, String(Date.UTC(1960, 0, 1) / 1000)],
  ])('a clock that says %s, beside %s, gives the moment %s', async (digitized, original, expected) => {
    const bytes = await sharp(await picture(40, 30, 'jpeg'))
      .withExif({
        IFD2: { DateTimeDigitized: digitized, ...(original !== undefined && { DateTimeOriginal: original }) },
      })
      .jpeg()
      .toBuffer();
    const { meta } = await inspect(await saved(bytes), 'image/jpeg');
    expect(meta.created_timestamp).toBe(expected);
  });

  it('reads what an editor wrote, and notes of other formats', async () => {
    const record = (number: number, words: string): Buffer =>
      Buffer.concat([Buffer.from([0x1c, 2, number, 0, words.length]), Buffer.from(words, 'latin1')]);
    const records = Buffer.concat([
      record(5, 'A title'),
      record(25, 'one'),
      record(25, 'two'),
      record(80, 'By Ann'),
      record(120, 'A caption'),
    ]);
    const head = Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\0', 'latin1');
    head.writeUInt32BE(records.length, head.length - 4);
    const block = Buffer.concat([head, records, Buffer.alloc(records.length % 2)]);
    const jpeg = await picture(8, 8, 'jpeg');
    const segment = Buffer.concat([Buffer.from([0xff, 0xed, 0, block.length + 2]), block]);
    const bytes = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
    expect((await inspect(await saved(bytes), 'image/jpeg')).meta).toMatchObject({
      title: 'A title',
      credit: 'By Ann',
      caption: 'A caption',
      keywords: ['one', 'two'],
    });
    for (const format of ['png', 'webp'] as const) {
      const noted = await sharp(await picture(8, 8, 'jpeg'))
        .withExif({ IFD0: { Model: 'Cam 1' } })
        .toFormat(format)
        .toBuffer();
      expect((await inspect(await saved(noted), `image/${format}`)).meta.camera).toBe('Cam 1');
    }
  });

  // In a process of its own, whose memory nobody else takes.
  it.each([
    [
      'gigabytes packed into a profile',
      () => [pngChunk('iCCP', 'p\0\0', deflateSync(Buffer.alloc(400_000_000)))],
    ],
    ['thousands of notes of the same half megabyte', () => [pngChunk('eXIf', '', notes(500_000, 20_000))]],
    ['gigabytes packed into many texts', () => Array<Buffer>(100).fill(packedText(7_000_000))],
  ])('does not read %s', async (_, chunks) => {
    const file = await savedWith(...chunks());
    const look = `const { inspect } = require(${JSON.stringify(path.join(__dirname, 'images.ts'))});
      inspect(${JSON.stringify(file)}, 'image/png')
        .catch(({ status }) => ({ width: status }))
        .then(({ width }) => console.log(JSON.stringify([width, process.resourceUsage().maxRSS / 1024])));`;
    const args = ['--require', require.resolve('tsx/cjs'), '--eval', look];
    const [width, megabytes] = JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8' }),
    ) as number[];
    expect([8, 415]).toContain(width);
    expect(megabytes).toBeLessThan(350);
  });

  it('takes the texts of a PNG, and refuses more of them packed than anybody writes', async () => {
    const inspected = async (...chunks: Buffer[]) => inspect(await savedWith(...chunks), 'image/png');
    const asItIs = pngChunk('tEXt', 'c\0', Buffer.alloc(11_000_000, 'x'));
    const alsoAsItIs = pngChunk('iTXt', 'c\0\0\0\0\0', Buffer.alloc(9_000_000, 'x'));
    const international = pngChunk('iTXt', 'c\0\x01\0en\0c\0', deflateSync(Buffer.alloc(3_000_000, 'x')));
    const third = packedText(3_000_000);
    const damaged = pngChunk('zTXt', 'c\0\0', deflateSync(Buffer.alloc(500_000, 'x')).fill(0xff, 2));
    const most = [asItIs, alsoAsItIs, third, international, third];
    expect(await inspected(...most, pngChunk('zTXt', 'c'), damaged)).toMatchObject({ width: 8 });
    await expect(inspected(...most, third)).rejects.toMatchObject({ status: 415 });
    await expect(inspected(...most, international)).rejects.toMatchObject({ status: 415 });
    await expect(inspected(...most, damaged, damaged)).rejects.toMatchObject({ status: 415 });
    await expect(inspected(packedText(100_000_000))).rejects.toMatchObject({ status: 415 });
  });

  it('refuses what is not of the type, or no picture', async () => {
    await expect(inspect(await saved(await picture(5, 5, 'webp')), 'image/png')).rejects.toMatchObject({
      status: 415,
    });
    await expect(inspect(await saved(Buffer.from('nothing')), 'image/png')).rejects.toMatchObject({
      status: 415,
    });
  });

  it('refuses a JPEG that goes over its picture again and again, and takes no note for a scan', async () => {
    const SCAN = Buffer.from([0xff, 0xda]);
    const made = await sharp(await picture(64, 64))
      .jpeg({ progressive: true })
      .toBuffer();
    const last = made.lastIndexOf(SCAN);
    const [before, scan, end] = [made.subarray(0, last), made.subarray(last, -2), made.subarray(-2)];
    let own = 1;
    for (let at = before.indexOf(SCAN); at >= 0; at = before.indexOf(SCAN, at + 1)) own += 1;
    expect(own).toBeGreaterThan(1);
    // One mark or several before each, and so long that its bytes come in many pieces.
    const again = (times: number): Buffer[] =>
      Array.from({ length: times }, (_, n) => Buffer.concat([Buffer.alloc(n % 3, 0xff), scan]));
    const inspected = async (...parts: Buffer[]) => inspect(await saved(Buffer.concat(parts)), 'image/jpeg');
    const most = again(100 - own);
    expect(await inspected(before, scan, ...most, end)).toMatchObject({ width: 64, height: 64 });
    await expect(inspected(before, scan, ...most, scan, end)).rejects.toMatchObject({ status: 415 });
    // A small picture within the notes, and what a telephone puts behind the large one.
    const marks = Buffer.alloc(60_000, SCAN);
    const note = Buffer.concat([Buffer.from([0xff, 0xe5, 0xea, 0x62]), marks]);
    const noted = [before.subarray(0, 2), note, before.subarray(2), scan];
    expect(await inspected(...noted, ...most, end, marks)).toMatchObject({ width: 64 });
    await expect(inspected(...noted, ...most, scan, end)).rejects.toMatchObject({ status: 415 });
  });

  describe('what takes much memory for each pixel', () => {
    const blank = (width: number, height: number): sharp.Sharp =>
      sharp({ create: { width, height, channels: 3, background: '#336699' } });

    it.each<[string, number, (image: sharp.Sharp) => sharp.Sharp, string]>([
      ['AVIF', 16, (image) => image.avif({ effort: 0 }), 'image/avif'],
      ['GIF', 45, (image) => image.gif({ effort: 1 }), 'image/gif'],
      [
        'an interlaced PNG',
        71,
        (image) => image.png({ progressive: true, compressionLevel: 1 }),
        'image/png',
      ],
      ['WebP', 71, (image) => image.webp({ effort: 0 }), 'image/webp'],
      ['a progressive JPEG', 80, (image) => image.jpeg({ progressive: true }), 'image/jpeg'],
    ])('may have fewer of them: %s', async (_, millions, encode, mime) => {
      const inspected = async (height: number) =>
        inspect(await saved(await encode(blank(1_000, height)).toBuffer()), mime);
      expect(await inspected(10)).toMatchObject({ width: 1_000, height: 10 });
      // Only as tall as the format allows: what is refused is refused by its head.
      const wide = await encode(blank(10_000, millions * 100 + 1)).toBuffer();
      await expect(inspect(await saved(wide), mime)).rejects.toMatchObject({
        status: 413,
        code: 'rest_upload_too_many_pixels',
        data: { limit: millions * 1_000_000 },
      });
    });

    it('leaves others as they are', async () => {
      const plain = await blank(10_000, 9_000).png({ compressionLevel: 1 }).toBuffer();
      expect(await inspect(await saved(plain), 'image/png')).toMatchObject({ width: 10_000, height: 9_000 });
    });

    // In processes of their own, whose memory nobody else takes.
    it('two of the largest AVIF have room in half a gibibyte', async () => {
      const file = await saved(await blank(4_000, 4_000).avif({ effort: 0 }).toBuffer());
      const look = `const { inspect, planCopies, drawCopies } = require(${JSON.stringify(path.join(__dirname, 'images.ts'))});
        const { mkdirSync } = require('node:fs');
        const draw = async (name) => {
          const folder = ${JSON.stringify(folder)} + '/' + name;
          mkdirSync(folder);
          const found = await inspect(${JSON.stringify(file)}, 'image/avif');
          return drawCopies(${JSON.stringify(file)}, found, planCopies(found, name, 'avif'), folder);
        };
        Promise.all(['one', 'two'].map(draw)).then((all) =>
          console.log(JSON.stringify([...all.map(({ size }) => size), process.resourceUsage().maxRSS / 1024])));`;
      const args = ['--require', require.resolve('tsx/cjs'), '--eval', look];
      const [one, two, megabytes] = JSON.parse(
        execFileSync(process.execPath, args, { encoding: 'utf8' }),
      ) as number[];
      expect([one, two]).toEqual([5, 5]);
      expect(megabytes).toBeLessThan(512);
    });
  });

  it('counts the frames of an animation', async () => {
    expect(await inspect(await saved(await animatedGif(20, 10)), 'image/gif')).toMatchObject({
      width: 20,
      height: 10,
      animated: true,
    });
  });
});

describe('drawing', () => {
  async function draw(bytes: Buffer, mime: string, ending: string) {
    const file = await saved(bytes);
    const found = await inspect(file, mime);
    const plan = planCopies(found, `drawn-${(count += 1)}`, ending);
    return { plan, drawn: await drawCopies(file, found, plan, folder) };
  }

  it.each(['png', 'jpeg', 'webp', 'avif'] as const)(
    'a full disk is no fault of the picture: %s',
    async (format) => {
      const file = await saved(await picture(400, 300, format));
      const mime = `image/${format}`;
      const found = await inspect(file, mime);
      const plan = planCopies(found, `full-${format}`, format);
      await symlink('/dev/full', path.join(folder, plan.sizes[0]!.file));
      const fault = await drawCopies(file, found, plan, folder).catch((error: unknown) => error);
      expect(toApiError(fault)).toMatchObject({ status: 507, code: 'insufficient_storage' });
    },
  );

  it('is given up when nobody waits for it any more', async () => {
    const file = await saved(await picture(400, 300));
    const found = await inspect(file, 'image/png');
    const plan = planCopies(found, 'given-up', 'png');
    const gone = new AbortController();
    const drawing = drawCopies(file, found, plan, folder, { signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(drawing).rejects.toThrow('gone');
    expect((await readdir(folder)).filter((name) => name.startsWith('given-up'))).toEqual([]);
  });

  it('turns a picture the way the camera was held', async () => {
    // Left half red, right half blue; held so that it must be turned right: red comes to the top.
    const half = await picture(200, 300, 'png', '#ff0000');
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#0000ff' } })
      .composite([{ input: half, left: 0, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { plan, drawn } = await draw(bytes, 'image/jpeg', 'jpg');
    expect(plan).toMatchObject({ width: 300, height: 400 });
    const shown = sharp((drawn.get(plan.file) as { file: string }).file);
    expect(await shown.metadata()).toMatchObject({ width: 300, height: 400 });
    expect((await shown.metadata()).orientation ?? 1).toBe(1);
    const [red = 0, , blue = 0] = await shown
      .extract({ left: 150, top: 50, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
  });

  it('crops the thumbnail from the middle and fits the others', async () => {
    const { plan, drawn } = await draw(await picture(1200, 500, 'webp'), 'image/webp', 'webp');
    for (const size of plan.sizes) {
      const { file, size: bytes } = drawn.get(size.file) as { file: string; size: number };
      expect(await sharp(file).metadata()).toMatchObject({
        width: size.width,
        height: size.height,
        format: 'webp',
      });
      expect(bytes).toBeGreaterThan(0);
    }
    expect(plan.sizes.find((size) => size.name === 'thumbnail')).toMatchObject({ width: 150, height: 150 });
    expect(plan.sizes.find((size) => size.name === 'large')).toMatchObject({ width: 1024, height: 427 });
  });

  it('keeps transparency', async () => {
    const bytes = await sharp({
      create: { width: 400, height: 400, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const { plan, drawn } = await draw(bytes, 'image/png', 'png');
    const medium = plan.sizes.find((size) => size.name === 'medium')?.file as string;
    expect((await sharp((drawn.get(medium) as { file: string }).file).stats()).isOpaque).toBe(false);
  });

  it('leaves where and when it was taken out of the copies', async () => {
    const bytes = await sharp(await picture(400, 300, 'jpeg'))
      .withExif({ IFD0: { Copyright: 'Me' }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    const { plan, drawn } = await draw(bytes, 'image/jpeg', 'jpg');
    for (const size of plan.sizes)
      expect((await sharp((drawn.get(size.file) as { file: string }).file).metadata()).exif).toBeUndefined();
  });
});

test('a process that could open no more files for a moment can draw all the same behind it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'images-'));
  const file = path.join(folder, 'one.png');
  await sharp({ create: { width: 3, height: 2, channels: 3, background: 'red' } }).toFile(file);
  const program = `
    const { inspect } = require(${JSON.stringify(path.resolve(__dirname, '../../dist/media/images.js'))});
    const ask = () => inspect(process.argv[1], 'image/png').then(({ width }) => width, ({ code }) => code);
  `;
  try {
    expect(await askShortOfFiles(program, file)).toEqual(['EMFILE', 3]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
