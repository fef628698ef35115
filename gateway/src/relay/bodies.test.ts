import net from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, smallContent } from '../testing/small';
import { ask, raw } from '../testing/sockets';

let content: RunningService<Deps>;
let gateway: RunningGateway;
let client: Speaker;

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({ ...addresses('CONTENT', content), UPLOAD_LIMIT_BYTES: 2 * 1024 * 1024 });
  client = speaker(gateway.url);
});

afterAll(async () => {
  await gateway.stop();
  await content.stop();
});

const ECHO = '/rest/core/v2/echo';
const MIB = 1024 * 1024;

describe('size', () => {
  /** What is told of an upload is the limit of its file, and not that of the form around it. */
  test.each<[string, string, number, number?]>([
    ['POST', ECHO, MIB],
    ['PUT', ECHO, MIB],
    ['DELETE', ECHO, MIB],
    ['POST', '/rest/calendar/event-aggregator/v1/import/a/batch', 10 * MIB],
    ['POST', '/rest/core/v2/media', 3 * MIB, 2 * MIB],
    ['POST', '/rest/core/v2/Media/', 3 * MIB, 2 * MIB],
    ['PATCH', '/rest/core/v2/MEDIA/7', 3 * MIB, 2 * MIB],
    ['PUT', '/rest/core/v2/media', MIB],
  ])('%s %s takes up to %d bytes', async (method, path, limit, told = limit) => {
    const runs = content.deps.runs;
    const body = Buffer.alloc(limit + 1, ' ');
    const headers = { 'Content-Type': 'application/json' };
    const { status, body: answer } = await client.request(method, path, { body, headers });
    expect([status, answer.code, answer.data]).toEqual([
      413,
      'payload_too_large',
      { status: 413, limit: told },
    ]);
    expect(content.deps.runs).toBe(runs);
    const fits = await client.request(method, path, { body: body.subarray(1), headers });
    expect(fits.status).not.toBe(413);
  });

  test('is that of a file where one is sent to an item of the media once more', async () => {
    const item = '/rest/core/v2/media/7';
    const send = (path: string, body: Buffer, type: string): Promise<{ status: number }> =>
      client.post(path, body, { 'Content-Type': type });
    // There is no such route behind this gateway.
    for (const method of ['POST', 'PUT', 'PATCH'])
      expect(
        (
          await client.request(method, item, {
            body: Buffer.alloc(2 * MIB),
            headers: { 'Content-Type': 'image/png' },
          })
        ).status,
      ).toBe(404);
    expect((await send(ECHO, Buffer.alloc(10), 'image/png')).status).toBe(415);
  });

  test('is counted while a body of unknown length passes', async () => {
    for (const path of [ECHO, `${ECHO}?_envelope=1`, '/rest/core/v2/media']) {
      const { status, text } = await ask(
        `${gateway.url}${path}`,
        { method: 'POST', headers: { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' } },
        Buffer.alloc(3 * MIB + 1, ' '),
      );
      const answer = JSON.parse(text);
      if (path.endsWith('_envelope=1'))
        expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
      else expect([status, answer.code]).toEqual([413, 'payload_too_large']);
    }
    // Within bounds it passes.
    const { status } = await ask(
      `${gateway.url}/rest/core/v2/media`,
      { method: 'POST', headers: { 'Transfer-Encoding': 'chunked', 'Content-Type': 'image/png' } },
      Buffer.alloc(2 * MIB, ' '),
    );
    expect(status).toBe(201);
  });
});

describe('a body in chunks', () => {
  const inChunks = (count: number, bytes: number): string =>
    `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
    `c\r\n{"text":"x"}\r\n${`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count)}0\r\n\r\n`;
  test.each([
    ['some small ones', 4_000, 1, 201],
    ['many small ones', 6_000, 1, 413],
    ['many that hold something', 6_000, 64, 201],
  ])('%s', async (_, count, bytes, status) => {
    const runs = content.deps.runs;
    const answer = await raw(gateway.port, inChunks(count, bytes));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(content.deps.runs).toBe(status === 413 ? runs : runs + 1);
    if (status !== 413) return;
    expect(answer).toContain('"code":"payload_too_large"');
    // Nothing was written: nothing that is kept is old.
    expect(answer).toContain('"done":false');
  });

  test('is bounded in what is for the console as well', async () => {
    const answer = await raw(gateway.port, inChunks(6_000, 1).replace(ECHO, '/console/api/sessions'));
    expect(answer).toMatch(/^HTTP\/1.1 413 (.|\r\n)*too many small chunks/);
  });
});

describe('kind', () => {
  test.each(['text/plain', 'application/xml', 'image/png', 'application/jsonx', 'nonsense'])(
    '%s is not read anywhere but where files are uploaded',
    async (type) => {
      const { status, body } = await client.post(ECHO, 'text=x', { 'Content-Type': type });
      expect([status, body.code, body.data]).toEqual([
        415,
        'unsupported_media_type',
        { status: 415, content_type: type },
      ]);
      expect((await client.post('/rest/core/v2/media', 'text=x', { 'Content-Type': type })).status).toBe(201);
    },
  );

  test('compressed is refused, and told from a type that is not read', async () => {
    for (const path of [ECHO, '/rest/core/v2/media']) {
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
      const answer = await client.post(path, '{"text":"x"}', headers);
      expect([answer.status, answer.body.code, answer.body.data]).toEqual([
        415,
        'unsupported_media_type',
        { status: 415, content_encoding: 'gzip' },
      ]);
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    const plain = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' };
    expect((await client.post(ECHO, '{"text":"x"}', plain)).body.args).toEqual({ text: 'x' });
  });

  test.each([
    ['application/json; charset=utf-8', '{"text":"x"}'],
    ['application/vnd.api+json', '{"text":"x"}'],
    ['APPLICATION/X-WWW-FORM-URLENCODED', 'text=x'],
  ])('%s is read', async (type, sent) => {
    expect((await client.post(ECHO, sent, { 'Content-Type': type })).body.args).toEqual({ text: 'x' });
  });

  test('without a name is a form, and a multipart form is one too', async () => {
    const { text } = await ask(
      `${gateway.url}${ECHO}`,
      { method: 'POST', headers: { 'Content-Length': 6 } },
      'text=x',
    );
    expect(JSON.parse(text)).toMatchObject({ kind: 'form', args: { text: 'x' } });
    const form = new FormData();
    form.set('text', 'parts');
    expect((await client.post(ECHO, form)).body).toMatchObject({
      kind: 'multipart',
      args: { text: 'parts' },
    });
  });

  test('does not matter where there is no body', async () => {
    expect((await client.post(ECHO, undefined, { 'Content-Type': 'text/plain' })).status).toBe(201);
    expect((await client.get(ECHO, { 'Content-Type': 'text/plain' })).status).toBe(200);
  });
});

describe('what is no proper request', () => {
  const errorOf = (answer: string): { head: string; body: { code: string; data: { status: number } } } => {
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    return { head, body: JSON.parse(body) };
  };

  test.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 'bad_request'],
    ['no Host', 'GET /rest/ HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['an empty Host', 'GET /rest/ HTTP/1.1\r\nHost:\r\n\r\n', 400, 'bad_request'],
    ['two Hosts', 'GET /rest/ HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'bad_request'],
    ['two Hosts that are the same', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n', 400, 'bad_request'],
    ['two Hosts of HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'bad_request'],
    ['a Host that is none', 'GET /rest/ HTTP/1.1\r\nHost: x/y\r\n\r\n', 400, 'bad_request'],
    ...['gzip, chunked', 'identity, chunked', 'chunked, chunked', 'chunked;q=1'].map(
      (coding): [string, string, number, string] => [
        `a body in ${coding}`,
        `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`,
        400,
        'bad_request',
      ],
    ),
    [
      'chunks of HTTP/1.0',
      `POST ${ECHO} HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'two lengths',
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
      400,
      'bad_request',
    ],
    [
      'a length and chunks',
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'bad_request',
    ],
    [
      'headers without end',
      `GET /rest/ HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'an address without end',
      `GET /rest/${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'headers_too_large',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    const runs = content.deps.runs;
    const answer = await raw(gateway.port, bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(content.deps.runs).toBe(runs);
    const { head, body } = errorOf(answer);
    expect(head).toContain('Content-Type: application/json; charset=UTF-8');
    expect(body).toMatchObject({ code, data: { status } });
    expect((await client.get('/rest/')).status).toBe(200);
  });

  test.each(['Host: x:80', 'Host: [::1]:80', 'HOST: xn--bcher-kva.example.org.', 'Host: 127.0.0.1'])(
    'but %s is a host',
    async (host) => {
      const answer = await raw(gateway.port, `GET /rest/ HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 200 /);
    },
  );

  test('nor is one without a Host that says that it knows none', async () => {
    expect(await raw(gateway.port, 'GET /rest/ HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each(['/rest/core/v2/%zz', '/rest/core/v2/%E9', '/%', '/uploads/%c3%28'])(
    'a path such as %s',
    async (path) => {
      const { status, headers, body } = await client.get(path);
      expect([status, body.code, body.data]).toEqual([400, 'rest_invalid_path', { status: 400 }]);
      expect(headers.get('x-robots-tag')).toBe('noindex');
    },
  );

  test('a query that is no proper encoding is read as far as it goes', async () => {
    expect((await client.get(`${ECHO}?text=%zz`)).status).toBe(200);
  });

  test('a request for an absolute address, or for none', async () => {
    const absolute = await raw(
      gateway.port,
      `GET http://x${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(absolute).toMatch(/^HTTP\/1.1 200 /);
    const none = await raw(gateway.port, 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(none).toMatch(/^HTTP\/1.1 404 /);
    const old = await raw(gateway.port, `GET ${ECHO} HTTP/1.0\r\n\r\n`);
    expect(old).toMatch(/^HTTP\/1.1 200 /);
  });

  test('chunks that break off in the middle of a write', async () => {
    const answer = await raw(
      gateway.port,
      `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nnot a size\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect((await client.get(ECHO)).status).toBe(200);
  });

  test('bytes after a body are a request of their own at the gateway, never at the service', async () => {
    const smuggled = `GET ${ECHO}?text=smuggled HTTP/1.1\r\nHost: x\r\nX-Sevenfold-Actor: a\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(gateway.port, '127.0.0.1', () =>
        socket.write(`DELETE ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\ntext=x${smuggled}`),
      );
      let all = '';
      socket.on('data', (chunk) => {
        all += chunk.toString();
        if (all.includes('smuggled')) socket.destroy();
      });
      socket.on('close', () => resolve(all));
    });
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(answer).not.toContain('"x-sevenfold-actor"');
  });

  test.each(['GET', 'HEAD', 'DELETE', 'POST'])(
    'a %s whose Connection names the length of its body still has one at the service',
    async (method) => {
      const inside = `GET ${ECHO}?text=smuggled HTTP/1.1\r\nHost: x\r\n\r\n`;
      const answer = await new Promise<string>((resolve) => {
        const socket = net.connect(gateway.port, '127.0.0.1', () =>
          socket.write(
            `${method} ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, content-length, transfer-encoding\r\n` +
              `Content-Type: application/json\r\nContent-Length: ${inside.length}\r\n\r\n${inside}` +
              `GET ${ECHO}?text=last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          ),
        );
        let all = '';
        socket.on('data', (chunk) => (all += chunk.toString()));
        socket.on('close', () => resolve(all));
      });
      // What was in the body is a body that cannot be read, and nobody else's answer.
      expect(answer).toMatch(/^HTTP\/1.1 400 /);
      for (let tries = 0; tries < 20; tries++)
        expect((await client.get(`${ECHO}?text=mine`)).body.args).toEqual({ text: 'mine' });
    },
  );
});
