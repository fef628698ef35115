/** What caches on the way are told: how long they may keep what, by which keys, and which of them are old. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { addresses, startTestGateway } from '@sevenfold/gateway/testing';
import { startRawServer } from '@sevenfold/gateway/testing/sockets';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { collectGarbage } from '@sevenfold/chassis/testing/garbage';
import { until } from '@sevenfold/chassis/testing/until';
import { makePost } from '@sevenfold/content/testing/factories';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';

const POSTS = '/rest/core/v2/posts';

let content: ContentSite;
beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content?.stop());

interface Told {
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A cache on the way, as far as it is told what to drop. */
async function startReceiver(): Promise<{
  readonly url: string;
  readonly told: Told[];
  /** What it answers to the next ones. */
  statuses: (number | 'nothing' | 'silence')[];
  stop(): Promise<void>;
}> {
  const told: Told[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const status = receiver.statuses.shift() ?? 200;
      if (status === 'silence') return;
      if (status === 'nothing') return void request.socket.destroy();
      if (status === 200) told.push({ method: request.method ?? '', headers: request.headers, body });
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"status":"ok"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`,
    told,
    statuses: [] as (number | 'nothing' | 'silence')[],
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

const gatewayWith = (settings: Record<string, unknown>): Promise<RunningGateway> =>
  startTestGateway({ ...addresses('CONTENT', content.service), ...settings });

const read = ({ url }: RunningGateway, path: string): Promise<Answer> => speaker(url).get(path);
const kept = async (gateway: RunningGateway, path: string): Promise<Answer> => {
  let answer = await read(gateway, path);
  await until(async () => {
    answer = await read(gateway, path);
    return answer.headers.get('x-cache') === 'hit';
  });
  return answer;
};
const keysIn = ({ headers }: Told, name: string): string[] => String(headers[name]).split(' ');

test('browsers ask each time; caches on the way for as long as the operator says', async () => {
  const { id } = await makePost(content.deps.db);
  const [usual, shared] = [await gatewayWith({}), await gatewayWith({ CACHE_SHARED_SECONDS: 300 })];
  const of = async (gateway: RunningGateway): Promise<Answer> => kept(gateway, `${POSTS}/${id}`);
  const asking = (await of(usual)).headers;
  expect([asking.get('cache-control'), asking.get('vary')]).toEqual([
    'max-age=0, must-revalidate',
    'Accept-Encoding, Origin',
  ]);
  const answer = await of(shared);
  expect(answer.headers.get('cache-control')).toBe('max-age=0, must-revalidate, s-maxage=300');
  // Whoever comes with a credential is not shown what strangers see, and hears that it is wrong.
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Authorization, Origin');
  // Nothing is older than the moment at which it is sent: it was held against the news then.
  expect(answer.headers.get('age')).toBeNull();
  expect(answer.headers.get('surrogate-key')).toBeNull();
  // What is kept nowhere here no purge reaches elsewhere.
  for (const [path, expected] of [
    [`${POSTS}/999999`, 404],
    [`${POSTS}/${id}?_envelope`, 200],
  ] as const) {
    const { status, headers } = await read(shared, path);
    expect([status, headers.get('cache-control')]).toEqual([expected, 'no-cache']);
  }
  for (const one of [usual, shared]) await one.stop();
});

test('keys tell what an answer shows, in the way of each cache, and there are never too many', async () => {
  const { id } = await makePost(content.deps.db);
  const spaces = await gatewayWith({ CACHE_KEY_HEADER: 'Surrogate-Key' });
  const commas = await gatewayWith({ CACHE_KEY_HEADER: 'Cache-Tag' });
  const one = (await kept(spaces, `${POSTS}/${id}`)).headers.get('surrogate-key')?.split(' ');
  expect(one).toEqual(expect.arrayContaining(['content', `content/post:${id}`, 'content/post:all']));
  expect((await kept(commas, `${POSTS}/${id}`)).headers.get('cache-tag')?.split(',')).toEqual(one);
  expect((await kept(spaces, POSTS)).headers.get('surrogate-key')?.split(' ')).toContain('content/post');
  for (let made = 0; made < 100; made++) await makePost(content.deps.db);
  const many = await kept(spaces, `${POSTS}?per_page=100&_embed`);
  expect(many.body).toHaveLength(100);
  const header = many.headers.get('surrogate-key') as string;
  expect(header.length).toBeLessThanOrEqual(4_000);
  for (const gateway of [spaces, commas]) await gateway.stop();
});

test("what caches on the way may keep tells of nobody's limits", async () => {
  const gateway = await gatewayWith({ CACHE_SHARED_SECONDS: 60, RATE_LIMIT_ADDRESS: 100_000 });
  const limitsOf = ({ headers }: Answer): (string | null)[] =>
    ['ratelimit', 'ratelimit-policy'].map((name) => headers.get(name));
  const first = await read(gateway, POSTS);
  const second = await kept(gateway, POSTS);
  const known = await speaker(gateway.url).get(POSTS, {
    'If-None-Match': second.headers.get('etag') as string,
  });
  for (const answer of [first, second, known].filter(({ headers }) => headers.get('x-cache') !== null)) {
    expect(answer.headers.get('cache-control')).toContain('s-maxage=60');
    expect(limitsOf(answer)).toEqual([null, null]);
  }
  expect(known.status).toBe(304);
  // What is asked for each time says it.
  expect(limitsOf(await read(gateway, '/rest/'))).not.toContain(null);
  await gateway.stop();
});

test('what a commit made old is told, together and once, with the proof of who tells it', async () => {
  const receiver = await startReceiver();
  const gateway = await gatewayWith({
    CACHE_KEY_HEADER: 'Surrogate-Key',
    PURGE_URL: receiver.url,
    PURGE_TOKEN: 'a secret',
  });
  try {
    const { id } = await makePost(content.deps.db);
    const shown = (await kept(gateway, `${POSTS}/${id}`)).headers.get('surrogate-key')?.split(' ') ?? [];
    const list = (await kept(gateway, POSTS)).headers.get('surrogate-key')?.split(' ') ?? [];
    // What it may have missed before it listened is dropped as a whole.
    await until(() => receiver.told.some((told) => keysIn(told, 'surrogate-key').includes('content')));
    // A line of news that is silent for a moment makes everything old, and tells that, too, maybe in the same breath.
    const told = await until(async () => {
      const before = receiver.told.length;
      await content.deps.db.run(`update posts set title_html = title_html || '.' where id = $1`, [id]);
      const one = await until(() =>
        receiver.told
          .slice(before)
          .find((each) => keysIn(each, 'surrogate-key').includes(`content/post:${id}`)),
      );
      return !keysIn(one, 'surrogate-key').includes('content') && one;
    });
    const before = receiver.told.length;
    const keys = keysIn(told, 'surrogate-key');
    expect([told.method, told.headers['fastly-key']]).toEqual(['POST', 'a secret']);
    expect(keys).toEqual(expect.arrayContaining([`content/post:${id}`, 'content/post:any', 'content:any']));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.some((key) => shown.includes(key))).toBe(true);
    // Its title is not what the first page is chosen by, but it is shown there.
    expect(keys.some((key) => list.includes(key))).toBe(true);
    await content.deps.db.run(`insert into settings values ('description', '"Of ferries"')`);
    await until(() =>
      receiver.told.slice(before).some((one) => keysIn(one, 'surrogate-key').includes('content/settings')),
    );
  } finally {
    await gateway.stop();
    await receiver.stop();
  }
});

test('a receiver that fails is told again, one that is away holds nobody up, and what waits has a bound', async () => {
  const receiver = await startReceiver();
  receiver.statuses = [503, 'nothing', 401, 500];
  const gateway = await gatewayWith({
    CACHE_KEY_HEADER: 'xkey',
    PURGE_URL: receiver.url,
    PURGE_STYLE: 'xkey',
  });
  try {
    await until(() => receiver.told.length > 0);
    expect(receiver.statuses).toEqual([]);
    const { id } = await makePost(content.deps.db);
    await kept(gateway, `${POSTS}/${id}`);
    receiver.statuses = Array.from({ length: 3 }, () => 500);
    for (let turn = 0; turn < 30; turn++)
      await content.deps.db.run(`update posts set title_html = $2 where id = $1`, [id, `Turn ${turn}`]);
    // Readers and writers see nothing of it.
    await until(async () => (await read(gateway, `${POSTS}/${id}`)).text.includes('Turn 29'));
    await until(() =>
      receiver.told.some((told) => keysIn(told, 'xkey-purge').includes(`content/post:${id}`)),
    );
    expect(receiver.told.every(({ method }) => method === 'PURGE')).toBe(true);
    for (const told of receiver.told) expect(keysIn(told, 'xkey-purge').length).toBeLessThanOrEqual(100);
  } finally {
    await gateway.stop();
    await receiver.stop();
  }
});

test('what could not be told is told as soon as that can be, however often it failed', async () => {
  const receiver = await startReceiver();
  const gateway = await gatewayWith({ CACHE_KEY_HEADER: 'Surrogate-Key', PURGE_URL: receiver.url });
  try {
    const { id } = await makePost(content.deps.db);
    await kept(gateway, `${POSTS}/${id}`);
    // Of its beginning everything is told.
    const isTold = (from: number): boolean =>
      receiver.told.slice(from).some((told) => keysIn(told, 'surrogate-key').includes(`content/post:${id}`));
    await until(() => isTold(0));
    const before = receiver.told.length;
    receiver.statuses = Array.from({ length: 10 }, () => 500);
    await content.deps.db.run(`update posts set title_html = 'Told late' where id = $1`, [id]);
    await until(() => receiver.statuses.length === 0 && isTold(before));
  } finally {
    await gateway.stop();
    await receiver.stop();
  }
});

test('one that says nothing is given up in time, whatever the process does meanwhile, and told again', async () => {
  const receiver = await startReceiver();
  receiver.statuses = ['silence'];
  const gateway = await gatewayWith({ CACHE_KEY_HEADER: 'Surrogate-Key', PURGE_URL: receiver.url });
  try {
    await until(() => receiver.statuses.length === 0);
    collectGarbage();
    await until(() => receiver.told.length > 0);
  } finally {
    await gateway.stop();
    await receiver.stop();
  }
});

test('other caches are told in their own ways', async () => {
  const receiver = await startReceiver();
  const bans: string[] = [];
  const varnish = await startRawServer((request) => {
    bans.push(request);
    return 'HTTP/1.1 200 Banned\r\nContent-Length: 0\r\n\r\n';
  });
  const json = await gatewayWith({
    CACHE_KEY_HEADER: 'Cache-Tag',
    PURGE_URL: receiver.url,
    PURGE_STYLE: 'json',
    PURGE_TOKEN: 'token',
  });
  const ban = await gatewayWith({
    CACHE_KEY_HEADER: 'Surrogate-Key',
    PURGE_URL: varnish.url,
    PURGE_STYLE: 'ban',
  });
  try {
    await until(() => receiver.told.length > 0 && bans.length > 0);
    const [told] = receiver.told as [Told];
    expect([told.method, told.headers.authorization]).toEqual(['POST', 'Bearer token']);
    expect(JSON.parse(told.body)).toEqual({ tags: ['content'] });
    const { id } = await makePost(content.deps.db);
    const banned = await until(() => bans.find((request) => request.includes(`content/post:${id}`)));
    const [, expression] = /x-ban-keys: (.*)\r/i.exec(banned) ?? [];
    expect(bans.every((request) => request.startsWith('BAN '))).toBe(true);
    // It means these keys and no others, at any place of the header.
    const matches = (keys: string): boolean => new RegExp(expression as string).test(keys);
    expect(matches(`content content/post:${id}`)).toBe(true);
    expect(matches(`content content/post:${id}9`)).toBe(false);
    expect(matches(`xcontent/post:${id} content`)).toBe(false);
  } finally {
    for (const gateway of [json, ban]) await gateway.stop();
    for (const one of [receiver, varnish]) await one.stop();
  }
});

test('a purge without keys, without news to hear, with a name and a password, or a token that no header takes is refused at the start', async () => {
  const PURGE_URL = 'http://127.0.0.1:1';
  await expect(gatewayWith({ PURGE_URL })).rejects.toThrow('CACHE_KEY_HEADER');
  await expect(gatewayWith({ PURGE_URL, CACHE_KEY_HEADER: 'xkey', CACHE_MEGABYTES: 0 })).rejects.toThrow(
    'CACHE_MEGABYTES',
  );
  const named = { PURGE_URL: 'http://name:word@127.0.0.1:1', CACHE_KEY_HEADER: 'xkey' };
  await expect(gatewayWith(named)).rejects.toThrow('PURGE_TOKEN');
  const filed = { PURGE_URL, PURGE_TOKEN: 'hunter2\n', CACHE_KEY_HEADER: 'xkey' };
  await expect(gatewayWith(filed)).rejects.toThrow(/^(?!.*hunter2).*PURGE_TOKEN/s);
});

test('what became old on its way here is not left with caches that have dropped it already', async () => {
  const receiver = await startReceiver();
  let isHeld = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  /** Before the service: keeps back what it has answered to whoever says so. */
  const between = http.createServer((request, response) => {
    const { hostname, port } = new URL(content.service.url);
    const { method, url: path = '/', headers } = request;
    const answer = async (given: http.IncomingMessage): Promise<void> => {
      const pieces = (await given.toArray()) as Buffer[];
      if (path.includes('held')) {
        isHeld = true;
        await released;
      }
      response.writeHead(given.statusCode as number, given.headers).end(Buffer.concat(pieces));
    };
    request.pipe(http.request({ hostname, port, method, path, headers }, (given) => void answer(given)));
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const gateway = await gatewayWith({
    CONTENT_HTTP: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    CACHE_SHARED_SECONDS: 300,
    CACHE_KEY_HEADER: 'Surrogate-Key',
    PURGE_URL: receiver.url,
  });
  const isTold = (key: string): boolean =>
    receiver.told.some((told) => keysIn(told, 'surrogate-key').includes(key));
  const laters: number[] = [];
  const controlOf = ({ headers }: Answer): string => String(headers.get('cache-control'));
  try {
    const { id } = await makePost(content.deps.db, { title_html: 'Before' });
    await kept(gateway, `${POSTS}/${id}`);
    await until(() => isTold('content'));
    const asked = read(gateway, `${POSTS}/${id}?held`);
    await until(() => isHeld);
    await content.deps.db.run(`update posts set title_html = 'Behind' where id = $1`, [id]);
    // Keys of the post itself may still be those of its making; what is written behind the change is told behind it.
    await until(async () => {
      const { id: later } = await makePost(content.deps.db);
      laters.push(later);
      return laters.some((one) => isTold(`content/post:${one}`));
    });
    release();
    const answer = await asked;
    expect([answer.status, answer.body.title.rendered]).toEqual([200, 'Before']);
    expect(controlOf(answer)).not.toContain('s-maxage');
    const next = await kept(gateway, `${POSTS}/${id}?held`);
    expect([next.body.title.rendered, controlOf(next)]).toEqual([
      'Behind',
      'max-age=0, must-revalidate, s-maxage=300',
    ]);
  } finally {
    release();
    await gateway.stop();
    await receiver.stop();
    between.closeAllConnections();
    between.close();
  }
});
