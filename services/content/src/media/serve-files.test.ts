/** `/uploads/…`: types, caching, conditions, ranges, and paths that lead nowhere. */
import http from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ContentSite, startContent } from '../testing/service';
import { openBucket } from '@sevenfold/chassis/files/storage-bucket';
import { type FakeBucket, startBucket } from '@sevenfold/chassis/testing/bucket';

let site: ContentSite;
let bucket: FakeBucket;
let inBucket: ContentSite;
/** A file beside the folder of uploads, which no path may reach. */
const secret = (): string => path.join(site.deps.config.UPLOADS_DIR, '..', 'secret.txt');
beforeAll(async () => {
  bucket = await startBucket('files');
  const folder = await mkdtemp(path.join(tmpdir(), 'served-'));
  site = await startContent({ UPLOADS_DIR: path.join(folder, 'uploads') });
  await writeFile(secret(), 'secret');
  inBucket = await startContent({
    S3_ENDPOINT: bucket.url,
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  for (const { deps } of [site, inBucket]) {
    await deps.storage.write('2024/05/ten.txt', Buffer.from('0123456789'), 'text/plain');
    await deps.storage.write('2024/05/a.png', Buffer.from('x'), 'image/png');
    await deps.storage.write('2024/05/empty.txt', Buffer.alloc(0), 'text/plain');
  }
});
afterAll(async () => {
  await rm(path.dirname(secret()), { recursive: true, force: true });
  await Promise.all([site.stop(), inBucket.stop()]);
  await bucket.stop();
});

/** The path exactly as written: fetch would tidy it up. */
function raw(
  target: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(site.url);
    const request = http.request({ host: '127.0.0.1', port, path: target, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

describe.each([
  ['a folder', () => site.url],
  ['a bucket', () => inBucket.url],
])('from %s', (_name, base) => {
  const get = (file: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${base()}/uploads/${file}`, { headers, method });

  it('answers the file for good, with type, size and validators', async () => {
    const answer = await get('2024/05/ten.txt');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('0123456789');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: expect.stringMatching(/^"[^"]+"$/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
    expect(answer.headers.has('content-disposition')).toBe(false);
    expect((await get('2024/05/a.png')).headers.get('content-type')).toBe('image/png');
    expect((await get('2024/05/empty.txt')).status).toBe(200);
  });

  it('answers HEAD without body', async () => {
    const answer = await get('2024/05/ten.txt', {}, 'HEAD');
    expect(answer.headers.get('content-length')).toBe('10');
    expect(await answer.text()).toBe('');
  });

  it('answers 304 to who has it', async () => {
    const { headers } = await get('2024/05/ten.txt');
    const etag = headers.get('etag') as string;
    const modified = headers.get('last-modified') as string;
    const conditions: Record<string, string>[] = [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"other", W/${etag}` },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': modified },
    ];
    for (const condition of conditions) {
      const answer = await get('2024/05/ten.txt', condition);
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')?.replace('W/', '')).toBe(etag);
    }
    const others: Record<string, string>[] = [
      { 'If-None-Match': '"other"', 'If-Modified-Since': modified },
      { 'If-None-Match': '"*"' },
      { 'If-None-Match': '"other", "*"' },
      { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
      // No dates of HTTP, which are not looked at.
      { 'If-Modified-Since': '2050' },
      { 'If-Modified-Since': '9999-01-01' },
      { 'If-Modified-Since': 'Sat, 31 Dec 2050 00:00:00' },
    ];
    for (const condition of others)
      expect([condition, (await get('2024/05/ten.txt', condition)).status]).toEqual([condition, 200]);
    const weak = await get('2024/05/ten.txt', { 'If-None-Match': `W/${etag}` });
    // It would say of a copy that its bytes are the same.
    expect([weak.status, weak.headers.get('etag')]).toEqual([304, `W/${etag}`]);
  });

  it('answers 412 to who wants another one, before it looks at ranges', async () => {
    const { headers } = await get('2024/05/ten.txt');
    const etag = headers.get('etag') as string;
    const modified = headers.get('last-modified') as string;
    const early = 'Thu, 01 Jan 2015 00:00:00 GMT';
    const range = { Range: 'bytes=99-' };
    const cases: [Record<string, string>, number][] = [
      [{ 'If-Match': etag }, 200],
      [{ 'If-Match': `"other", ${etag}` }, 200],
      [{ 'If-Match': '*' }, 200],
      [{ 'If-Match': '"other"' }, 412],
      [{ 'If-Match': '"*"' }, 412],
      [{ 'If-Match': `W/${etag}` }, 412],
      [{ 'If-Match': '"other"', 'If-None-Match': etag }, 412],
      [{ 'If-Match': etag, 'If-None-Match': etag }, 304],
      [{ 'If-Match': '"other"', ...range }, 412],
      [{ 'If-Match': etag, ...range }, 416],
      [{ 'If-Unmodified-Since': modified }, 200],
      [{ 'If-Unmodified-Since': early }, 412],
      [{ 'If-Unmodified-Since': early, ...range }, 412],
      [{ 'If-Unmodified-Since': early, 'If-Match': etag }, 200],
      [{ 'If-Unmodified-Since': '2015' }, 200],
    ];
    for (const [condition, status] of cases)
      expect([condition, (await get('2024/05/ten.txt', condition)).status]).toEqual([condition, status]);
    const refused = await get('2024/05/ten.txt', { 'If-Match': '"other"' });
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await refused.json()).toMatchObject({
      code: 'rest_precondition_failed',
      data: { status: 412 },
    });
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=0-0', '0', 'bytes 0-0/10'],
  ])('answers the range %s', async (range, text, contentRange) => {
    const answer = await get('2024/05/ten.txt', { Range: range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(contentRange);
    expect(answer.headers.get('content-length')).toBe(String(text.length));
    expect(await answer.text()).toBe(text);
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('refuses the range %s', async (range) => {
    const answer = await get('2024/05/ten.txt', { Range: range });
    expect(answer.status).toBe(416);
    expect(answer.headers.get('content-range')).toBe('bytes */10');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(((await answer.json()) as { code: string }).code).toBe('rest_range_not_satisfiable');
  });

  it.each(['bytes=1-2,4-5', 'bytes=4-2', 'lines=1-2', 'bytes=', 'bytes=-', 'bytes=a-b'])(
    'answers everything to the range %s',
    async (range) => {
      const answer = await get('2024/05/ten.txt', { Range: range });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('0123456789');
    },
  );

  it('goes by If-Range', async () => {
    const { headers } = await get('2024/05/ten.txt');
    const ask = (condition: string) => get('2024/05/ten.txt', { Range: 'bytes=0-1', 'If-Range': condition });
    expect((await ask(headers.get('etag') as string)).status).toBe(206);
    expect((await ask(headers.get('last-modified') as string)).status).toBe(206);
    expect((await ask('"other"')).status).toBe(200);
    expect((await ask('Thu, 01 Jan 2015 00:00:00 GMT')).status).toBe(200);
    expect((await ask(new Date(headers.get('last-modified') as string).toISOString())).status).toBe(200);
  });

  it('answers the error body for what is not there', async () => {
    const answer = await get('2024/05/none.png');
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(await answer.json()).toEqual({
      code: 'rest_upload_not_found',
      message: expect.any(String),
      data: { status: 404 },
    });
  });
});

it.each([
  '/uploads/../secret.txt',
  '/uploads/%2e%2e/secret.txt',
  '/uploads/..%2fsecret.txt',
  '/uploads/2024/..%2f..%2f..%2fsecret.txt',
  '/uploads//etc/passwd',
  '/uploads/%2fetc%2fpasswd',
  '/uploads/.unfinished',
  '/uploads/%00',
  '/uploads/%',
  '/uploads/',
  '/uploads',
  '/uploads/2024/05',
  '/uploads/2024%5c..%5c..%5csecret.txt',
])('%s leads nowhere', async (target) => {
  await writeFile(path.join(site.deps.config.UPLOADS_DIR, '..', 'secret.txt'), 'secret').catch(
    () => undefined,
  );
  const answer = await raw(target);
  expect(answer.status).toBe(404);
  expect(answer.body).not.toContain('secret');
});

it('hands out anything unknown or active only for saving', async () => {
  for (const name of ['x.svg', 'x.html', 'x.xml', 'x.xhtml', 'x.unknown', 'x.js', 'bare']) {
    await site.deps.storage.write(`2024/06/${name}`, Buffer.from('<script>1</script>'), 'text/html');
    const answer = await raw(`/uploads/2024/06/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-disposition']).toBe('attachment');
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
    // What is said of the file is not true of an error.
    const beyond = await raw(`/uploads/2024/06/${name}`, { Range: 'bytes=99-' });
    expect([
      beyond.status,
      beyond.headers['content-type'],
      beyond.headers['content-security-policy'],
    ]).toEqual([416, expect.stringMatching(/^application\/json/), undefined]);
  }
});

it('takes only GET and HEAD', async () => {
  expect((await raw('/uploads/2024/05/ten.txt', {}, 'DELETE')).status).toBe(404);
  expect((await raw('/uploads/2024/05/ten.txt')).status).toBe(200);
});

it('says so when the store is away', async () => {
  bucket.failNext(403);
  const answer = await fetch(`${inBucket.url}/uploads/2024/05/ten.txt`);
  expect(answer.status).toBe(503);
  expect(((await answer.json()) as { code: string }).code).toBe('service_unavailable');
});

it('a bucket holds what is uploaded', async () => {
  const answer = await inBucket
    .by('author')
    .post('/media', 'hello', { 'Content-Disposition': 'attachment; filename="s3.txt"' });
  expect(answer.status).toBe(201);
  const key =
    answer.body.media_details.filesize === 5
      ? answer.body.source_url.replace('http://site.test/uploads/', '')
      : '';
  expect(bucket.objects.get(key)).toMatchObject({ type: 'text/plain', bytes: Buffer.from('hello') });
  const storage = openBucket({
    endpoint: bucket.url,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  });
  expect((await storage.find(key))?.size).toBe(5);
  await storage.close();
});
