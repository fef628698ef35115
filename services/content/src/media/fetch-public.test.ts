/**
 * Fetching from an address that somebody else chose. 127.0.0.2 stands for the open internet and every other address for
 * our own network: both have a server here, so that a request that gets through is seen.
 */
import type { LookupAddress, lookup } from 'node:dns';
import { mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ApiError, toApiError } from '@sevenfold/chassis/errors';
import { isPublicAddress } from '@sevenfold/chassis/outgoing';
import { type FetchOptions, fetchPublic } from './fetch-public';

const PUBLIC = '127.0.0.2';
const PRIVATE = '127.0.0.1';

type Answers = Record<string, http.RequestListener>;
let folder: string;
let outside: http.Server;
let inside: http.Server;
let port: number;
let answers: Answers;
/** What reached the servers, as `address path`. */
let asked: string[];

const serve = (address: string, at: number): Promise<http.Server> =>
  new Promise((resolve, reject) => {
    const server = http.createServer((request, response) => {
      asked.push(`${address} ${request.url}`);
      const answer = answers[request.url as string];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    // Whoever keeps a connection open is seen.
    server.keepAliveTimeout = 600_000;
    server.once('error', reject);
    server.listen(at, address, () => resolve(server));
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fetch-public-'));
  outside = await serve(PUBLIC, 0);
  port = (outside.address() as AddressInfo).port;
  inside = await serve(PRIVATE, port);
});
afterAll(async () => {
  for (const server of [outside, inside]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  asked = [];
  answers = { '/x.png': gives('a picture') };
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
});

const gives =
  (text: string): http.RequestListener =>
  (_request, response) =>
    void response.end(text);
const sends =
  (to: string, status = 302): http.RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { Location: to }).end('gone elsewhere');

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.test': [PUBLIC],
  'private.test': [PRIVATE],
  'both.test': [PUBLIC, PRIVATE],
  'both-too.test': [PRIVATE, PUBLIC],
  'none.test': [],
};

const resolve = ((
  name: string,
  options: { all?: boolean },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => {
  expect(options.all).toBe(true);
  const addresses = NAMES[name];
  if (addresses)
    done(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    );
  else done(Object.assign(new Error(`no such name: ${name}`), { code: 'ENOTFOUND' }), []);
}) as typeof lookup;

const options: FetchOptions = { allowPrivate: false, isPublic: (address) => address === PUBLIC, resolve };
const at = (host: string, name = '/x.png'): string => `http://${host}:${port}${name}`;
const fetchText = async (url: string, more: Partial<FetchOptions> = {}): Promise<string> =>
  readFile((await fetchPublic(url, folder, { ...options, ...more })).file, 'utf8');
const failure = async (url: string, more: Partial<FetchOptions> = {}): Promise<ApiError> => {
  const error = await fetchPublic(url, folder, { ...options, ...more }).then(
    ({ file }) => new Error(`fetched ${file}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
const refused = { status: 400, code: 'rest_source_refused' };
const unreachable = { status: 400, code: 'rest_source_unreachable' };
const tooLarge = { status: 413, code: 'rest_source_too_large', data: { limit: 1000 } };

const noneConnected = async (): Promise<void> => {
  const count = (): Promise<number> =>
    new Promise((resolve) => outside.getConnections((_error, number) => resolve(number)));
  while ((await count()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('where it goes', () => {
  it.each([PUBLIC, 'public.test'])('fetches from %s', async (host) => {
    expect(await fetchText(at(host))).toBe('a picture');
    expect(asked).toEqual([`${PUBLIC} /x.png`]);
    await noneConnected();
  });

  it.each([
    PRIVATE,
    '[::1]',
    '127.1',
    '2130706433',
    'private.test',
    'both.test',
    'both-too.test',
    'none.test',
  ])('refuses %s without asking anybody', async (host) => {
    const error = await failure(at(host));
    expect(error).toMatchObject(refused);
    expect(error.message).toBe('The source is not at a public address.');
    expect(asked).toEqual([]);
  });

  it.each([300, 301, 302, 303, 307, 308])('follows a redirect with %d', async (status) => {
    answers['/old'] = sends(at('public.test'), status);
    expect(await fetchText(at(PUBLIC, '/old'))).toBe('a picture');
    expect(asked).toEqual([`${PUBLIC} /old`, `${PUBLIC} /x.png`]);
  });

  it.each([400, 404])('follows no address that comes with %d', async (status) => {
    answers['/old'] = sends(at('public.test'), status);
    expect((await failure(at(PUBLIC, '/old'))).message).toBe(`The source answered with status ${status}.`);
    expect(asked).toEqual([`${PUBLIC} /old`]);
  });

  it('takes an answer that names another address as it is', async () => {
    answers['/old'] = sends(at('public.test'), 200);
    expect(await fetchText(at(PUBLIC, '/old'))).toBe('gone elsewhere');
  });

  it('waits for no more of an answer that it does not take', async () => {
    const hangs =
      (status: number, headers: http.OutgoingHttpHeaders = {}): http.RequestListener =>
      (_request, response) =>
        void response.writeHead(status, headers).write('x');
    answers['/old'] = hangs(302, { Location: '/x.png' });
    answers['/gone'] = hangs(404);
    answers['/large'] = hangs(200, { 'Content-Length': 20 * 1024 * 1024 + 1 });
    expect(await fetchText(at(PUBLIC, '/old'))).toBe('a picture');
    expect((await failure(at(PUBLIC, '/gone'))).message).toBe('The source answered with status 404.');
    expect(await failure(at(PUBLIC, '/large'))).toMatchObject({ ...tooLarge, data: { limit: 20_971_520 } });
    await noneConnected();
  });

  it('knows https, and judges it the same', async () => {
    const url = (host: string): string => at(host).replace('http:', 'https:');
    // The server speaks no TLS.
    expect(await failure(url(PUBLIC))).toMatchObject(unreachable);
    expect(await failure(url(PRIVATE))).toMatchObject(refused);
    expect(await failure(url('both.test'))).toMatchObject(refused);
  });

  it('judges all addresses also where the system asks for one', async () => {
    net.setDefaultAutoSelectFamily(false);
    try {
      expect(await fetchText(at('public.test'))).toBe('a picture');
      expect(await failure(at('both.test'))).toMatchObject(refused);
    } finally {
      net.setDefaultAutoSelectFamily(true);
    }
    expect(asked).toEqual([`${PUBLIC} /x.png`]);
  });

  it('takes a redirect without a host as one within the site', async () => {
    answers['/a/old'] = sends('../x.png');
    expect(await fetchText(at(PUBLIC, '/a/old'))).toBe('a picture');
  });

  it.each([PRIVATE, '[::1]', 'private.test', 'both.test', '0'])(
    'refuses a redirect to %s without asking there',
    async (host) => {
      answers['/old'] = sends(at('public.test', '/older'));
      answers['/older'] = sends(at(host));
      expect(await failure(at(PUBLIC, '/old'))).toMatchObject(refused);
      expect(asked).toEqual([`${PUBLIC} /old`, `${PUBLIC} /older`]);
    },
  );

  it.each([
    'file:///etc/passwd',
    'ftp://public.test/x',
    'data:image/png;base64,AA==',
    'javascript:1',
    'nothing',
    '',
  ])('refuses %s, asked for or redirected to', async (url) => {
    expect(await failure(url)).toMatchObject(refused);
    if (url === '' || url === 'nothing') return;
    answers['/old'] = sends(url);
    expect(await failure(at(PUBLIC, '/old'))).toMatchObject(refused);
  });

  it.each(['user@', ':secret@', 'user:secret@'])(
    'refuses credentials in the address: %s',
    async (credentials) => {
      expect(await failure(`http://${credentials}${PUBLIC}:${port}/x.png`)).toMatchObject(refused);
      expect(asked).toEqual([]);
    },
  );

  it('follows five redirects and no sixth', async () => {
    for (let n = 1; n <= 6; n++) answers[`/${n}`] = sends(n === 1 ? '/x.png' : `/${n - 1}`);
    expect(await fetchText(at(PUBLIC, '/5'))).toBe('a picture');
    const error = await failure(at(PUBLIC, '/6'));
    expect(error).toMatchObject(unreachable);
    expect(error.message).toBe('The source redirects more than 5 times.');
  });

  it('goes anywhere where private addresses are allowed, and still by http only', async () => {
    expect(await fetchText(at(PRIVATE), { allowPrivate: true })).toBe('a picture');
    answers['/old'] = sends(at(PRIVATE));
    expect(await fetchText(at(PUBLIC, '/old'), { allowPrivate: true })).toBe('a picture');
    expect(await failure('file:///etc/passwd', { allowPrivate: true })).toMatchObject(refused);
  });

  it('judges by the real ranges unless told otherwise', async () => {
    expect(await failure(at(PUBLIC), { isPublic: undefined })).toMatchObject(refused);
    expect(await failure(at('localhost'), { isPublic: undefined, resolve: undefined })).toMatchObject(
      refused,
    );
    expect(asked).toEqual([]);
  });
});

describe('what it takes', () => {
  it.each([204, 304, 400, 404, 500])('takes no answer with %d', async (status) => {
    answers['/x.png'] = (_request, response) => void response.writeHead(status).end();
    const error = await failure(at(PUBLIC));
    expect(error).toMatchObject(unreachable);
    expect(error.message).toBe(`The source answered with status ${status}.`);
  });

  it.each([
    [429, { 'Retry-After': '7' }, '7'],
    [429, { 'Retry-After': 'soon' }, '30'],
    [429, { 'Retry-After': '-1' }, '30'],
    [429, {}, '30'],
    [503, { 'Retry-After': '7' }, '7'],
    [503, {}, undefined],
    [404, { 'Retry-After': '7' }, undefined],
  ])('tells when to come again to one that answers %d with %j', async (status, headers, seconds) => {
    answers['/x.png'] = (_request, response) => void response.writeHead(status, headers).end();
    expect((await failure(at(PUBLIC))).headers).toEqual(seconds ? { 'Retry-After': seconds } : {});
  });

  it('takes no redirect without an address', async () => {
    answers['/x.png'] = (_request, response) => void response.writeHead(302).end();
    expect((await failure(at(PUBLIC))).message).toBe('The source answered with status 302.');
  });

  it('takes as many bytes as it may, announced or not, and not one more', async () => {
    const plain = (size: number): http.RequestListener => gives('x'.repeat(size));
    const streamed =
      (size: number): http.RequestListener =>
      (_request, response) => {
        response.write('x'.repeat(size - 1));
        response.end('x');
      };
    answers['/flood'] = (_request, response) => {
      response.write('x'.repeat(50_000));
      response.end('x'.repeat(50_000));
    };
    expect(await failure(at(PUBLIC, '/flood'), { limitBytes: 1000 })).toMatchObject(tooLarge);
    for (const kind of [plain, streamed]) {
      answers['/fits'] = kind(1000);
      answers['/large'] = kind(1001);
      expect(await fetchText(at(PUBLIC, '/fits'), { limitBytes: 1000 })).toHaveLength(1000);
      expect(await failure(at(PUBLIC, '/large'), { limitBytes: 1000 })).toMatchObject(tooLarge);
    }
  });

  it.each([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('unpacks what comes packed though nobody asked for it: %s', async (coding, pack) => {
    const gives =
      (bytes: Buffer): http.RequestListener =>
      ({ headers }, response) => {
        expect(headers['accept-encoding']).toBe('identity');
        response.writeHead(200, { 'Content-Encoding': coding }).end(bytes);
      };
    const whole = pack(Buffer.from('a picture'));
    answers['/x.png'] = gives(whole);
    expect(await fetchText(at(PUBLIC))).toBe('a picture');
    answers['/bomb'] = gives(pack(Buffer.alloc(10_000_000)));
    expect(await failure(at(PUBLIC, '/bomb'), { limitBytes: 100_000 })).toMatchObject({
      ...tooLarge,
      data: { limit: 100_000 },
    });
    answers['/cut'] = gives(whole.subarray(0, -5));
    answers['/none'] = gives(Buffer.from('a picture'));
    for (const name of ['/cut', '/none'])
      expect((await failure(at(PUBLIC, name))).message).toBe('What the source gives cannot be unpacked.');
    // A packed file is what was asked for.
    answers['/x.tar.gz'] = gives(whole);
    expect(await readFile((await fetchPublic(at(PUBLIC, '/x.tar.gz'), folder, options)).file)).toEqual(whole);
    await noneConnected();
  });

  it.each(['gzip, gzip', 'zstd', 'constructor'])('takes nothing that is packed by %s', async (coding) => {
    answers['/x.png'] = (_request, response) =>
      void response.writeHead(200, { 'Content-Encoding': coding }).end('x');
    const error = await failure(at(PUBLIC));
    expect(error).toMatchObject(unreachable);
    expect(error.message).toBe('What the source gives cannot be unpacked.');
  });

  it('says where nobody answers', async () => {
    answers['/cut'] = (request) => void request.socket.destroy();
    for (const url of [at(PUBLIC, '/cut'), at('unknown.test')]) {
      const error = await failure(url);
      expect(error).toMatchObject(unreachable);
      expect(error.message).toBe('The source cannot be reached.');
    }
  });

  it('stops waiting, before and within the answer, and when it is told to', async () => {
    answers['/silent'] = () => undefined;
    answers['/stalled'] = (_request, response) =>
      void response.writeHead(200, { 'Content-Length': 10 }).write('x');
    for (const name of ['/silent', '/stalled']) {
      const error = await failure(at(PUBLIC, name), { timeoutMs: 200 });
      expect(error).toMatchObject(unreachable);
      expect(error.message).toBe('The source did not answer within 0.2 seconds.');
      const stop = new AbortController();
      const waiting = failure(at(PUBLIC, name), { signal: stop.signal });
      stop.abort();
      expect(await waiting).toMatchObject(unreachable);
    }
  });
});

describe('which addresses are public', () => {
  it.each([
    ['8.8.8.8', true],
    ['::ffff:8.8.8.8', true],
    ['2606:4700:4700::1111', true],
    ['2a00::1', true],
    ['4000::1', false],
    ['1000::1', false],
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['::1', false],
    ['::ffff:127.0.0.1', false],
    ['fe80::1', false],
    ['nonsense', false],
    ['', false],
  ])('%s: %s', (text, expected) => expect(isPublicAddress(text)).toBe(expected));
});

test('a disk of ours that is full is no fault of the address', async () => {
  await symlink('/dev/full', path.join(folder, 'upload'));
  const fault = await fetchText(`http://public.test:${port}/x.png`).catch((error: unknown) => error);
  expect(toApiError(fault)).toMatchObject({ status: 507, code: 'insufficient_storage' });
});

test('a process that may open no more is no fault of the address', async () => {
  const resolve = ((_name: string, _options: object, callback: (error: Error) => void) =>
    callback(
      Object.assign(new Error('too many open files'), { code: 'EMFILE' }),
    )) as unknown as typeof lookup;
  const fault = await fetchText('http://public.test/x.png', { resolve }).catch((error: unknown) => error);
  expect(toApiError(fault)).toMatchObject({ status: 503, code: 'service_unavailable' });
});
