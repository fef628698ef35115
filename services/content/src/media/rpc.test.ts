/** The remote calls of the media library, and fetching pictures from addresses that somebody else chose. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Remote } from '@sevenfold/chassis/grpc/dial';
import {
  MediaServiceService,
  type MediaServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { isPublicAddress } from '@sevenfold/chassis/outgoing';
import { fetchPublic } from './fetch-public';
import { makeMedia } from './testing/factories';
import { fileHeaders, picture } from './testing/pictures';

let site: ContentSite;
let library: Remote<MediaServiceServer>;
let source: Server;
let address: string;
let answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
let asked: string[];

beforeAll(async () => {
  source = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? ''];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  site = await startContent({ OUTBOUND_ALLOW_PRIVATE: true });
  library = site.dial<MediaServiceServer>(MediaServiceService, 'calendar');
});
afterAll(async () => {
  library.close();
  await site.stop();
  source.closeAllConnections();
  await new Promise((resolve) => source.close(resolve));
});
beforeEach(() => {
  answers = {};
  asked = [];
});

const gives =
  (bytes: Buffer | string, type = 'image/png') =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'Content-Type': type }).end(bytes);
const leadsTo = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { Location: location }).end();
const sideload = (
  url: string,
  fields: { title?: string; author?: number; importId?: string } = {},
  role: keyof ContentSite['users'] = 'author',
) => library.sideload({ url, title: '', author: 0, importId: '', ...fields }, { actor: site.users[role] });

describe('GetMedia', () => {
  it('answers those that exist', async () => {
    const first = await makeMedia(site.deps.db, {}, { alt_text: 'Alt', filesize: 123 });
    const pdf = await makeMedia(site.deps.db, {}, { mime_type: 'application/pdf', details: '{}' });
    const { media } = await library.getMedia({ ids: [first.id, pdf.id, 999_999] });
    expect(media).toHaveLength(2);
    expect(media.find((row) => row.id === first.id)).toEqual({
      id: first.id,
      title: expect.any(String),
      altText: 'Alt',
      mimeType: 'image/png',
      url: `http://site.test/uploads/${first.file}`,
      width: 10,
      height: 10,
      filesize: 123,
      sizes: [],
      isImage: true,
      access: { public: true, readers: [] },
      found: false,
    });
    expect(media.find((row) => row.id === pdf.id)).toMatchObject({ isImage: false, width: 0 });
    expect((await library.getMedia({ ids: [] })).media).toEqual([]);
  });

  it('tells of many that are named and described at length', async () => {
    const long = '語'.repeat(1024 * 1024);
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const row = await makeMedia(site.deps.db, { title_raw: long, content_raw: long }, { alt_text: long });
      ids.push(row.id);
    }
    const { media } = await library.getMedia({ ids });
    expect(media.map(({ title, altText }) => [title.length, altText.length])).toEqual(
      ids.map(() => [1_000, 1_000]),
    );
  });
});

describe('FindMediaByUrl', () => {
  it('knows the file and each of its copies', async () => {
    const { body } = await site.by('author').post('/media', await picture(400, 300), fileHeaders('find.png'));
    const find = async (url: string) => (await library.findMediaByUrl({ url })).media?.id;
    expect(await find(body.source_url)).toBe(body.id);
    expect(await find(body.media_details.sizes.medium.source_url)).toBe(body.id);
    expect(await find(`${body.source_url.replace('http:', 'https:')}?v=1#x`)).toBe(body.id);
    expect(await find(body.source_url.replace('http://site.test', ''))).toBe(body.id);
    for (const url of [
      'http://other.test/uploads/2024/01/find.png',
      'http://site.test/elsewhere',
      `${body.source_url}x`,
      'http://',
      '',
      'http://site.test/uploads/%',
    ])
      expect(await find(url)).toBeUndefined();
  });
});

describe('Sideload', () => {
  it('fetches a picture and stores it like an upload', async () => {
    answers['/pics/Summer%20Fair.JPG?size=l'] = gives(await picture(400, 300, 'jpeg'), 'image/jpeg');
    const url = `${address}/pics/Summer%20Fair.JPG?size=l`;
    const media = await sideload(url, { title: 'The fair' });
    expect(media).toMatchObject({
      title: 'The fair',
      mimeType: 'image/jpeg',
      width: 400,
      height: 300,
      isImage: true,
      url: expect.stringMatching(/\/Summer-Fair\.jpg$/),
    });
    expect(media.sizes.map((size) => size.name)).toEqual(['medium', 'thumbnail', 'full']);
    const { body } = await site.by('author').get(`/media/${media.id}?context=edit`);
    expect(body).toMatchObject({ author: site.users.author.id, title: { raw: 'The fair' } });
    expect(media.found).toBe(false);
    expect(await sideload(url)).toMatchObject({ id: media.id, found: true });
    expect(asked).toHaveLength(1);
  });

  test('what an import has made it does not find, however often it asks; others do', async () => {
    const url = `${address}/made.png`;
    answers['/made.png'] = gives(await picture(8, 8));
    const made = await sideload(url, { importId: 'first' });
    const again = { ...made, found: false };
    expect([made, await sideload(url, { importId: 'first' })]).toEqual([again, again]);
    for (const importId of ['second', '']) expect((await sideload(url, { importId })).found).toBe(true);
    answers['/nobody.png'] = gives(await picture(8, 8));
    await sideload(`${address}/nobody.png`);
    expect((await sideload(`${address}/nobody.png`)).found).toBe(true);
  });

  test('what is known is given only to an owner who may read it; to others the picture is fetched anew, once', async () => {
    const url = `${address}/secret.png`;
    answers['/secret.png'] = gives(await picture(20, 20));
    const known = await makeMedia(
      site.deps.db,
      { status: 'private', author: site.users.editor.id },
      { source_url: url },
    );
    const refused = { status: 400, code: 'rest_upload_sideload_error' };
    // An import fetches with the right to manage imports, for an owner with rights of his own.
    const imported = (author: number) => sideload(url, { author }, 'administrator');
    expect((await imported(site.users.editor.id)).id).toBe(known.id);
    expect(asked).toEqual([]);
    await site.deps.db.run(`update posts set status = 'trash' where id = $1`, [known.id]);
    await expect(imported(site.users.editor.id)).rejects.toMatchObject(refused);
    await site.deps.db.run(`update posts set status = 'private' where id = $1`, [known.id]);
    await expect(imported(999_999)).rejects.toMatchObject({ code: 'rest_invalid_author' });
    const anew = await Promise.all([
      imported(site.users.author.id),
      imported(site.users.author.id),
      sideload(url, {}, 'author'),
    ]);
    const [one, ...more] = new Set(anew.map(({ id }) => id));
    expect([one === known.id, more]).toEqual([false, []]);
    expect((await imported(site.users.editor.id)).id).toBe(one);
    expect((await library.getMedia({ ids: [known.id] })).media[0]?.access?.public).toBe(false);
  });

  it('knows what the site has itself, for an owner who may read it', async () => {
    const { body } = await site.by('editor').post('/media', await picture(400, 300), fileHeaders('own.png'));
    const imported = async (url: string, author = site.users.author.id) =>
      (await sideload(url, { author }, 'administrator')).id;
    for (const url of [body.source_url, body.media_details.sizes.medium.source_url, `${body.source_url}?v=1`])
      expect(await imported(url)).toBe(body.id);
    expect(await imported(body.source_url, 0)).toBe(body.id);
    const refused = { status: 400, code: 'rest_upload_sideload_error' };
    await site.deps.db.run(`update posts set status = 'private' where id = $1`, [body.id]);
    expect(await imported(body.source_url, site.users.editor.id)).toBe(body.id);
    await expect(imported(body.source_url)).rejects.toMatchObject(refused);
    await site.deps.db.run(`update posts set status = 'trash' where id = $1`, [body.id]);
    for (const author of [site.users.editor.id, site.users.author.id])
      await expect(imported(body.source_url, author)).rejects.toMatchObject(refused);
  });

  it('answers the same attachment to all who ask at once', async () => {
    answers['/once.png'] = gives(await picture(200, 200));
    const found = await Promise.all(Array.from({ length: 4 }, () => sideload(`${address}/once.png`)));
    expect(new Set(found.map((media) => media.id)).size).toBe(1);
    expect(
      await site.deps.db.rows('select path from media_files where media is null and removed_at is null'),
    ).toEqual([]);
    // Whichever of them was the first to be stored has the name, with a number where another had reserved it before.
    const titled = "select count(*) as n from posts where title_raw ~ '^once(-[0-9]+)?$'";
    expect(await site.deps.db.first(titled)).toEqual({ n: 1 });
  });

  it('goes by the content, not by the name', async () => {
    answers['/image.php'] = gives(await picture(5, 5, 'webp'), 'text/html');
    answers['/'] = gives(await picture(5, 5));
    expect((await sideload(`${address}/image.php`)).url).toMatch(/\/image\.webp$/);
    expect((await sideload(`${address}/`)).url).toMatch(/\/picture\.png$/);
  });

  it('follows redirects, up to five', async () => {
    answers['/end.png'] = gives(await picture(5, 5));
    for (let hop = 1; hop <= 6; hop++)
      answers[`/hop${hop}`] = leadsTo(hop === 1 ? '/end.png' : `/hop${hop - 1}`);
    expect((await sideload(`${address}/hop5`)).isImage).toBe(true);
    await expect(sideload(`${address}/hop6`)).rejects.toMatchObject({
      status: 400,
      code: 'rest_source_unreachable',
    });
  });

  it.each<[string, () => string, number, string]>([
    ['a page', () => `${address}/page`, 415, 'rest_upload_sideload_error'],
    ['an SVG', () => `${address}/drawing.svg`, 415, 'rest_upload_sideload_error'],
    ['half a picture', () => `${address}/half.png`, 415, 'rest_upload_sideload_error'],
    ['nothing', () => `${address}/none.png`, 400, 'rest_source_unreachable'],
    ['a closed port', () => 'http://127.0.0.1:1/x.png', 400, 'rest_source_unreachable'],
    ['another scheme', () => 'file:///etc/passwd', 400, 'rest_source_refused'],
    ['a name with password', () => 'http://user:secret@127.0.0.1/x.png', 400, 'rest_source_refused'],
    ['no address', () => 'x', 400, 'rest_source_refused'],
  ])('refuses %s', async (_what, url, status, code) => {
    answers['/page'] = gives('<html></html>', 'image/png');
    answers['/drawing.svg'] = gives('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml');
    answers['/half.png'] = gives((await picture(100, 100)).subarray(0, 90));
    await expect(sideload(url())).rejects.toMatchObject({ status, code });
    expect(
      await site.deps.db.rows('select path from media_files where media is null and removed_at is null'),
    ).toEqual([]);
  });

  it('asks for rights', async () => {
    answers['/r.png'] = gives(await picture(5, 5));
    const url = `${address}/r.png`;
    await expect(library.sideload({ url, title: '', author: 0, importId: '' })).rejects.toMatchObject({
      status: 401,
      code: 'rest_cannot_create',
    });
    await expect(sideload(url, {}, 'contributor')).rejects.toMatchObject({
      status: 403,
      code: 'rest_cannot_create',
    });
    await expect(sideload(url, { author: site.users.editor.id })).rejects.toMatchObject({
      status: 403,
      code: 'rest_cannot_edit_others',
    });
    expect(asked).toEqual([]);
    const importer = { ...(await makeUser(site.deps.db)), capabilities: new Set(['manage_imports']) };
    const media = await library.sideload(
      { url, title: '', author: site.users.author.id, importId: '' },
      { actor: importer, deadlineMs: 10_000 },
    );
    const row = await site.deps.db.first('select author from posts where id = $1', [media.id]);
    expect(row).toEqual({ author: site.users.author.id });
  });
});

describe('fetching from the public internet only', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fetch-test-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const port = () => new URL(address).port;

  it.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['fec0::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['ff02::1', false],
    ['4000::1', false],
    ['nonsense', false],
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
  ])('%s is public: %s', (text, expected) => expect(isPublicAddress(text)).toBe(expected));

  it.each([
    () => `http://127.0.0.1:${port()}/x.png`,
    () => `http://[::1]:${port()}/x.png`,
    () => `http://[::ffff:127.0.0.1]:${port()}/x.png`,
    () => `http://2130706433:${port()}/x.png`,
    () => `http://0x7f.1:${port()}/x.png`,
    () => `http://localhost:${port()}/x.png`,
    () => `http://0/x.png`,
  ])('refuses literal and resolved addresses of our own (%#)', async (url) => {
    answers['/x.png'] = gives('secret');
    await expect(fetchPublic(url(), folder, { allowPrivate: false })).rejects.toMatchObject({
      status: 400,
      code: 'rest_source_refused',
    });
    expect(asked).toEqual([]);
  });

  it('stops at the limit, whether the size was announced or not', async () => {
    answers['/large'] = gives('x'.repeat(2000));
    answers['/endless'] = (_, response) => {
      response.writeHead(200);
      const more = (): void =>
        void (response.destroyed || response.write('x'.repeat(500), () => setImmediate(more)));
      more();
    };
    for (const name of ['large', 'endless'])
      await expect(
        fetchPublic(`${address}/${name}`, folder, { allowPrivate: true, limitBytes: 1000 }),
      ).rejects.toMatchObject({ status: 413, code: 'rest_source_too_large' });
    answers['/fits'] = gives('x'.repeat(1000));
    const { file } = await fetchPublic(`${address}/fits`, folder, { allowPrivate: true, limitBytes: 1000 });
    expect(await readFile(file, 'utf8')).toHaveLength(1000);
  });

  it('stops waiting, before and within the answer', async () => {
    answers['/silent'] = () => undefined;
    answers['/stalled'] = (_, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('x');
    for (const name of ['silent', 'stalled'])
      await expect(
        fetchPublic(`${address}/${name}`, folder, { allowPrivate: true, timeoutMs: 150 }),
      ).rejects.toMatchObject({ status: 400, code: 'rest_source_unreachable' });
  });
});
