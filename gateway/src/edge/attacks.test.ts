/**
 * What strangers try on the socket to be taken for somebody else, or to have something done that nobody asked for. Behind
 * the gateway stands a service that counts what reaches it; a witness asks it before and after.
 */
import net from 'node:net';
import { ACTOR_HEADER } from '@sevenfold/chassis/actor';
import { ADDRESS_HEADER } from '@sevenfold/chassis/http/client-address';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { collectGarbage } from '@sevenfold/chassis/testing/garbage';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, signedIn, smallContent } from '../testing/small';
import { ask, raw } from '../testing/sockets';

let content: RunningService<Deps>;
let gateway: RunningGateway;
beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    CONNECTIONS_PER_ADDRESS: 40,
    HEADER_SECONDS: 2,
    BODY_SECONDS: 3,
  });
});

const ECHO = '/rest/core/v2/echo';

/** What is to be done although nobody asked for it: it would count as one more run. */
const SMUGGLED = `POST ${ECHO}?smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;

const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Asked on a connection of its own, and on those to the service that others have used. */
async function witness(): Promise<void> {
  const { status, body } = await speaker(gateway.url).get(`${ECHO}?text=witness`);
  expect([status, body.path, body.args]).toEqual([200, `${ECHO}?text=witness`, { text: 'witness' }]);
  const { status: written, body: told } = await speaker(gateway.url).post(ECHO, { text: 'witness' });
  expect([written, told.args]).toEqual([201, { text: 'witness' }]);
}

const framed = (head: string, body: string): string =>
  `POST ${ECHO} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n${body}`;

describe('a request within a request', () => {
  const inChunks = `0\r\n\r\n${SMUGGLED}`;
  const rows: Record<string, string> = {
    'length and chunks': framed('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', inChunks),
    'chunks and length': framed(
      `Transfer-Encoding: chunked\r\nContent-Length: ${SMUGGLED.length}\r\n`,
      inChunks,
    ),
    'two codings, one of them none': framed(
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\nContent-Length: 4\r\n',
      inChunks,
    ),
    'a coding that is none': framed('Transfer-Encoding: xchunked\r\n', inChunks),
    'a coding that is not the last': framed('Transfer-Encoding: chunked, identity\r\n', inChunks),
    'a space before the colon': framed('Transfer-Encoding : chunked\r\nContent-Length: 5\r\n', inChunks),
    'a space before the name': framed('Content-Length: 5\r\n Transfer-Encoding: chunked\r\n', inChunks),
    'a folded line': framed('X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', inChunks),
    'a coding on the folded line': framed(
      'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n',
      inChunks,
    ),
    'two lengths': framed(`Content-Length: 0\r\nContent-Length: ${SMUGGLED.length}\r\n`, SMUGGLED),
    'the same length twice': framed('Content-Length: 2\r\nContent-Length: 2\r\n', `{}${SMUGGLED}`),
    'a list of lengths': framed('Content-Length: 0, 2\r\n', SMUGGLED),
    'a length with a sign': framed('Content-Length: +0\r\n', SMUGGLED),
    'a length in hex': framed('Content-Length: 0x2\r\n', SMUGGLED),
    'a length beyond all numbers': framed('Content-Length: 18446744073709551616\r\n', SMUGGLED),
    'lines that end in LF alone': `POST ${ECHO} HTTP/1.1\nHost: x\nContent-Length: 0\n\n${SMUGGLED}`,
    'one line that ends in LF alone': framed(
      `X: y\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n`,
      inChunks,
    ),
    'a line that ends in CR alone': framed(
      `X: y\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n`,
      inChunks,
    ),
    'a zero in a header': framed('X: a\0b\r\nContent-Length: 0\r\n', SMUGGLED),
    'a chunk of a size that is none': framed(
      'Transfer-Encoding: chunked\r\n',
      `0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    ),
    'a chunk that ends in LF alone': framed('Transfer-Encoding: chunked\r\n', `2\n{}\n0\n\n${SMUGGLED}`),
    'a chunk longer than it says': framed(
      'Transfer-Encoding: chunked\r\n',
      `2\r\n{}garbage\r\n0\r\n\r\n${SMUGGLED}`,
    ),
    'an extension with a line in it': framed(
      'Transfer-Encoding: chunked\r\n',
      `2;a\nb\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    ),
    'a size beyond all numbers': framed(
      'Transfer-Encoding: chunked\r\n',
      `fffffffffffffffff\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
    ),
    'no host': `POST ${ECHO} HTTP/1.1\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
  };
  test.each(Object.entries(rows))('%s', async (_, bytes) => {
    const before = content.deps.runs;
    const answer = await raw(gateway.port, bytes);
    const [first, ...more] = statuses(answer);
    // One answer, which refuses, and the connection is over.
    expect([(first as number) >= 400 && (first as number) < 500, more]).toEqual([true, []]);
    expect(answer).toMatch(/\r\n\r\n\{"code":"/);
    expect(content.deps.runs).toBe(before);
    await witness();
  });

  test('in the body of what has none for the service: it stays a body', async () => {
    const before = content.deps.runs;
    const bytes = `GET ${ECHO} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n${SMUGGLED}`;
    expect(statuses(await raw(gateway.port, bytes))).toHaveLength(1);
    expect(content.deps.runs).toBe(before);
    await witness();
  });
});

describe('behind a request that is one', () => {
  const CONNECT = 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n';
  const rows = Object.entries({
    'no HTTP': 'GARBAGE\r\n\r\n',
    'a head beyond all limits': `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    CONNECT,
  });
  test.each(rows)('%s: what is done is answered as done, and that is the last answer', async (_, behind) => {
    const before = content.deps.runs;
    const answer = await raw(gateway.port, framed('Content-Length: 2\r\n', '{}') + behind);
    expect([statuses(answer), content.deps.runs]).toEqual([[201], before + 1]);
    await witness();
  });

  test.each(rows)('%s: an answer that has begun comes whole', async (_, behind) => {
    const answer = await raw(gateway.port, 'GET /rest/core/v2/big HTTP/1.1\r\nHost: x\r\n\r\n', behind);
    const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
    expect(statuses(answer)).toContain(200);
    expect(body.length).toBeGreaterThanOrEqual(Number(/content-length: (\d+)/i.exec(head)?.[1]));
    await witness();
  });

  test('that offers another protocol, nothing is lost and no body is a request', async () => {
    const before = content.deps.runs;
    const offer = `GET ${ECHO}?offer HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const answer = await raw(
      gateway.port,
      offer + framed(`Content-Length: ${SMUGGLED.length}\r\n`, ''),
      SMUGGLED,
    );
    expect([statuses(answer), content.deps.runs]).toEqual([[200], before]);
    await witness();
  });

  test('CONNECT alone is refused in words', async () => {
    const answer = await raw(gateway.port, CONNECT);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('{"code":"bad_request"');
  });

  test.each(['/rest/core/v2/echo?text=Käse', '/rest/core/v2/käse', 'rest/core/v2/echo'])(
    'an address that is none is told what is wrong with it: %s',
    async (address) => {
      const answer = await raw(gateway.port, `GET ${address} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(statuses(answer)).toEqual([400]);
      expect(answer).toMatch(/"code":"bad_request","message":"[^"]*slash[^"]*%C3%A4/);
    },
  );
});

describe('what only the gateway says', () => {
  const forged = {
    [ACTOR_HEADER]: 'eyJpZCI6MX0.c2lnbmVk',
    [ADDRESS_HEADER]: 'MTI3LjAuMC4x.c2lnbmVk',
    'x-sevenfold-tags': '1',
    'x-sevenfold-wants-tags': '1',
    'X-SEVENFOLD-ANYTHING': 'at all',
    'x-forwarded-for': '10.0.0.1',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'for=10.0.0.1;host=evil.test',
  };
  test.each(['GET', 'POST'])('%s: a client cannot say it, nor have it taken away', async (method) => {
    for (const connection of [
      'close',
      `close, ${ACTOR_HEADER}, ${ADDRESS_HEADER}, x-forwarded-for, content-length`,
    ]) {
      const headers = {
        ...forged,
        Connection: connection,
        ...(method === 'POST' && { 'Content-Length': '0' }),
      };
      const { status, text } = await ask(`${gateway.url}${ECHO}`, { method, headers });
      const told = JSON.parse(text) as { user: string; headers: Record<string, string> };
      expect([status < 300, told.user]).toEqual([true, '']);
      const { [ADDRESS_HEADER]: address, ...rest } = told.headers;
      expect(address).not.toBe(forged[ADDRESS_HEADER]);
      expect(JSON.stringify(rest)).not.toMatch(/evil|10\.0\.0\.1|c2lnbmVk|at all/);
      expect(rest['x-forwarded-for']).toBe('127.0.0.1');
    }
  });

  test('names with an underscore are not taken for it', async () => {
    const headers = { x_sevenfold_actor: forged[ACTOR_HEADER], 'x-sevenfold_actor': forged[ACTOR_HEADER] };
    const { text } = await ask(`${gateway.url}${ECHO}`, { headers });
    expect((JSON.parse(text) as { user: string }).user).toBe('');
  });
});

describe('too much', () => {
  const get = (path: string, more = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`;
  const rows: Record<string, [string, number, string]> = {
    'of an address': [get(`${ECHO}?text=${'x'.repeat(40_000)}`), 431, 'headers_too_large'],
    'of one header': [get(ECHO, `X: ${'x'.repeat(40_000)}\r\n`), 431, 'headers_too_large'],
    'of cookies': [get(ECHO, `Cookie: ${'a=b; '.repeat(8_000)}\r\n`), 431, 'headers_too_large'],
    'of headers by number': [get(ECHO, 'A: b\r\n'.repeat(201)), 431, 'headers_too_large'],
    'of an endless head': [`GET ${ECHO} HTTP/1.1\r\n${'A: b\r\n'.repeat(20_000)}`, 431, 'headers_too_large'],
    'of arguments': [get(`${ECHO}?${'a=&'.repeat(5_000)}`), 413, 'payload_too_large'],
    'of a body by its length': [framed('Content-Length: 99999999\r\n', ''), 413, 'payload_too_large'],
  };
  test.each(Object.entries(rows))('%s is refused in words', async (_, [bytes, status, code]) => {
    const answer = await raw(gateway.port, bytes).catch((error: Error) => error.message);
    expect([statuses(answer), answer.includes(`{"code":"${code}"`)]).toEqual([[status], true]);
    await witness();
  });

  test('of connections from one address is refused, once each, and over when they are', async () => {
    const sockets = Array.from({ length: 60 }, () => net.connect(gateway.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    const { status, body } = await untilStatus(429);
    expect([status, body.code]).toEqual([429, 'rest_too_many_connections']);
    expect((await speaker(gateway.url).get('/healthz')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await untilStatus(200);
    await witness();
  });
  const untilStatus = (wanted: number) =>
    until(async () => {
      const { status, text } = await ask(`${gateway.url}${ECHO}`, {});
      return status === wanted && { status, body: JSON.parse(text) as { code?: string } };
    });

  test('of what a client writes before its address is not kept with that', async () => {
    const trusting = await startTestGateway({ ...addresses('CONTENT', content), TRUST_PROXY: true });
    const heapUsed = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const from = async (first: number): Promise<void> => {
      for (let n = first; n < first + 500; n++)
        await ask(`${trusting.url}${ECHO}`, {
          headers: { 'X-Forwarded-For': `${'x'.repeat(20_000)}, 2001:db8:1234:5678:9abc:def0:1:${n}` },
        });
    };
    await from(0);
    const before = heapUsed();
    await from(500);
    expect(heapUsed() - before).toBeLessThan(4_000_000);
    await trusting.stop();
  });
});

describe('too slow', () => {
  const heads: Record<string, string> = {
    'a head that does not come': `GET ${ECHO} HTTP/1.1\r\nHost: x\r\nX-Slow: `,
    'a body that does not come': framed('Content-Length: 100\r\n', '{"a":'),
    'chunks that do not come': framed('Transfer-Encoding: chunked\r\n', '5\r\n{"a":\r\n'),
  };
  test.each(Object.entries(heads))('%s in time is told so, however it trickles', async (_, bytes) => {
    let trickle: NodeJS.Timeout | undefined;
    const answer = await new Promise<string>((resolve) => {
      const socket = net.connect(gateway.port, '127.0.0.1', () => socket.write(bytes));
      let all = '';
      trickle = setInterval(
        () => socket.writable && socket.write(bytes.includes('chunked') ? '1\r\n \r\n' : ' '),
        200,
      );
      socket.on('data', (chunk) => (all += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(all));
    });
    clearInterval(trickle);
    expect([statuses(answer), answer.includes('{"code":"request_timeout"')]).toEqual([[408], true]);
    await witness();
  });

  test('a connection that says nothing is closed', async () => {
    expect(statuses(await raw(gateway.port, ''))).toEqual([408]);
  });
});

test('requests that are sent ahead are answered in their order, each as its own', async () => {
  const texts = Array.from({ length: 30 }, (_, n) => `one${n}`);
  const bytes = texts.map((text, n) => {
    const last = n === texts.length - 1 ? 'Connection: close\r\n' : '';
    const user = n % 3 === 0 ? `Authorization: ${signedIn.Authorization}\r\n` : '';
    return `GET ${ECHO}?text=${text} HTTP/1.1\r\nHost: x\r\n${user}${last}\r\n`;
  });
  const answer = await raw(gateway.port, bytes.join(''));
  const told = [...answer.matchAll(/"args":\{"text":"(\w+)"\},"user":"(\w*)"/g)].map(([, text, user]) => [
    text,
    user,
  ]);
  expect(told).toEqual(texts.map((text, n) => [text, n % 3 === 0 ? 'editor' : '']));
});
