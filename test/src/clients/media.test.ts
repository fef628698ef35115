/** Uploads: titles and names, sizes, and what is told of a file. */
import { fileHeaders, form, picture } from '@sevenfold/content/media/testing/pictures';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import sharp from 'sharp';
import { type Row, type Shown, bodyOf, table } from './table';

let site: ContentSite;
let small: Buffer;
beforeAll(async () => {
  site = await startContent();
  small = await picture(10, 10);
});
afterAll(() => site.stop());

const upload = async (name: string, bytes: Buffer | string = small): Promise<Shown> =>
  bodyOf(await site.by('editor').request('POST', '/media', { body: bytes, headers: fileHeaders(name) }));
const sizesOf = async (width: number, height: number): Promise<string[]> =>
  Object.keys((await upload('sized.png', await picture(width, height))).media_details.sizes).sort();
const withMeta = (text: string): Promise<Buffer> =>
  sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
    .jpeg()
    .withExif({ IFD0: { Artist: text, Copyright: text, ImageDescription: text, Model: text } })
    .toBuffer();

const names: readonly Row<ContentSite>[] = [
  [
    'the title is the cleaned file name, the second of its name has a number',
    async () => {
      const first = await upload('own up.png');
      const second = await upload('own up.png');
      return [first.title.raw, second.title.raw, first.slug, second.slug];
    },
    ['own-up', 'own-up-1', 'own-up', 'own-up-1'],
  ],
  [
    'so in a form, too',
    async () =>
      bodyOf(await site.by('editor').request('POST', '/media', { body: form(small, 'a  b.png') })).title.raw,
    'a-b',
  ],
  ['%20 counts as a space', async () => (await upload('one%20two.png')).title.raw, 'one-two'],
  ['+ counts as a space', async () => (await upload('three+four.png')).title.raw, 'three-four'],
];

const sizes: readonly Row<ContentSite>[] = [
  ['151×151 has no thumbnail', () => sizesOf(151, 151), []],
  ['152×152 has one', () => sizesOf(152, 152), ['full', 'thumbnail']],
  ['301×200 is no larger than medium by one pixel', () => sizesOf(301, 200), ['full', 'thumbnail']],
  ['302×200 has a medium one', () => sizesOf(302, 200), ['full', 'medium', 'thumbnail']],
  [
    'guid of a picture scaled down on upload names the original file',
    async () => {
      const { guid, source_url } = await upload('huge.png', await picture(2600, 10));
      return [guid.rendered, source_url].map((url: string) => url.slice(url.lastIndexOf('/') + 1));
    },
    ['huge.png', 'huge-scaled.png'],
  ],
];

const texts: readonly Row<ContentSite>[] = [
  [
    'a text without caption has a caption.rendered of a paragraph with its title',
    async () => (await upload('notes 1.txt', 'some notes')).caption,
    { raw: '', rendered: '<p>notes-1</p>\n' },
  ],
  [
    'a PDF likewise, until it has a caption',
    async () => {
      const { id, caption } = await upload('paper.pdf', '%PDF-1.4\n%%EOF\n');
      const after = bodyOf(await site.by('editor').post(`/media/${id}`, { caption: 'own' }));
      return [caption.rendered, after.caption.rendered];
    },
    ['<p>paper</p>\n', '<p>own</p>\n'],
  ],
  ['a picture has none', async () => (await upload('bare.png')).caption.rendered, ''],
  [
    'texts of image metadata are cleaned',
    async () => {
      const { image_meta: meta } = (
        await upload('m.jpg', await withMeta('<b>A</b> <script>x()</script>\n B'))
      ).media_details;
      return [meta.credit, meta.copyright, meta.caption, meta.camera];
    },
    ['A B', 'A B', 'A B', 'A B'],
  ],
  [
    'alt_text is plain text',
    async () => {
      const { id } = await upload('alt.png');
      return bodyOf(
        await site.by('editor').post(`/media/${id}`, { alt_text: '<b>A</b> <script>x()</script>& "c"' }),
      ).alt_text;
    },
    'A & "c"',
  ],
  [
    'alt_text of an upload is, too',
    async () =>
      bodyOf(
        await site
          .by('editor')
          .request('POST', '/media', { body: form(small, 'c.png', { alt_text: '<i>one</i>\ntwo' }) }),
      ).alt_text,
    'one two',
  ],
  [
    'what is not known of an image is absent, not 0',
    async () => {
      const { id } = await makeMedia(
        site.deps.db,
        {},
        { filesize: 0, details: '{}', file: 'https://old.test/a.png' },
      );
      const { media_details, description } = bodyOf(await site.by('anonymous').get(`/media/${id}`));
      return [media_details, /width|height/.test(description.rendered)];
    },
    [{ sizes: {} }, false],
  ],
];

describe('names', () => table(() => site, names));
describe('sizes', () => table(() => site, sizes));
describe('texts', () => table(() => site, texts));
