import { setTimeout as sleep } from 'node:timers/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type Breaker, createBreaker } from './breaker';
import { startTestGateway, stoppedOnce } from '../testing';

const STATISTICS = '/rest/seo/v1/statistics';
const MOST_FAILURES = 5;
const LOUD = '198.51.100.1';
const [OTHER, THIRD] = ['203.0.113.9', '192.0.2.7'];

describe('of an open breaker the trial', () => {
  let now: number;
  let breaker: Breaker;
  beforeEach(() => {
    now = 0;
    breaker = createBreaker(() => now);
    for (let turn = 0; turn < MOST_FAILURES; turn++) breaker.failed();
  });
  /** Which of these are let through when they ask one after the other. */
  const asked = (at: number, ...addresses: string[]): string[] => {
    now = at;
    return addresses.filter((address) => breaker.mayPass(address));
  };

  test('is kept for whoever was refused and has had none, and not for long', () => {
    expect(asked(1_000, LOUD, OTHER)).toEqual([LOUD]);
    expect(asked(2_000, LOUD, LOUD, OTHER, LOUD)).toEqual([OTHER]);
    expect(asked(3_000, THIRD, LOUD)).toEqual([THIRD]);
    expect(asked(3_500, OTHER)).toEqual([]);
    // It does not come back.
    expect(asked(6_499, LOUD)).toEqual([LOUD]);
  });

  test('goes round among those who ask, however often each does', () => {
    const many = Array.from({ length: 10 }, () => LOUD);
    const taken = [1, 2, 3, 4, 5, 6].flatMap((second) =>
      asked(second * 1_000 - 500, ...many, OTHER, THIRD).concat(
        asked(second * 1_000, ...many, OTHER, THIRD, ...many),
      ),
    );
    expect(taken).toHaveLength(6);
    expect(taken.filter((one) => one === LOUD)).toHaveLength(2);
  });

  test('is one of a network, and among its addresses it goes round as well', () => {
    expect(asked(1_000, LOUD, '198.51.100.2', OTHER)).toEqual([LOUD]);
    expect(asked(2_000, '198.51.100.3', '198.51.100.4', OTHER)).toEqual([OTHER]);
    expect(asked(2_500, LOUD, '198.51.100.2')).toEqual([]);
    expect(asked(3_000, LOUD, LOUD, '198.51.100.2')).toEqual(['198.51.100.2']);
  });

  test('is for anybody where nobody else asks, whatever the address is', () => {
    for (const second of [1, 2, 3]) expect(asked(second * 1_000, LOUD, LOUD)).toEqual([LOUD]);
    for (const second of [4, 5]) expect(asked(second * 1_000, '', 'unknown')).toHaveLength(1);
  });
});

describe('a service that is back', () => {
  type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;
  /** Breaks off whatever comes, until it is given something better to do. */
  const startBroken = async () => {
    const server = http.createServer((request, response) => handle(request, response));
    let handle: Handler = ({ socket }) => void socket.destroy();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const service = stoppedOnce({
      goesOn: (next: Handler) => void (handle = next),
      stop: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    const gateway = await startTestGateway({
      SEO_HTTP: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      TRUST_PROXY: true,
      CACHE_MEGABYTES: 0,
    });
    const client = speaker(gateway.url);
    const call = (method: string, from: string): Promise<Answer> =>
      client.request(method, STATISTICS, { headers: { 'X-Forwarded-For': from } });
    const breakDown = async (method: string): Promise<void> => {
      await until(async () => (await call(method, OTHER)).status === 503);
    };
    const stop = async (): Promise<void> => {
      await gateway.stop();
      await service.stop();
    };
    const sockets: net.Socket[] = [];
    const send = (bytes: string): void => {
      const socket = net.connect(gateway.port, '127.0.0.1', () => socket.write(bytes));
      sockets.push(socket.on('error', () => undefined));
    };
    const hangUp = (): void => sockets.splice(0).forEach((socket) => socket.destroy());
    return { goesOn: service.goesOn, client, call, breakDown, send, hangUp, stop };
  };
  const alive = (response: http.ServerResponse): void =>
    void response.setHeader('Content-Type', 'application/json').end('{"alive":true}');

  test('is found by a read whose client hung up', async () => {
    const site = await startBroken();
    await site.breakDown('GET');
    const begun: http.ServerResponse[] = [];
    let gone = 0;
    site.goesOn((_, response) => {
      begun.push(response);
      response.once('close', () => (gone += response.writableFinished ? 0 : 1));
    });
    const head = `GET ${STATISTICS} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${LOUD}\r\n\r\n`;
    await until(() => {
      site.send(head);
      return begun.length > 0;
    });
    site.hangUp();
    // These come behind the ends of those connections, and what would follow from them.
    for (let turn = 0; turn < 10; turn++) await site.client.get('/healthz');
    site.goesOn((_, response) => alive(response));
    begun.splice(0).forEach(alive);
    await until(async () => (await site.call('GET', OTHER)).status === 200);
    expect(gone).toBe(0);
    await site.stop();
  });

  test('is not kept from others by whoever never ends a body', async () => {
    const site = await startBroken();
    await site.breakDown('POST');
    site.goesOn((request, response) => void request.resume().once('end', () => alive(response)));
    const head = `POST ${STATISTICS} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${LOUD}\r\nContent-Type: application/json\r\n`;
    let isOver = false;
    const bother = async (): Promise<void> => {
      while (!isOver) {
        site.send(`${head}Content-Length: 100\r\n\r\n{`);
        await sleep(10);
      }
    };
    const bothered = bother();
    // Not half as often, as somebody who tries again.
    await until(async () => {
      await sleep(250);
      return (await site.call('POST', OTHER)).status === 200;
    });
    isOver = true;
    await bothered;
    site.hangUp();
    await site.stop();
  });
});
