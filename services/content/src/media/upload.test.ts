/** `POST /media`: both forms of an upload, what is stored, and every way to be refused. */
import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { spool, withSpool } from '@sevenfold/chassis/files/spool';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { Superseded, addFile, checkFile, removeFilesOrLeave } from './add';
import { toFileName } from './file-names';
import { abandonUnshown } from './file-register';
import { makeMedia } from './testing/factories';
import { fileHeaders, form, picture } from './testing/pictures';
import { createMedia } from './write';

const LIMIT = 300_000;
let site: ContentSite;
/** Left by runs that were killed, maybe of other users: they stay. */
let stale: ReadonlySet<string>;
beforeAll(async () => {
  stale = new Set(await spools());
  site = await startContent({ UPLOAD_LIMIT_BYTES: LIMIT });
});
afterAll(() => site.stop());

const spools = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('sevenfold-upload-'));
/** Other test files upload at the same time: what is there now must go, whatever comes meanwhile. */
async function spoolsAreGone(): Promise<void> {
  const present = (await spools()).filter((name) => !stale.has(name));
  for (;;) {
    const now = new Set(await spools());
    if (!present.some((name) => now.has(name))) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const folder = (): string => {
  const now = new Date(new Date().toLocaleString('en-US', { timeZone: 'America/New_York' }));
  return `${now.getFullYear()}/${String(now.getMonth() + 1).padStart(2, '0')}`;
};

describe('a body with a disposition', () => {
  it('stores the file and answers the attachment', async () => {
    const bytes = await picture(400, 200);
    const answer = await site.by('author').post('/media', bytes, fileHeaders('My Holiday Pic.png'));
    expect(answer.status).toBe(201);
    const { body } = answer;
    expect(answer.headers.get('location')).toBe(`http://site.test/rest/core/v2/media/${body.id}`);
    const url = `http://site.test/uploads/${folder()}`;
    expect(body).toMatchObject({
      id: expect.any(Number),
      guid: { rendered: `${url}/My-Holiday-Pic.png`, raw: `${url}/My-Holiday-Pic.png` },
      slug: 'my-holiday-pic',
      status: 'inherit',
      type: 'attachment',
      link: 'http://site.test/my-holiday-pic/',
      title: { raw: 'My-Holiday-Pic', rendered: 'My-Holiday-Pic' },
      author: site.users.author.id,
      comment_status: 'open',
      ping_status: 'closed',
      template: '',
      meta: [],
      permalink_template: `http://site.test/?attachment_id=${body.id}`,
      generated_slug: 'my-holiday-pic',
      caption: { raw: '', rendered: '' },
      alt_text: '',
      media_type: 'image',
      mime_type: 'image/png',
      post: null,
      source_url: `${url}/My-Holiday-Pic.png`,
      missing_image_sizes: [],
    });
    const { sizes, image_meta } = body.media_details;
    expect(Object.keys(sizes)).toEqual(['medium', 'thumbnail', 'full']);
    expect(Object.keys(image_meta)[0]).toBe('aperture');
    expect(body.media_details).toEqual({
      width: 400,
      height: 200,
      file: `${folder()}/My-Holiday-Pic.png`,
      filesize: bytes.length,
      sizes: {
        medium: {
          file: 'My-Holiday-Pic-300x150.png',
          width: 300,
          height: 150,
          filesize: expect.any(Number),
          mime_type: 'image/png',
          source_url: `${url}/My-Holiday-Pic-300x150.png`,
        },
        thumbnail: expect.objectContaining({ file: 'My-Holiday-Pic-150x150.png', width: 150, height: 150 }),
        full: {
          file: 'My-Holiday-Pic.png',
          width: 400,
          height: 200,
          mime_type: 'image/png',
          source_url: `${url}/My-Holiday-Pic.png`,
        },
      },
      image_meta: {
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
      },
    });
    expect(body.description.rendered).toBe(
      `<p class="attachment"><a href='${url}/My-Holiday-Pic.png'><img width="300" height="150" src="${url}/My-Holiday-Pic-300x150.png" ` +
        `class="attachment-medium size-medium" alt="" decoding="async" loading="lazy" ` +
        `srcset="${url}/My-Holiday-Pic-300x150.png 300w, ${url}/My-Holiday-Pic.png 400w" sizes="(max-width: 300px) 100vw, 300px" /></a></p>\n`,
    );
    const stored = await fetch(`${site.url}/uploads/${body.media_details.file}`);
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true);
    const thumbnail = await fetch(`${site.url}/uploads/${folder()}/My-Holiday-Pic-150x150.png`);
    expect(await sharp(await thumbnail.arrayBuffer()).metadata()).toMatchObject({
      width: 150,
      height: 150,
      format: 'png',
    });
    await spoolsAreGone();
  });

  it.each([
    [`attachment; filename*=UTF-8''na%C3%AFve%20pic.png`, 'naive-pic.png', 'naïve-pic'],
    [`attachment; filename="plain.png"; filename*=UTF-8''better.png`, 'better.png', 'better'],
    ['inline; filename=bare.png', 'bare.png', 'bare'],
    ['attachment; filename="../../etc/pass\\"wd.png"', 'passwd.png', 'passwd'],
    ['attachment; filename="evil.html.png"', 'evil_html.png', 'evil_html'],
    ['attachment; filename="日本.png"', 'file.png', '日本'],
  ])('takes the name of %s', async (header, file, title) => {
    const headers = {
      'Content-Disposition': Buffer.from(header).toString('latin1'),
      'Content-Type': 'image/png',
    };
    const { status, body } = await site.by('author').post('/media', await picture(10, 10), headers);
    expect(status).toBe(201);
    expect(body.media_details.file).toBe(`${folder()}/${file}`);
    expect(body.title.raw).toBe(title);
    expect(body.media_details.sizes).toEqual({});
  });

  it('says nothing about an item that is there already, however large it is', async () => {
    const bytes = await picture(7, 7);
    const { body: made } = await site.by('author').post('/media', bytes, fileHeaders('twice.png'));
    const large = Buffer.concat([bytes, Buffer.alloc(2 * 1024 * 1024)]);
    const again = await site
      .by('author')
      .post(`/media/${made.id}?alt_text=Twice`, large, fileHeaders('twice.png'));
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ id: made.id, alt_text: 'Twice', source_url: made.source_url });
  });

  it('takes fields from the query', async () => {
    const { body } = await site
      .by('author')
      .post('/media?title=Given&alt_text=An+alt&slug=My+Own', await picture(5, 5), fileHeaders('q.png'));
    expect(body).toMatchObject({ title: { raw: 'Given' }, alt_text: 'An alt', slug: 'my-own' });
  });

  it('numbers files of the same name, also when they come at once', async () => {
    const bytes = await picture(200, 200);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => site.by('author').post('/media', bytes, fileHeaders('same.png'))),
    );
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
    const files = answers.map((answer) => answer.body.media_details.file.split('/').at(-1));
    expect(files.sort()).toEqual(['same-1.png', 'same-2.png', 'same-3.png', 'same-4.png', 'same.png']);
    expect(new Set(answers.map((answer) => answer.body.slug)).size).toBe(5);
    // The name of a copy is taken as well.
    const clash = await site.by('author').post('/media', bytes, fileHeaders('same-150x150.png'));
    expect(clash.body.media_details.file).toMatch(/same-150x150-1\.png$/);
  });

  it.each([
    ['application/pdf', 'paper.pdf', '%PDF-1.4\n%binary', 'file'],
    ['text/plain', 'notes.txt', 'hello', 'file'],
    ['text/csv', 'table.csv', 'a,b\n1,2\n', 'file'],
    ['text/vtt', 'words.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n', 'file'],
    ['audio/mpeg', 'song.mp3', 'ID3\x03\0\0', 'file'],
    ['audio/ogg', 'song.ogg', 'OggS\0\x02', 'file'],
    ['audio/wav', 'song.wav', 'RIFF\0\0\0\0WAVEfmt ', 'file'],
    ['audio/mp4', 'song.m4a', '\0\0\0\x20ftypM4A \0\0', 'file'],
    ['video/mp4', 'film.mp4', '\0\0\0\x20ftypisom\0\0', 'file'],
    ['video/quicktime', 'film.mov', '\0\0\0\x14ftypqt  \0\0', 'file'],
    ['video/webm', 'film.webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1]), 'file'],
    ['video/ogg', 'film.ogv', 'OggS\0\x02', 'file'],
    ['application/zip', 'pack.zip', 'PK\x03\x04rest', 'file'],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'text.docx',
      'PK\x03\x04rest',
      'file',
    ],
  ])('takes %s', async (mime, name, content, kind) => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
    const { status, body } = await site.by('author').post('/media', bytes, fileHeaders(name));
    expect(status).toBe(201);
    expect(body).toMatchObject({ mime_type: mime, media_type: kind });
    expect(body.media_details).toEqual({ filesize: bytes.length, sizes: {} });
    expect(body.description.rendered).toContain(`<a href='${body.source_url}'>`);
  });

  it.each(['jpeg', 'gif', 'webp', 'avif'] as const)('takes pictures of type %s', async (format) => {
    const { status, body } = await site
      .by('author')
      .post('/media', await picture(310, 160, format), fileHeaders(`kind.${format}`));
    expect(status).toBe(201);
    expect(body.mime_type).toBe(`image/${format}`);
    expect(Object.keys(body.media_details.sizes)).toEqual(['medium', 'thumbnail', 'full']);
    const copy = await fetch(`${site.url}/uploads/${folder()}/${body.media_details.sizes.medium.file}`);
    expect(copy.headers.get('content-type')).toBe(`image/${format}`);
  });

  it('checks Content-MD5, in both notations', async () => {
    const bytes = await picture(6, 6);
    const hash = createHash('md5').update(bytes);
    const hex = hash.copy().digest('hex');
    const send = (md5: string) =>
      site.by('author').post('/media', bytes, { ...fileHeaders('hash.png'), 'Content-MD5': md5 });
    expect((await send(hex)).status).toBe(201);
    expect((await send(hash.digest('base64'))).status).toBe(201);
    const wrong = await send('0'.repeat(32));
    expect(wrong).toMatchObject({ status: 412, body: { code: 'rest_upload_hash_mismatch' } });
  });
});

describe('a form', () => {
  it('takes the file and the other fields as text', async () => {
    const post = await makePost(site.deps.db, { author: site.users.author.id });
    const fields = {
      title: 'Form <b>title</b>',
      caption: 'A caption',
      alt_text: 'Alt "text"',
      description: 'Long\n\ntext',
      post: String(post.id),
      comment_status: 'closed',
      date: '2020-02-03T04:05:06',
      status: 'draft',
    };
    const { status, body } = await site
      .by('author')
      .post('/media', form(await picture(20, 10), 'form pic.png', fields));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: { raw: 'Form <b>title</b>' },
      caption: { raw: 'A caption', rendered: '<p>A caption</p>\n' },
      alt_text: 'Alt "text"',
      post: post.id,
      comment_status: 'closed',
      status: 'inherit',
      date: '2020-02-03T04:05:06',
      date_gmt: '2020-02-03T09:05:06',
      link: `http://site.test/2024/01/02/${post.slug}/form-title/`,
    });
    expect(body.description.rendered).toContain('alt="Alt &quot;text&quot;"');
    expect(body.description.rendered).toMatch(/<p>Long<\/p>\n<p>text<\/p>\n$/);
  });

  it('takes quotation marks in the name of a file for what they are, as browsers write them', async () => {
    const { body } = await site.by('author').post('/media', form('x', 'my "best" 100% notes.txt'));
    expect(body.title.raw).toBe('my-best-100-notes');
    expect(body.source_url).toMatch(/\/my-best-100-notes\.txt$/);
  });

  it('names all bad fields at once, and keeps nothing', async () => {
    const before = await site.deps.db.first<{ n: number }>('select count(*) as n from media_files');
    const fields = { date: 'soon', comment_status: 'maybe', post: 'x' };
    const { status, body } = await site
      .by('author')
      .post('/media', form(await picture(5, 5), 'bad.png', fields));
    expect(status).toBe(400);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params).sort()).toEqual(['comment_status', 'date', 'post']);
    expect(await site.deps.db.first('select count(*) as n from media_files')).toEqual(before);
  });

  it.each([
    ['another name of the part', () => form('x', 'a.txt', {}, 'picture'), 400, 'rest_upload_unknown_error'],
    [
      'no file at all',
      () => {
        const data = new FormData();
        data.append('title', 'x');
        return data;
      },
      400,
      'rest_upload_no_content_disposition',
    ],
    ['an empty file', () => form('', 'a.txt'), 400, 'rest_upload_no_data'],
    ['a file that is too large', () => form('x'.repeat(LIMIT + 1), 'a.txt'), 413, 'payload_too_large'],
  ])('refuses %s', async (_what, body, status, code) => {
    const answer = await site.by('author').post('/media', body());
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
    expect(answer.body.data.status).toBe(status);
    await spoolsAreGone();
  });

  it('refuses what is no form', async () => {
    const answer = await site
      .by('author')
      .post('/media', 'garbage', { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(answer.status).toBe(400);
    const bare = await site.by('author').post('/media', 'garbage', { 'Content-Type': 'multipart/form-data' });
    expect(bare).toMatchObject({ status: 400, body: { code: 'rest_invalid_multipart' } });
  });

  it('refuses a file whose headers hold the beginning of another, and keeps nothing of it', async () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="a.txt"';
    for (const rest of ['--', `\r\n${head}\r\n\r\nx\r\n--x--\r\n`]) {
      const answer = await site.by('author').post('/media', `--x\r\n${head}\r\n--x\r\n\r\n${rest}`, {
        'Content-Type': 'multipart/form-data; boundary=x',
      });
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_multipart' } });
    }
    await spoolsAreGone();
  });
});

describe('refusals', () => {
  const png = () => picture(5, 5);
  it.each<
    [
      string,
      () => Promise<Buffer | string> | Buffer | string | undefined | object,
      Record<string, string>,
      number,
      string,
    ]
  >([
    ['an empty body', () => undefined, fileHeaders('a.png'), 400, 'rest_upload_no_data'],
    ['no disposition', png, { 'Content-Type': 'image/png' }, 400, 'rest_upload_no_content_disposition'],
    ['JSON alone', () => ({ title: 'x' }), {}, 400, 'rest_upload_no_content_disposition'],
    [
      'a disposition without name',
      png,
      { 'Content-Disposition': 'attachment' },
      400,
      'rest_upload_invalid_disposition',
    ],
    [
      'a disposition with an empty name',
      png,
      { 'Content-Disposition': 'attachment; filename=""' },
      400,
      'rest_upload_invalid_disposition',
    ],
    ['an unknown ending', png, fileHeaders('a.exe'), 415, 'rest_upload_sideload_error'],
    ['no ending', png, fileHeaders('picture'), 415, 'rest_upload_sideload_error'],
    ['a script', () => 'alert(1)', fileHeaders('a.js'), 415, 'rest_upload_sideload_error'],
    ['HTML', () => '<p>hi</p>', fileHeaders('a.html'), 415, 'rest_upload_sideload_error'],
    [
      'SVG',
      () => '<svg xmlns="http://www.w3.org/2000/svg"/>',
      fileHeaders('a.svg'),
      415,
      'rest_upload_sideload_error',
    ],
    [
      'text that claims to be a picture',
      () => 'not a picture',
      fileHeaders('a.png'),
      415,
      'rest_upload_sideload_error',
    ],
    ['a picture of another type', png, fileHeaders('a.jpg'), 415, 'rest_upload_sideload_error'],
    ['a picture that claims to be text', png, fileHeaders('a.txt'), 415, 'rest_upload_sideload_error'],
    [
      'a picture cut short',
      async () => (await picture(600, 600, 'jpeg')).subarray(0, 700),
      fileHeaders('a.jpg'),
      415,
      'rest_upload_sideload_error',
    ],
    [
      'a small picture cut short',
      async () => (await picture(100, 100)).subarray(0, 120),
      fileHeaders('a.png'),
      415,
      'rest_upload_sideload_error',
    ],
    [
      'more bytes than allowed',
      () => Buffer.alloc(LIMIT + 1, 'x'),
      fileHeaders('a.txt'),
      413,
      'payload_too_large',
    ],
    ['a parent that is not there', png, fileHeaders('a.png'), 403, 'rest_cannot_edit'],
  ])('%s', async (what, body, headers, status, code) => {
    const path = what.startsWith('a parent') ? '/media?post=999999' : '/media';
    const answer = await site.by('author').post(path, await body(), headers);
    expect(answer.body).toMatchObject({ code, data: { status } });
    expect(answer.status).toBe(status);
    await spoolsAreGone();
    expect(
      await site.deps.db.rows('select path from media_files where media is null and removed_at is null'),
    ).toEqual([]);
  });

  it('a picture with too many pixels', async () => {
    // A few bytes that claim 108 million pixels: it must be refused before anybody draws them.
    const bomb = await picture(1, 1);
    bomb.writeUInt32BE(12_000, 16);
    bomb.writeUInt32BE(9_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const answer = await site.by('author').post('/media', bomb, fileHeaders('bomb.png'));
    expect(answer).toMatchObject({ status: 413, body: { code: 'rest_upload_too_many_pixels' } });
  });

  it('far more bytes than allowed, announced or not: the answer reaches a client that is still sending', async () => {
    const large = Buffer.alloc(20_000_000, 'x');
    const headers = {
      ...fileHeaders('a.txt'),
      [ACTOR_HEADER]: signActor(site.users.author, TEST_ACTOR_SECRET),
    };
    for (const body of [large, new Blob([large]).stream()]) {
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
      const answer = await fetch(`${site.url}/rest/core/v2/media`, init);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ code: 'payload_too_large', data: { limit: LIMIT } });
    }
    await spoolsAreGone();
  });

  it('more bytes than allowed from a client that reads nothing before it has sent all: the answer is there still', async () => {
    const headers = {
      ...fileHeaders('a.txt'),
      [ACTOR_HEADER]: signActor(site.users.author, TEST_ACTOR_SECRET),
      'Transfer-Encoding': 'chunked',
    };
    const { hostname, port } = new URL(site.url);
    const socket = net.connect(Number(port), hostname).pause();
    const fault = new Promise<Error>((resolve) => socket.once('error', resolve));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST /rest/core/v2/media HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`);
    // More than fits between the two where nobody reads.
    for (let sent = 0; sent < 20_000_000; sent += 65_536) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    const sent = new Promise((resolve) => socket.write('0\r\n\r\n', resolve));
    expect(await Promise.race([sent, fault])).toBeFalsy();
    const answer = new Promise<string>((resolve) =>
      socket.once('data', (bytes: Buffer) => resolve(String(bytes))),
    );
    socket.resume();
    expect(await Promise.race([answer, fault])).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
    await spoolsAreGone();
  });

  it('a parent of somebody else, and one that is an attachment', async () => {
    const post = await makePost(site.deps.db, { author: site.users.editor.id });
    const denied = await site.by('author').post(`/media?post=${post.id}`, await png(), fileHeaders('p.png'));
    expect(denied).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit' } });
    const first = await site.by('author').post('/media', await png(), fileHeaders('p.png'));
    const nested = await site
      .by('author')
      .post(`/media?post=${first.body.id}`, await png(), fileHeaders('p.png'));
    expect(nested).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { post: expect.any(String) } } },
    });
  });

  it('another owner without the right, and an unknown one', async () => {
    const other = await site
      .by('author')
      .post(`/media?author=${site.users.editor.id}`, await png(), fileHeaders('o.png'));
    expect(other).toMatchObject({ status: 403, body: { code: 'rest_cannot_edit_others' } });
    const unknown = await site.by('editor').post('/media?author=999999', await png(), fileHeaders('o.png'));
    expect(unknown).toMatchObject({ status: 400, body: { code: 'rest_invalid_author' } });
    const given = await site
      .by('editor')
      .post(`/media?author=${site.users.author.id}`, await png(), fileHeaders('o.png'));
    expect(given).toMatchObject({ status: 201, body: { author: site.users.author.id } });
  });

  it('an id, a template', async () => {
    expect(await site.by('author').post('/media?id=5', await png(), fileHeaders('i.png'))).toMatchObject({
      status: 400,
      body: { code: 'rest_post_exists' },
    });
    expect(
      (await site.by('author').post('/media?template=x.php', await png(), fileHeaders('i.png'))).body.data
        .params,
    ).toHaveProperty('template');
  });

  it.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 403],
  ] as const)('%s', async (role, status) => {
    // Large enough not to fit into the buffers on the way: the answer must come through all the same.
    const answer = await site.by(role).post('/media', Buffer.alloc(250_000, 'x'), fileHeaders('a.txt'));
    expect(answer).toMatchObject({ status, body: { code: 'rest_cannot_create' } });
  });

  it('an upload that is cut off leaves nothing behind', async () => {
    const { port } = new URL(site.url);
    await new Promise<void>((resolve) => {
      const request = http.request({
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/rest/core/v2/media',
        headers: {
          ...fileHeaders('cut.txt'),
          'Content-Length': 100_000,
          [ACTOR_HEADER]: signActor(site.users.author, TEST_ACTOR_SECRET),
        },
      });
      request.on('error', () => undefined);
      request.on('close', () => resolve());
      request.write(Buffer.alloc(10_000, 'x'), () => {
        // Only once the server has begun to keep it there is something to leave behind.
        const cut = async (): Promise<void> => {
          if ((await spools()).length > 0) request.destroy();
          else setImmediate(() => void cut());
        };
        void cut();
      });
    });
    await spoolsAreGone();
    expect(await site.deps.db.rows("select id from posts where slug = 'cut'")).toEqual([]);
  });

  it('a client that is gone before its picture is stored leaves nothing behind', async () => {
    const { db, storage } = site.deps;
    const { port } = new URL(site.url);
    const bytes = await picture(400, 200);
    const request = http.request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/rest/core/v2/media',
      headers: {
        ...fileHeaders('gone.png'),
        'Content-Length': bytes.length,
        [ACTOR_HEADER]: signActor(site.users.author, TEST_ACTOR_SECRET),
      },
    });
    request.on('error', () => undefined);
    let answering: http.ServerResponse | undefined;
    const begun = (message: unknown): void => {
      const { request: asked, response } = message as {
        request: http.IncomingMessage;
        response: http.ServerResponse;
      };
      if (asked.headers['content-disposition']?.includes('gone.png')) answering = response;
    };
    const write = storage.write.bind(storage);
    let isStored = false;
    Object.assign(storage, {
      write: async (...file: Parameters<typeof write>) => {
        await write(...file);
        if (isStored) return;
        isStored = true;
        const closed = once(answering as http.ServerResponse, 'close');
        request.destroy();
        await closed;
      },
    });
    subscribe('http.server.request.start', begun);
    try {
      request.end(bytes);
      const ended = await until(async () => {
        const [{ shown, kept }] = (await db.rows(
          `select (select count(*) from posts where slug = 'gone') as shown,
                  (select count(*) from media_files where path like '%/gone%' and removed_at is null) as kept`,
        )) as [{ shown: number; kept: number }];
        return isStored && (shown > 0 || kept === 0) && { shown, kept };
      });
      expect(ended).toEqual({ shown: 0, kept: 0 });
      expect(await storage.find(`${folder()}/gone.png`)).toBeUndefined();
    } finally {
      unsubscribe('http.server.request.start', begun);
      Object.assign(storage, { write });
    }
  });
});

describe('who may post any HTML', () => {
  it('uploads SVG and HTML, which are only handed out for saving', async () => {
    for (const [name, content] of [
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['page.html', '<script>alert(1)</script>'],
    ] as const) {
      const { status, body } = await site.by('editor').post('/media', content, fileHeaders(name));
      expect(status).toBe(201);
      expect(body.media_type).toBe('file');
      const file = await fetch(`${site.url}/uploads/${folder()}/${name}`);
      expect(file.headers.get('content-disposition')).toBe('attachment');
      expect(file.headers.get('content-security-policy')).toContain('sandbox');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('keeps scripts in texts, while others lose them', async () => {
    const text = 'a <b>b</b><script>alert(1)</script>';
    const free = await site
      .by('editor')
      .post('/media', form('x', 'free.txt', { description: text, caption: text }));
    expect(free.body.description.raw).toBe(text);
    const cleaned = await site
      .by('author')
      .post('/media', form('x', 'clean.txt', { description: text, caption: text }));
    expect(cleaned.body.description.raw).not.toContain('<script');
    expect(cleaned.body.caption.raw).toContain('<b>b</b>');
  });
});

it('an upload whose commit came through, but not the answer to it, keeps its files', async () => {
  const { deps, users } = site;
  const db: Database = {
    ...deps.db,
    transaction: async (work) => {
      await deps.db.transaction(work);
      throw new Error('Connection terminated unexpectedly');
    },
  };
  let isFirst = true;
  const losing: Database = {
    ...deps.db,
    transaction: (work) => {
      const through = isFirst ? db : deps.db;
      isFirst = false;
      return through.transaction(work);
    },
  };
  const bytes = await picture(400, 200);
  const adding = withSpool(async (folder) => {
    const spooled = await spool(Readable.from([bytes]), folder, 1_000_000);
    const incoming = await checkFile(users.author, spooled, toFileName('lost.png'));
    return addFile({ ...deps, db: losing }, incoming, folder, (tx, stored) =>
      createMedia(tx, deps, stored, { actor: users.author, author: users.author.id, fields: {} }),
    );
  });
  await expect(adding).rejects.toThrow('Connection terminated');
  const { body } = await site.by('anonymous').get('/media?search=lost');
  expect(body).toHaveLength(1);
  const path = (body[0].source_url as string).split('/uploads/')[1]!;
  expect(await deps.storage.find(path)).toBeDefined();
});

it('an upload that is rolled back keeps nothing', async () => {
  const { deps, users } = site;
  const bytes = await picture(400, 200);
  const adding = withSpool(async (folder) => {
    const spooled = await spool(Readable.from([bytes]), folder, 1_000_000);
    const incoming = await checkFile(users.author, spooled, toFileName('rolled.png'));
    return addFile(deps, incoming, folder, async (tx, stored) => {
      await createMedia(tx, deps, stored, { actor: users.author, author: users.author.id, fields: {} });
      throw new Error('no');
    });
  });
  await expect(adding).rejects.toThrow('no');
  expect(
    await deps.db.rows(`select path from media_files where path like '%rolled%' and removed_at is null`),
  ).toEqual([]);
});

describe('a file for an attachment that is there', () => {
  /** As an import brings it; `before` is called when its files are stored, and nothing shows them yet. */
  const bring = async (media: number, name: string, before: () => Promise<unknown>): Promise<unknown> => {
    const { deps, users } = site;
    const bytes = await picture(400, 200);
    const storage = {
      ...deps.storage,
      write: async (...file: Parameters<typeof deps.storage.write>) => {
        await deps.storage.write(...file);
        await before();
      },
    };
    return withSpool(async (folder) => {
      const spooled = await spool(Readable.from([bytes]), folder, 1_000_000);
      const incoming = await checkFile(users.author, spooled, toFileName(name));
      const show = (tx: Db, file: string): Promise<number> =>
        tx.run('update media set file = $2 where post_id = $1', [media, file]);
      return addFile({ ...deps, storage }, incoming, folder, (tx, stored) => show(tx, stored.file), {
        media,
      });
    });
  };
  /** As another run does that takes what it finds for left over. */
  const clear = async (media: number): Promise<void> => {
    for (const upload of await abandonUnshown(site.deps.db, media))
      await removeFilesOrLeave(site.deps, upload);
  };
  const fileOf = async (media: number): Promise<string> =>
    (
      (await site.deps.db.first<{ file: string }>('select file from media where post_id = $1', [media])) as {
        file: string;
      }
    ).file;
  const far = 'https://old.example/far.png';

  it('stays with it once it is shown, whoever looks for what an earlier run left', async () => {
    const { id } = await makeMedia(site.deps.db, {}, { file: far });
    await bring(id, 'brought.png', () => Promise.resolve());
    await clear(id);
    expect(await site.deps.storage.find(await fileOf(id))).toBeDefined();
  });

  it('is not shown where its files were taken away before', async () => {
    const { id } = await makeMedia(site.deps.db, {}, { file: far });
    await expect(bring(id, 'taken.png', () => clear(id))).rejects.toThrow(Superseded);
    expect(await fileOf(id)).toBe(far);
  });
});
