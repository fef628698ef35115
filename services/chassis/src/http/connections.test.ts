/** What holds for every connection of a listener, seen from the socket of a stranger. */
import type http from 'node:http';
import net from 'node:net';
import { createLog } from '../log';
import { type HttpServer, startHttpServer } from './server';

let server: HttpServer;
/** Answers in the order in which their requests were begun. */
let begun: http.ServerResponse[];
let onRequest: ((response: http.ServerResponse) => void) | undefined;

beforeEach(async () => {
  begun = [];
  onRequest = undefined;
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('test', 'api', 'silent'),
    notReady: () => [],
    configure: (app) =>
      app.use((_request, response) => {
        begun.push(response);
        onRequest?.(response);
      }),
  });
});
afterEach(() => server.stop(0));

interface Client {
  readonly socket: net.Socket;
  text(): string;
  readonly ended: Promise<string>;
}

function connect(bytes: string | Buffer): Client {
  const socket = net.connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.write(bytes);
  const ended = new Promise<string>((resolve) => {
    let fault = 'closed';
    socket.on('error', (error: NodeJS.ErrnoException) => (fault = error.code ?? error.message));
    socket.on('close', () => resolve(fault));
  });
  return { socket, text: () => text, ended };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`;
const post = (length: number, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: ${length}\r\n${more}\r\n`;
const pipelined = (count: number): string => Array.from({ length: count }, (_, at) => get(`/${at}`)).join('');

async function until(so: () => boolean): Promise<void> {
  while (!so()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('an offer of another protocol', () => {
  const offer = 'Connection: Upgrade\r\nUpgrade: h2c\r\n';
  const asked = `GET / HTTP/1.1\r\nHost: test\r\n${offer}\r\n`;
  beforeEach(() => (onRequest = (response) => response.end('done')));

  test('with nothing behind it leaves the connection to the next request', async () => {
    const client = connect(asked);
    await until(() => client.text().endsWith('done'));
    client.socket.write(get('/next'));
    await until(() => begun.length === 2);
    client.socket.destroy();
  });

  test.each([
    ['with another request behind it', asked + get('/next')],
    ['with a body', post(2, offer)],
    ['on a connection that was used before', get('/first') + asked],
  ])('%s is the last', async (_, bytes) => {
    const client = connect(bytes);
    await until(() => client.text().includes('done'));
    if (bytes.includes('Length')) client.socket.write('{}');
    expect(await client.ended).toBe('closed');
    expect(client.text()).toMatch(/Connection: close\r\n/);
  });
});

describe('requests sent ahead', () => {
  test('run one at a time, in their order', async () => {
    const client = connect(pipelined(10));
    for (let at = 0; at < 10; at++) {
      await until(() => begun.length > at);
      expect([begun.length, begun[at]!.req.url]).toEqual([at + 1, `/${at}`]);
      begun[at]!.end(`answer ${at}.`);
    }
    await until(() => client.text().includes('answer 9.'));
    expect(client.text().match(/answer \d\./g)).toEqual(
      Array.from({ length: 10 }, (_, at) => `answer ${at}.`),
    );
    client.socket.destroy();
  });

  test('have bodies, too, and none is taken for another', async () => {
    onRequest = (response) => {
      const chunks: Buffer[] = [];
      response.req.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.req.on('end', () => response.end(`<${Buffer.concat(chunks).toString()}>`));
    };
    const client = connect(`${post(3)}one${post(3)}two${post(5)}three`);
    await until(() => client.text().includes('<three>'));
    expect(client.text().match(/<\w+>/g)).toEqual(['<one>', '<two>', '<three>']);
    client.socket.destroy();
  });

  test('end with their socket, and none is begun after it', async () => {
    const client = connect(pipelined(40));
    await until(() => begun.length > 0);
    client.socket.resetAndDestroy();
    await until(() => begun.every(({ closed }) => closed));
    expect(begun).toHaveLength(1);
    const next = connect(get('/next'));
    await until(() => begun.length > 1);
    expect(begun.map(({ req }) => req.url)).toEqual(['/0', '/next']);
    next.socket.destroy();
  });

  test('that are more than may wait cost their connection, nothing else', async () => {
    const client = connect(pipelined(2_000));
    await client.ended;
    await until(() => begun.every(({ closed }) => closed));
    expect(begun).toHaveLength(1);
  });

  test('that are few, and large, cost their connection as well', async () => {
    const large = `GET / HTTP/1.1\r\nHost: test\r\nX-Long: ${'x'.repeat(8_000)}\r\n\r\n`;
    const client = connect(large.repeat(40));
    await client.ended;
    await until(() => begun.every(({ closed }) => closed));
    expect(begun).toHaveLength(1);
  });

  test('go on where each is large, and they come one after the other', async () => {
    onRequest = (response) => void response.end('answer.');
    const large = `GET / HTTP/1.1\r\nHost: test\r\nX-Long: ${'x'.repeat(30_000)}\r\n\r\n`;
    const client = connect('');
    for (let count = 1; count <= 10; count++) {
      client.socket.write(large);
      await until(() => client.text().split('answer.').length > count);
    }
    client.socket.destroy();
  });

  test('behind an answer that closes its connection are not begun', async () => {
    onRequest = (response) => void response.setHeader('Connection', 'close').end('last');
    const client = connect(pipelined(5));
    await client.ended;
    expect([begun.length, client.text().match(/last/g)]).toEqual([1, ['last']]);
  });
});

describe('an answer before the body is whole', () => {
  const refuse = (response: http.ServerResponse): void =>
    void response.writeHead(401, { Connection: 'close', 'Content-Length': 2 }).end('no');

  test.each([1, 2, 3])('reaches a client that first sends everything (%d)', async () => {
    onRequest = refuse;
    const bytes = 20_000_000;
    const client = connect(post(bytes));
    client.socket.pause();
    await new Promise<void>((resolve) => client.socket.write(Buffer.alloc(bytes), () => resolve()));
    client.socket.resume();
    expect(await client.ended).toBe('closed');
    expect(client.text()).toMatch(/^HTTP\/1\.1 401 (.|\r\n)*no$/);
  });

  test.each([1, 2, 3])(
    'reaches a client that first sends everything in chunks, which somebody waited with (%d)',
    async () => {
      onRequest = (response) => {
        response.req.on('data', () => undefined);
        response.req.pause();
        setImmediate(refuse, response);
      };
      const client = connect('POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n');
      client.socket.pause();
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      for (let sent = 0; sent < 300; sent++)
        await new Promise<void>((resolve, reject) =>
          client.socket.write(chunk, (error) => (error ? reject(error) : resolve())),
        );
      client.socket.write('0\r\n\r\n');
      client.socket.resume();
      expect(await client.ended).toBe('closed');
      expect(client.text()).toMatch(/^HTTP\/1\.1 401 (.|\r\n)*no$/);
    },
  );

  test('is followed by chunks that nobody looks at: they cost as much as they are many', async () => {
    onRequest = refuse;
    const client = connect('POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n');
    client.socket.pause();
    await until(() => begun[0]?.writableFinished === true);
    const { socket } = begun[0]!.req;
    const bytes = Buffer.from('what is no chunk would end the connection\r\n'.repeat(100_000));
    const before = socket.bytesRead;
    client.socket.write(bytes);
    await until(() => socket.destroyed || socket.bytesRead === before + bytes.length);
    expect(socket.destroyed).toBe(false);
    client.socket.resume();
    expect(await client.ended).toBe('closed');
    expect(client.text()).toMatch(/^HTTP\/1\.1 401 (.|\r\n)*no$/);
  });

  test('does not wait for a client that sends no more', async () => {
    onRequest = refuse;
    const client = connect(`${post(1_000_000)}some of it`);
    await until(() => client.text().endsWith('no'));
    await until(() => begun[0]!.req.socket.destroyed);
    expect(await client.ended).toBe('closed');
  });
});

describe('Expect', () => {
  test('100-continue is not answered before somebody wants the body', async () => {
    const client = connect(post(4, 'Expect: 100-continue\r\n'));
    await until(() => begun.length === 1);
    expect(client.text()).toBe('');
    begun[0]!.writeContinue();
    await until(() => client.text() === 'HTTP/1.1 100 Continue\r\n\r\n');
    client.socket.write('body');
    begun[0]!.req.on('data', (chunk) => begun[0]!.end(chunk));
    await until(() => client.text().endsWith('body'));
    client.socket.destroy();
  });

  test('of something unknown is no obstacle', async () => {
    onRequest = (response) => void response.end('done');
    const client = connect(post(0, 'Expect: the-unexpected\r\n'));
    await until(() => client.text().endsWith('done'));
    client.socket.destroy();
  });
});
