/** How much anybody may ask, through the gateway and, of several, through Redis. */
import { ConfigError } from '@sevenfold/chassis/config';
import { anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { variables } from '../config';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall } from '../testing';
import { type Deps, basic, signedIn, smallContent } from '../testing/small';
import { inMinutesOfTheirOwn } from './testing';
import { ECHO, HERE, from, startBehindProxy, statuses } from './testing/asked';

const importing: ServiceDefinition<object, ServiceConfig> = {
  name: 'imports',
  namespace: 'calendar/event-aggregator/v1',
  title: 'Small imports',
  description: 'Stands in for the imports service.',
  open: () => ({}),
  resources: [
    {
      name: 'batches',
      routes: [
        route({
          methods: ['POST'],
          path: '/import/(?P<id>\\w+)/batch',
          summary: 'Takes what has the right hash',
          args: {
            id: { type: 'string', required: true, description: 'Name.' },
            batch_hash: { type: 'string', enum: ['right'], required: true, description: 'Hash.' },
          },
          permission: anyone,
          handle: () => reply.plain({ status: 'success' }),
        }),
      ],
    },
  ],
};

inMinutesOfTheirOwn();

let content: RunningService<Deps>;
let imports: RunningService<object>;
let where: Record<string, string>;
beforeAll(async () => {
  content = await startSmall(smallContent);
  imports = await startSmall(importing);
  where = {
    ...addresses('CONTENT', content),
    ...addresses('IMPORTS', imports),
    CONTENT_GRPC: `127.0.0.1:${content.grpcPort}`,
  };
});

const start = (settings: object = {}): Promise<RunningGateway> => startBehindProxy(where, settings);

async function optionsOf(
  gateway: RunningGateway,
  times: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n++)
    all.push((await speaker(gateway.url).request('OPTIONS', path, { headers })).status);
  return all;
}
const told = (headers: globalThis.Headers): (string | null)[] => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit')?.replace(/t=\d+/, 't=…') ?? null,
];

describe('strangers', () => {
  test('may ask so often from an address; answers say what is left, the one too many when to come again', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 3, RATE_LIMIT_NETWORK: 100 });
    const client = speaker(gateway.url);
    const policy = '"address";q=3;w=60, "network";q=100;w=60';
    for (const left of [2, 1, 0])
      expect(told((await client.get(ECHO, from(HERE))).headers)).toEqual([policy, `"address";r=${left};t=…`]);
    const { status, headers, body } = await client.get(ECHO, from(HERE));
    expect([status, body.code, body.data]).toEqual([429, 'rest_too_many_requests', { status: 429 }]);
    expect(told(headers)).toEqual([policy, '"address";r=0;t=…']);
    expect(headers.get('ratelimit')).toContain(`t=${headers.get('retry-after')}`);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit, RateLimit-Policy');
    // Whatever is asked for, and in whatever words.
    for (const path of [
      '/rest/',
      '/rest/core/v2',
      '/nowhere',
      '/uploads/cat.txt',
      '/openapi.json',
      '/console/api/imports',
    ])
      expect((await client.get(path, from(HERE))).status).toBe(429);
    expect((await client.get(ECHO, from('203.0.113.10'))).status).toBe(200);
    expect(await statuses(gateway, 5, from(HERE), '/healthz')).toEqual([200, 200, 200, 200, 200]);
    await gateway.stop();
  });

  test('who wanted a page are told on one, and all others as ever', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 1 });
    const asked = async (path: string, accept: string): Promise<unknown[]> => {
      const { status, headers, text } = await speaker(gateway.url).get(path, from(HERE, { Accept: accept }));
      return [status, headers.get('content-type'), headers.get('vary'), text];
    };
    const html = 'text/html; charset=UTF-8';
    const json = 'application/json; charset=UTF-8';
    expect(await asked('/100%', 'text/html')).toEqual([
      400,
      html,
      expect.stringContaining('Accept'),
      expect.stringContaining('<h1>This is no address</h1>'),
    ]);
    expect(await statuses(gateway, 2, from(HERE))).toEqual([200, 429]);
    const told = [429, html, expect.stringContaining('Accept'), expect.stringContaining('<h1>That was too')];
    expect(await asked('/somewhere/', 'text/html,*/*;q=0.8')).toEqual(told);
    for (const [path, accept] of [
      ['/somewhere/', '*/*'],
      [ECHO, 'text/html'],
      ['/openapi.json', 'text/html'],
    ] as const)
      expect(await asked(path, accept)).toEqual([
        429,
        json,
        expect.anything(),
        expect.stringContaining('"rest_too_many_requests"'),
      ]);
    await gateway.stop();
  });

  test('have of the newer addresses a whole network, written in any way', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 2 });
    const one = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff::9', '2001:db8:1:2:3:4:5:6'];
    const all: number[] = [];
    for (const address of [...one, '2001:db8:1:3::1'])
      all.push(...(await statuses(gateway, 1, from(address))));
    expect(all).toEqual([200, 200, 429, 200]);
    expect(await statuses(gateway, 2, from('198.51.100.1'))).toEqual([200, 200]);
    expect(await statuses(gateway, 1, from('::ffff:198.51.100.1'))).toEqual([429]);
    // With a port, as some proxies write it.
    expect(await statuses(gateway, 1, from('198.51.100.1:51234'))).toEqual([429]);
    expect(await statuses(gateway, 1, from('[2001:db8:1:2::7]:443'))).toEqual([429]);
    expect(await statuses(gateway, 1, from('[2001:db8:1:4::7]'))).toEqual([200]);
    // Where the gateway has addresses of IPv6 alone, those of IPv4 come translated (RFC 7755), all of them from one such network.
    expect(await statuses(gateway, 1, from('64:ff9b::198.51.100.1'))).toEqual([429]);
    expect(await statuses(gateway, 2, from('64:ff9b::198.51.100.2'))).toEqual([200, 200]);
    expect(await statuses(gateway, 1, from('198.51.100.2'))).toEqual([429]);
    // What is no address is one.
    expect(await statuses(gateway, 2, from('nobody'))).toEqual([200, 200]);
    expect(await statuses(gateway, 1, from('somebody'))).toEqual([429]);
    await gateway.stop();
  });

  test('share the limit of a network, whatever they have of their own', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 100, RATE_LIMIT_NETWORK: 4 });
    const all: number[] = [];
    for (let n = 1; n <= 5; n++) all.push(...(await statuses(gateway, 1, from(`198.51.100.${n}`))));
    expect(all).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses(gateway, 1, from('198.51.101.1'))).toEqual([200]);
    await gateway.stop();
  });

  test('are not counted for what browsers ask before they write', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 1 });
    const preflight = from(HERE, { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' });
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await speaker(gateway.url).request('OPTIONS', ECHO, { headers: preflight });
      expect([status, headers.get('ratelimit')]).toEqual([200, null]);
    }
    expect(await statuses(gateway, 2, from(HERE))).toEqual([200, 429]);
    await gateway.stop();
  });

  test('may have that asked ten times as often as they may ask', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 1 });
    const asked = (headers: Readonly<Record<string, string>>): Promise<number[]> =>
      optionsOf(gateway, 11, ECHO, { ...headers, 'Access-Control-Request-Method': 'POST' });
    expect(await asked(from(HERE))).toEqual([...Array<number>(10).fill(200), 429]);
    expect(await asked(from('203.0.113.10'))).toContain(200);
    // What comes with a credential is no browser's own.
    const few = await start({ RATE_LIMIT_CREDENTIAL: 2 });
    const preflight = { 'Access-Control-Request-Method': 'POST' };
    expect(await optionsOf(few, 3, ECHO, from(HERE, { ...signedIn, ...preflight }))).toEqual([200, 200, 429]);
    await gateway.stop();
    await few.stop();
  });

  test('are counted where they connect from unless a proxy is believed', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 2, TRUST_PROXY: false });
    const all: number[] = [];
    for (let n = 1; n <= 3; n++) all.push(...(await statuses(gateway, 1, from(`198.51.100.${n}`))));
    expect(all).toEqual([200, 200, 429]);
    await gateway.stop();
  });
});

test('whoever is refused before he is counted is told what strangers have left, and loses nothing of it', async () => {
  const gateway = await start({ RATE_LIMIT_ADDRESS: 3, RATE_LIMIT_ATTEMPTS: 2 });
  const ask = async (path: string, more: object = {}): Promise<unknown[]> => {
    const { status, headers } = await speaker(gateway.url).get(path, from(HERE, more));
    return [status, ...told(headers)];
  };
  const left = (n: number): string[] => ['"address";q=3;w=60', `"address";r=${n};t=…`];
  expect(await ask(ECHO, basic('editor', 'wrong'))).toEqual([401, ...left(3)]);
  expect(await ask(ECHO)).toEqual([200, ...left(2)]);
  expect(await ask(ECHO, { Authorization: 'Basic x' })).toEqual([401, ...left(2)]);
  expect(await ask(ECHO, basic('editor', 'wrong'))).toEqual([429, ...left(2)]);
  expect(await ask('/rest/%ff')).toEqual([400, ...left(2)]);
  expect(await ask(ECHO)).toEqual([200, ...left(1)]);
  await gateway.stop();
  // Whoever is not counted is told of no limit, whatever becomes of his request.
  const other = await start({ RATE_LIMIT_ADDRESS: 3, RATE_LIMIT_ALLOW: 'manage_imports' });
  const { status, headers } = await speaker(other.url).get('/rest/nowhere', from(HERE, signedIn));
  expect([status, ...told(headers)]).toEqual([404, null, null]);
  await other.stop();
});

test('users have a limit for each credential, wherever they are, and take nothing from strangers', async () => {
  const gateway = await start({ RATE_LIMIT_ADDRESS: 1, RATE_LIMIT_CREDENTIAL: 3 });
  expect(await statuses(gateway, 2, from(HERE, signedIn))).toEqual([200, 200]);
  const { headers } = await speaker(gateway.url).get(ECHO, from('198.51.100.1', signedIn));
  expect(told(headers)).toEqual(['"credential";q=3;w=60', '"credential";r=0;t=…']);
  // Written differently it is the same credential.
  const again = { Authorization: signedIn.Authorization.replace('Basic ', 'Basic   ') };
  expect(await statuses(gateway, 1, from(HERE, again))).toEqual([429]);
  expect(await statuses(gateway, 2, from(HERE))).toEqual([200, 429]);
  // Where nobody looks at credentials they make nobody a user.
  expect(await statuses(gateway, 1, from(HERE, signedIn), '/uploads/cat.txt')).toEqual([429]);
  await gateway.stop();
});

describe('not counted are', () => {
  const few = { RATE_LIMIT_ADDRESS: 1, RATE_LIMIT_CREDENTIAL: 1 };

  test('the networks that are named', async () => {
    const gateway = await start({ ...few, RATE_LIMIT_ALLOW: '203.0.113.0/24, 2001:db8::/32' });
    for (const address of [HERE, `64:ff9b::${HERE}`, '2001:db8:9::1']) {
      expect(await statuses(gateway, 3, from(address))).toEqual([200, 200, 200]);
      expect(await statuses(gateway, 3, from(address, signedIn))).toEqual([200, 200, 200]);
    }
    expect(await statuses(gateway, 2, from('203.0.114.1'))).toEqual([200, 429]);
    await gateway.stop();
  });

  test('users with a right that is named', async () => {
    const gateway = await start({ ...few, RATE_LIMIT_ALLOW: 'manage_imports' });
    expect(await statuses(gateway, 3, from(HERE, signedIn))).toEqual([200, 200, 200]);
    const other = await start({ ...few, RATE_LIMIT_ALLOW: 'manage_options' });
    expect(await statuses(other, 2, from(HERE, signedIn))).toEqual([200, 429]);
    await gateway.stop();
    await other.stop();
  });

  test('batches that an import accepts; guesses are', async () => {
    const gateway = await start({ RATE_LIMIT_ADDRESS: 2 });
    const push = async (
      hash: string,
      at = 'import/one/batch',
      to = gateway,
      credential = {},
    ): Promise<number> => {
      const path = `/rest/calendar/event-aggregator/v1/${at}`;
      const { status } = await speaker(to.url).post(path, { batch_hash: hash }, from(HERE, credential));
      return status;
    };
    const all: number[] = [];
    for (const hash of ['right', 'right', 'right', 'right', 'wrong', 'wrong', 'wrong', 'right'])
      all.push(await push(hash));
    expect(all).toEqual([200, 200, 200, 200, 400, 400, 429, 429]);
    await gateway.stop();
    // Services read paths so, too.
    const other = await start({ RATE_LIMIT_ADDRESS: 2 });
    const pushed = [];
    for (let n = 0; n < 4; n++) pushed.push(await push('right', 'Import/one/Batch', other));
    expect(pushed).toEqual([200, 200, 200, 200]);
    await other.stop();
    // So it is where they come with a credential.
    const third = await start({ RATE_LIMIT_CREDENTIAL: 2 });
    const sent = [];
    for (const hash of ['right', 'right', 'right', 'wrong', 'wrong', 'right'])
      sent.push(await push(hash, 'import/one/batch', third, signedIn));
    expect(sent).toEqual([200, 200, 200, 400, 400, 429]);
    await third.stop();
  });

  test('but what is asked about batches is, although everybody is answered', async () => {
    const path = '/rest/calendar/event-aggregator/v1/import/one/batch';
    const gateway = await start({ RATE_LIMIT_ADDRESS: 1 });
    expect(await optionsOf(gateway, 3, path, from(HERE))).toEqual([200, 429, 429]);
    const sent = [];
    for (let n = 0; n < 3; n++)
      sent.push(
        (await speaker(gateway.url).post(`${path}?_method=OPTIONS`, {}, from('203.0.113.10'))).status,
      );
    expect(sent).toEqual([200, 429, 429]);
    await gateway.stop();
  });

  test('anybody, where a limit is 0', async () => {
    const gateway = await start();
    const { headers } = await speaker(gateway.url).get(ECHO, from(HERE));
    expect(told(headers)).toEqual([null, null]);
    await gateway.stop();
  });

  test('and nothing else: what is no network and no word is told at the start', async () => {
    for (const wrong of ['10.0.0.0/33', '192.168/16', '010.0.0.0/8'])
      await expect(start({ RATE_LIMIT_ALLOW: wrong })).rejects.toThrow(ConfigError);
  });
});

test('the limits are those that were promised unless configuration says otherwise', () => {
  const limits = ['ADDRESS', 'CREDENTIAL', 'ATTEMPTS'].map(
    (name) => variables[`RATE_LIMIT_${name as 'ADDRESS'}`].default,
  );
  expect(limits).toEqual([600, 3_000, 10]);
});
