/** Posting a form to an address that we did not choose. Where requests may go at all, the fetching of files tests (content). */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { NotPublic, postForm, readBeginning, retryAfterMs } from './outgoing';

let server: http.Server;
let url: string;
let answer: http.RequestListener;
let asked: string[];

beforeAll(async () => {
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/verify`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  answer = (_request, response) => void response.end('valid');
});

const bounds = { allowPrivate: true, timeoutMs: 10_000, limitBytes: 1_000, userAgent: 'tests' };

test('posts the fields and answers status and text', async () => {
  expect(await postForm(url, { key: 'a b', blog: 'ü' }, bounds)).toMatchObject({
    status: 200,
    text: 'valid',
  });
  expect(asked).toEqual(['POST /verify key=a+b&blog=%C3%BC']);
});

test('asks nobody at a private address', async () => {
  await expect(postForm(url, {}, { ...bounds, allowPrivate: false })).rejects.toBeInstanceOf(NotPublic);
  await expect(
    postForm(url.replace('127.0.0.1', 'localhost'), {}, { ...bounds, allowPrivate: false }),
  ).rejects.toBeInstanceOf(NotPublic);
  expect(asked).toEqual([]);
});

test('follows no redirect', async () => {
  answer = (_request, response) => void response.writeHead(302, { Location: url }).end();
  expect(await postForm(url, {}, bounds)).toMatchObject({ status: 302, text: '' });
  expect(asked).toHaveLength(1);
});

test('ends with its time, within the answer too, with what is too long, and when it is told to', async () => {
  answer = (_request, response) => void response.writeHead(200, { 'Content-Length': 10 }).write('x');
  await expect(postForm(url, {}, { ...bounds, timeoutMs: 200 })).rejects.toThrow();
  const stop = new AbortController();
  const waiting = postForm(url, {}, { ...bounds, signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toThrow();
  answer = (_request, response) => void response.end('x'.repeat(2_000));
  await expect(postForm(url, {}, bounds)).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
});

describe('the beginning of a body', () => {
  const asked: string[] = [];
  async function* body(pieces: readonly string[], end?: Error): AsyncGenerator<Buffer> {
    for (const piece of pieces) {
      asked.push(piece);
      yield Buffer.from(piece);
    }
    if (end) throw end;
  }
  const read = async (most: number, pieces: readonly string[], end?: Error): Promise<unknown> => {
    asked.length = 0;
    const { bytes, error } = await readBeginning(body(pieces, end), most);
    return [bytes.toString(), error, asked.length];
  };

  test('is so many bytes, and nothing more is asked for', async () => {
    expect(await read(5, [])).toEqual(['', undefined, 0]);
    expect(await read(5, ['ab', 'c'])).toEqual(['abc', undefined, 2]);
    expect(await read(5, ['ab', 'cde', 'f'])).toEqual(['abcde', undefined, 2]);
    expect(await read(5, ['ab', 'cdef', 'g'])).toEqual(['abcde', undefined, 2]);
  });

  test('is what has come of one that is cut off, with what cut it', async () => {
    const cut = new Error('cut');
    expect(await read(5, ['ab'], cut)).toEqual(['ab', cut, 1]);
    expect(await read(2, ['ab'], cut)).toEqual(['ab', undefined, 1]);
  });
});

test('a receiver says when to come again in seconds, or by a date', () => {
  for (const [header, ms] of [
    ['120', 120_000],
    [['3', '7'], 3_000],
    [undefined, 0],
    ['soon', 0],
    ['-5', 0],
    ['1234567890', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ] as const)
    expect([header, retryAfterMs(header as string)]).toEqual([header, ms]);
  const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
  const ms = retryAfterMs(inAnHour);
  expect(ms).toBeGreaterThan(3_000_000);
  expect(ms).toBeLessThanOrEqual(3_600_000);
});
