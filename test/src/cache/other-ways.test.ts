/** What does not go the way of most: reads whose service breaks off in the middle, or that come with a body, and writes that do not come so far. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { ask } from '@sevenfold/gateway/testing/sockets';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { Client } from 'pg';
import { type Site, startSite } from '../support/site';
import { steadily } from '../support/steadily';

const POSTS = '/rest/core/v2/posts';

type Answer = (given: http.IncomingMessage, response: http.ServerResponse) => void;

let site: Site;
let gateway: RunningGateway;
let stranger: Speaker;
/** Stands before the content service, which answers through it. */
const between = http.createServer((request, response) => {
  const { hostname, port } = new URL(site.content.service.url);
  const { method, url = '/', headers } = request;
  const answer = (url.includes('broken') && broken.shift()) || pass;
  request.pipe(
    http.request({ hostname, port, method, path: url, headers }, (given) => answer(given, response)),
  );
});
/** What becomes of the next answers to addresses that say so. */
let broken: Answer[] = [];
let port: number;

const pass: Answer = (given, response) => {
  response.writeHead(given.statusCode as number, given.headers);
  given.pipe(response);
};
const breakOff: Answer = (given, response) => {
  response.writeHead(given.statusCode as number, given.headers);
  given.once('data', (chunk: Buffer) => {
    given.destroy();
    response.write(chunk.subarray(0, 10), () => response.socket?.destroy());
  });
};
/** As a process answers that has only just started: it cannot say what it has heard of the news. */
const withoutTags: Answer = (given, response) => {
  const headers = Object.entries(given.headers).filter(([name]) => !name.startsWith('x-sevenfold-'));
  response.writeHead(given.statusCode as number, Object.fromEntries(headers));
  given.pipe(response);
};
const fault: Answer = (given, response) => {
  given.destroy();
  response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"code":"internal_error"}');
};

beforeAll(async () => {
  site = await startSite();
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  ({ port } = between.address() as AddressInfo);
  gateway = await site.gateway({ CONTENT_HTTP: `http://127.0.0.1:${port}`, WRITES_AT_ONCE: 1 });
  stranger = speaker(gateway.url);
});
afterAll(async () => {
  await gateway?.stop();
  between.close();
  await site?.stop();
});

const db = (): Site['content']['deps']['db'] => site.content.deps.db;

const seconds: readonly (readonly [string, Answer, number])[] = [
  ['one that may be kept', pass, 200],
  ['one that may not', withoutTags, 200],
  ['a fault', fault, 500],
];
for (const [what, next, status] of seconds)
  steadily(
    `an answer that breaks off is asked for again, and whoever gets ${what} gets all of it`,
    async () => {
      const { id } = await makePost(db());
      const whole = await until(async () =>
        [await stranger.get(`${POSTS}/${id}`)].find(({ headers }) => headers.get('x-cache') === 'hit'),
      );
      broken = [breakOff, next];
      const answer = await stranger.get(`${POSTS}/${id}?broken`);
      expect([answer.status, broken]).toEqual([status, []]);
      expect(answer.text).toBe(status === 200 ? whole.text : '{"code":"internal_error"}');
    },
  );

steadily('who waited for an answer that never came does not wait as long again', async () => {
  const short = await site.gateway({ CONTENT_HTTP: `http://127.0.0.1:${port}`, REQUEST_TIMEOUT_SECONDS: 2 });
  try {
    const other = speaker(short.url);
    const { id } = await makePost(db());
    await until(async () => (await other.get(`${POSTS}/${id}`)).headers.get('x-cache') === 'hit');
    const ended: string[] = [];
    const ask = async (query: string, who: string): Promise<number> => {
      const { status } = await other.get(`${POSTS}/${id}?broken${query}`);
      ended.push(who);
      return status;
    };
    let came = 0;
    const keepBack: Answer = (given) => {
      came += 1;
      given.destroy();
    };
    broken = Array.from({ length: 9 }, () => keepBack);
    const first = ask('', 'first');
    await until(() => came === 1);
    const joined = ask('', 'joined');
    for (let round = 0; round < 5; round++) await other.get('/rest/');
    const later = ask('&later', 'later');
    expect(await Promise.all([first, joined, later])).toEqual([504, 504, 504]);
    expect(ended).toEqual(['first', 'joined', 'later']);
  } finally {
    broken = [];
    await short.stop();
  }
});

/** What a gateway puts among the news of the content service during `work`, to see whether all of a write have come. */
async function marksDuring(work: () => Promise<void>): Promise<string[]> {
  const last = await makeTerm(db(), { name: 'Last of all' });
  const listener = new Client(site.content.service.db.pool.options.connectionString);
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.connect();
  try {
    await listener.query('listen news');
    await work();
    await db().run(`update terms set name = 'Told' where id = $1`, [last.id]);
    await until(() => heard.some((message) => message.includes(`term:${last.id}`)));
    return heard.filter((message) => message.includes(' mark:'));
  } finally {
    await listener.end();
  }
}

test('a read that comes with a body makes nothing old, and nobody is asked whether it did', async () => {
  const { id } = await makePost(db());
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '2' };
  const marks = await marksDuring(async () => {
    for (let turn = 0; turn < 20; turn++)
      expect((await ask(`${gateway.url}${POSTS}/${id}`, { method: 'GET', headers }, '{}')).status).toBe(200);
  });
  expect(marks).toEqual([]);
});

test('nor does a write for which there was no room', async () => {
  const held = new Promise<() => void>((resolve) => {
    broken = [(given, response) => resolve(() => pass(given, response))];
  });
  const write = async (query: string): Promise<number> =>
    (await stranger.post(`${POSTS}${query}`, {})).status;
  const marks = await marksDuring(async () => {
    const first = write('?broken');
    const release = await held;
    let refused = 0;
    const others = Array.from({ length: 20 }, async () => {
      const status = await write('');
      if (status === 503) refused += 1;
      return status;
    });
    // All but the two that may wait.
    await until(() => refused >= 18);
    release();
    expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([401, 503]));
  });
  expect(marks).toEqual([]);
});
