/** Files on their way: whatever they come from they arrive whole, their progress is told, and nothing of them stays open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, type UploadProgress, createClient } from '@sevenfold/client';
import { until } from '@sevenfold/chassis/testing/until';
import { type Asked, type Said, type Scripted, refusal, startScripted } from './scripted';

const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, place) => place % 251));
const DONE: Said = { status: 201, body: { id: 7 } };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploads-'));
  writeFileSync(path.join(folder, 'cat.bin'), BYTES);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running: Scripted[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop();
});
async function of(
  answer: (asked: Asked, number: number) => Said = () => DONE,
  early?: Parameters<typeof startScripted>[1],
): Promise<{ client: Client; site: Scripted }> {
  const site = await startScripted(answer, early);
  running.push(site);
  return { site, client: createClient({ url: site.url }) };
}

const formOf = ({ bytes, headers }: Asked): Promise<FormData> =>
  new Response(new Uint8Array(bytes), {
    headers: { 'Content-Type': headers['content-type'] as string },
  }).formData();

/** Counts how often it was let go of. */
function streamed(pieces: number, fault?: Error): AsyncIterable<Uint8Array> & { ended: number } {
  const source = {
    ended: 0,
    async *[Symbol.asyncIterator]() {
      try {
        for (let piece = 0; piece < pieces; piece += 1) yield new Uint8Array(BYTES.subarray(0, 50_000));
        if (fault) throw fault;
      } finally {
        source.ended += 1;
      }
    },
  };
  return source;
}
const web = (): ReadableStream<Uint8Array> =>
  new Blob([BYTES]).stream() as unknown as ReadableStream<Uint8Array>;

test('a header of a call takes the place of that of the client, however it is written; dates are those of a body', async () => {
  const site = await startScripted(() => DONE);
  running.push(site);
  const client = createClient({ url: site.url, headers: { 'X-Way-In': 'one' } });
  const fields = { title: new Date('2027-01-02T03:04:05Z') as unknown as string };
  await client.media.upload(new Blob(['x']), { fileName: 'x', headers: { 'x-way-in': 'two' }, fields });
  const [asked] = site.asked as [Asked];
  expect(asked.headers['x-way-in']).toBe('two');
  expect((await formOf(asked)).get('title')).toBe('2027-01-02T03:04:05.000Z');
});

test.each<[string, () => Parameters<Client['media']['upload']>, string, string]>([
  ['a Blob', () => [new Blob([BYTES], { type: 'image/x' }), { fileName: 'b.x' }], 'b.x', 'image/x'],
  ['a File', () => [new File([BYTES], 'a "cat".png'), {}], 'a "cat".png', 'application/octet-stream'],
  ['a path', () => [path.join(folder, 'cat.bin'), { type: 'image/x' }], 'cat.bin', 'image/x'],
  ['a stream', () => [web(), { fileName: 'Kätzchen.bin' }], 'Kätzchen.bin', 'application/octet-stream'],
  ['an iterable', () => [streamed(6), { fileName: 'c' }], 'c', 'application/octet-stream'],
])('%s arrives whole, with its name', async (_name, make, name, type) => {
  const { client, site } = await of();
  const [source, options] = make();
  const told: UploadProgress[] = [];
  const fields = { title: 'A cat', alt_text: 'A "cat"\r\n--', meta: {}, caption: { raw: 'x' } };
  expect(
    await client.media.upload(source, { ...options, fields, onProgress: (one) => told.push(one) }),
  ).toEqual({
    id: 7,
  });
  const [asked] = site.asked as [Asked];
  expect([asked.method, asked.path]).toEqual(['POST', '/core/v2/media']);
  const form = await formOf(asked);
  const file = form.get('file') as File;
  expect([file.name, file.type, file.size]).toEqual([name, type, BYTES.length]);
  if (_name !== 'an iterable') expect(Buffer.from(await file.arrayBuffer()).equals(BYTES)).toBe(true);
  expect([...form.entries()].filter(([key]) => key !== 'file')).toEqual([
    ['title', 'A cat'],
    ['alt_text', 'A "cat"\r\n--'],
    ['caption[raw]', 'x'],
  ]);
  const sent = told.map((one) => one.sent);
  expect(sent).toEqual([...new Set(sent)].sort((a, b) => a - b));
  expect(told.at(-1)).toMatchObject({ sent: BYTES.length });
  const total = /stream|iterable/.test(_name) ? undefined : BYTES.length;
  expect(told.every((one) => one.total === total)).toBe(true);
});

test('what can be read anew is sent again where nothing was done; a stream is not', async () => {
  const busy = (_: Asked, number: number): Said =>
    number % 2 === 1 ? refusal(503, { done: false }, { 'Retry-After': '0' }) : DONE;
  const { client, site } = await of(busy);
  await client.media.upload(path.join(folder, 'cat.bin'));
  await client.media.upload(new Blob([BYTES]), { fileName: 'x' });
  const sizes = await Promise.all(
    site.asked.map(async (one) => ((await formOf(one)).get('file') as File).size),
  );
  expect(sizes).toEqual(Array(4).fill(BYTES.length));
  const source = streamed(2);
  await expect(client.media.upload(source, { fileName: 'x' })).rejects.toMatchObject({
    status: 503,
    attempts: 1,
  });
  expect(site.asked).toHaveLength(5);
  await until(() => source.ended === 1);
});

/** Timers that keep a process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
/** Whatever is left over stays for the whole test. */
const LONG_MS = 3_600_000;

test('a refusal before the end is told, and nothing is left of it', async () => {
  const { client } = await of(undefined, () => refusal(413));
  const source = streamed(1_000_000);
  const before = timers();
  const refused = await client.media
    .upload(source, { fileName: 'x', timeoutMs: LONG_MS })
    .catch((error: unknown) => error);
  // Where the line broke before the answer was read there is none.
  expect((refused as { code: string }).code).toMatch(/^(code_413|unreachable)$/);
  await until(() => source.ended === 1);
  await until(() => timers() <= before);
});

test('a source that cannot be read is said to be that, and nothing of it arrives as a file', async () => {
  const { client, site } = await of();
  const source = streamed(3, new Error('the disk is on fire'));
  await expect(client.media.upload(source, { fileName: 'x' })).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('the disk is on fire'),
  });
  expect(site.asked).toEqual([]);
  await until(() => source.ended === 1);
  await expect(client.media.upload(path.join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(client.media.upload(new Blob([]))).rejects.toThrow('fileName');
});

test("a file that is gone before anybody reads it again ends nobody's program", async () => {
  const file = path.join(folder, 'gone.bin');
  writeFileSync(file, BYTES);
  // What it answers is its last word: whoever comes again is not let in.
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      rmSync(file);
      server.close();
      const { status, body } = refusal(503, { done: false });
      const headers = { 'Content-Type': 'application/json', Connection: 'close', 'Retry-After': '0' };
      response.writeHead(status as number, headers).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await expect(client.media.upload(file, { retries: 1 })).rejects.toMatchObject({
    code: 'unreachable',
    attempts: 2,
  });
  // Whatever was to be done with the file is done by then, and a fault of that would fail this test.
  for (let turn = 0; turn < 20; turn += 1) await stat(folder);
});

test('given up in the middle it ends, and the source with it', async () => {
  const { client } = await of(undefined, (request) => {
    request.pause();
    return { instead: 'silence' };
  });
  const source = streamed(1_000_000);
  const reason = new Error('enough');
  const ending = new AbortController();
  let sent = 0;
  const upload = client.media.upload(source, {
    fileName: 'x',
    signal: ending.signal,
    onProgress: (one) => (sent = one.sent),
  });
  upload.catch(() => undefined);
  await until(() => sent > 0);
  ending.abort(reason);
  await expect(upload).rejects.toBe(reason);
  await until(() => source.ended === 1);
});

test('it ends where nothing moves any more', async () => {
  const { client } = await of(undefined, (request) => {
    request.pause();
    return { instead: 'silence' };
  });
  const source = streamed(1_000_000);
  // Longer than a busy machine takes to begin: what was never read is not let go of either.
  await expect(client.media.upload(source, { fileName: 'x', timeoutMs: 2_000 })).rejects.toMatchObject({
    code: 'timeout',
  });
  await until(() => source.ended === 1);
});

test('a source that never gives anything keeps nobody', async () => {
  const { client } = await of();
  const never: AsyncIterable<Uint8Array> = {
    async *[Symbol.asyncIterator]() {
      await new Promise(() => undefined);
      yield new Uint8Array(1);
    },
  };
  const upload = client.media.upload(never, { fileName: 'x', timeoutMs: 200 });
  await expect(upload).rejects.toMatchObject({ code: 'timeout' });
});
