/** How much anybody may ask, through the gateway and, of several, through Redis. */
import { randomBytes } from 'node:crypto';
import { ConfigError } from '@sevenfold/chassis/config';
import { anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { variables } from '../config';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, PASSWORD, basic, signedIn, smallContent } from '../testing/small';
import { inMinutesOfTheirOwn } from './testing';

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

const ECHO = '/rest/core/v2/echo';
const HERE = '203.0.113.9';

/** Behind a proxy, so that clients can be anywhere. */
const start = (settings: object = {}): Promise<RunningGateway> =>
  startTestGateway({ ...where, TRUST_PROXY: true, ...settings });
const from = (address: string, more: object = {}): Record<string, string> => ({
  'X-Forwarded-For': address,
  ...more,
});

type Headers = Record<string, string>;
async function statuses(
  gateway: RunningGateway,
  times: number,
  headers: Headers,
  path = ECHO,
): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push((await speaker(gateway.url).get(path, headers)).status);
  return all;
}
async function optionsOf(
  gateway: RunningGateway,
  times: number,
  path: string,
  headers: Headers,
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
    const asked = (headers: Headers): Promise<number[]> =>
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
    await expect(start({ RATE_LIMIT_ALLOW: '10.0.0.0/33' })).rejects.toThrow(ConfigError);
  });
});

test('the limits are those that were promised unless configuration says otherwise', () => {
  const limits = ['ADDRESS', 'CREDENTIAL', 'ATTEMPTS'].map(
    (name) => variables[`RATE_LIMIT_${name as 'ADDRESS'}`].default,
  );
  expect(limits).toEqual([600, 3_000, 10]);
});

describe('wrong credentials', () => {
  const wrong = (n: number): Record<string, string> => basic('editor', `wrong ${n}`);

  test('are so many an address, however many are tried at once; others and those who were right go on', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 10, CREDENTIAL_SECONDS: 0.001 });
    const client = speaker(gateway.url);
    // Gateways that have just begun do not follow the news of users yet, and remember nobody.
    await until(async () => {
      await client.get(ECHO, from('198.51.100.1', signedIn));
      const before = content.deps.signIns;
      content.deps.held = Promise.reject(new Error('away'));
      content.deps.held.catch(() => undefined);
      const { status } = await client.get(ECHO, from('198.51.100.1', signedIn));
      content.deps.held = undefined;
      return status === 200 && content.deps.signIns > before;
    });
    const before = content.deps.signIns;
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, n) => client.get(ECHO, from(HERE, wrong(n)))),
    );
    expect(all.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = all.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    expect([refused[0]?.body.code, Number(refused[0]?.headers.get('retry-after')) > 0]).toEqual([
      'rest_too_many_attempts',
      true,
    ]);
    expect(content.deps.signIns).toBe(before + 10);
    // Also what is no credential at all.
    expect(await statuses(gateway, 1, from(HERE, { Authorization: 'Bearer x' }))).toEqual([429]);
    expect(await statuses(gateway, 1, from(HERE))).toEqual([200]);
    expect(await statuses(gateway, 1, from(HERE, signedIn))).toEqual([200]);
    expect(await statuses(gateway, 1, from('198.51.100.7', wrong(1)))).toEqual([401]);
    await gateway.stop();
  });

  test('do not keep those from an address who are right', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 2 });
    // For limits they are one; each is asked for by itself.
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        speaker(gateway.url).get(ECHO, from(`2001:db8:1:2::${n}`, signedIn)),
      ),
    );
    expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await gateway.stop();
  });

  test('of others at an address are nothing to who was right before, also where nobody is remembered for outages', async () => {
    const gateway = await start({
      RATE_LIMIT_ATTEMPTS: 1,
      CREDENTIAL_SECONDS: 0.001,
      CREDENTIAL_OUTAGE_SECONDS: 0,
    });
    expect(await statuses(gateway, 1, from(HERE, signedIn))).toEqual([200]);
    expect(await statuses(gateway, 2, from(HERE, wrong(1)))).toEqual([401, 429]);
    const before = content.deps.signIns;
    expect(await statuses(gateway, 3, from(HERE, signedIn))).toEqual([200, 200, 200]);
    expect(content.deps.signIns).toBeGreaterThan(before);
    expect(await statuses(gateway, 1, from(HERE, basic('e@example.org', PASSWORD)))).toEqual([429]);
    await gateway.stop();
  });

  test('are ten times as many a network', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 1 });
    const all: number[] = [];
    for (let n = 0; n < 11; n++)
      all.push(...(await statuses(gateway, 1, from(`2001:db8:7:${n}::1`, wrong(n)))));
    expect(all).toEqual([...Array<number>(10).fill(401), 429]);
    expect(await statuses(gateway, 1, from('2001:db8:8::1', wrong(1)))).toEqual([401]);
    await gateway.stop();
  });

  test('of one address are nothing to who comes from another with a credential that waits there', async () => {
    const gateway = await start({ RATE_LIMIT_ATTEMPTS: 1 });
    const ask = (address: string, credential: object): Promise<Answer> =>
      speaker(gateway.url).get(ECHO, from(address, credential));
    const { deps } = content;
    const before = deps.signIns;
    let release = (): void => undefined;
    deps.held = new Promise((resolve) => (release = resolve));
    const guess = ask(HERE, wrong(1));
    await until(() => deps.signIns === before + 1);
    const behind = ask(HERE, signedIn);
    // It has come by the time that what was sent after it is answered.
    await until(async () => (await statuses(gateway, 3, from(HERE))).every((status) => status === 200));
    const elsewhere = ask('198.51.100.1', signedIn);
    await until(() => deps.signIns === before + 2);
    deps.held = undefined;
    release();
    const answers = await Promise.all([guess, behind, elsewhere]);
    expect(answers.map(({ status }) => status)).toEqual([401, 429, 200]);
    await gateway.stop();
  });
});

describe('several gateways', () => {
  let door: Freezable;
  let shared: object;
  beforeEach(async () => {
    const url = new URL(testServers().redisUrl);
    door = await startFreezable(Number(url.port));
    url.port = String(door.port);
    shared = {
      REDIS_URL: url.href,
      REDIS_PREFIX: `test-limits-${randomBytes(6).toString('hex')}`,
      RATE_LIMIT_ADDRESS: 1_000,
      RATE_LIMIT_ATTEMPTS: 10,
    };
  });
  afterEach(() => door.stop());

  /** Asks one gateway, and knows what has come of the others by what is left of the limit. */
  function listener(gateway: RunningGateway) {
    let asked = 0;
    return async (others: number): Promise<boolean> => {
      const { headers } = await speaker(gateway.url).get(ECHO, from(HERE));
      asked += 1;
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]) <= 1_000 - others - asked;
    };
  }

  test('count together, requests and wrong credentials', async () => {
    const [one, other] = [await start(shared), await start(shared)];
    const hears = listener(other);
    await statuses(one, 50, from(HERE));
    await until(() => hears(50));
    const wrong = (n: number): Record<string, string> => from(HERE, basic('editor', `wrong ${n}`));
    await Promise.all(Array.from({ length: 9 }, (_, n) => statuses(one, 1, wrong(n))));
    expect(await statuses(other, 1, wrong(9))).toEqual([401]);
    // It hears of them with the answer to what it tells, which may have gone before they came: then with the next one.
    const further: number[] = [];
    while (further.length < 2 && further.at(-1) !== 429) {
      await statuses(one, 1, from(HERE));
      await until(() => hears(51 + further.length));
      further.push(...(await statuses(other, 1, wrong(10 + further.length))));
    }
    expect(further.at(-1)).toBe(429);
    await one.stop();
    await other.stop();
  });

  test('tell to come again when no limit is in the way any more', async () => {
    const [one, other] = [
      await start({ ...shared, RATE_LIMIT_ADDRESS: 5, RATE_LIMIT_NETWORK: 200 }),
      await start({ ...shared, RATE_LIMIT_NETWORK: 100_000 }),
    ];
    expect(await statuses(one, 5, from(HERE))).toEqual([200, 200, 200, 200, 200]);
    expect((await speaker(one.url).get(ECHO, from(HERE))).headers.get('ratelimit')).toContain('"address"');
    // Of the network the other one lets pass what it likes: it is over its limit for longer than the address.
    await statuses(other, 300, from('203.0.113.10'));
    await other.stop();
    let neighbours = 10;
    await until(async () => {
      neighbours += 1;
      return (await statuses(one, 1, from(`203.0.113.${neighbours}`)))[0] === 429;
    });
    const { status, headers } = await speaker(one.url).get(ECHO, from(HERE));
    expect([status, headers.get('ratelimit')]).toEqual([429, expect.stringContaining('"network"')]);
    await one.stop();
  });

  test('one that starts learns what was counted before it', async () => {
    const one = await start(shared);
    await statuses(one, 50, from(HERE));
    await one.stop();
    const other = await start(shared);
    const hears = listener(other);
    await until(() => hears(50));
    await other.stop();
  });

  test.each(['frozen', 'away'])(
    'go by themselves while Redis is %s, wait for nothing, and count together again',
    async (how) => {
      const [one, other] = [await start(shared), await start(shared)];
      const hears = listener(other);
      await statuses(one, 1, from(HERE));
      await until(() => hears(1));
      const port = door.port;
      if (how === 'frozen') door.freeze();
      else await door.stop();
      const few = await start({ ...shared, RATE_LIMIT_ADDRESS: 5 });
      expect(await statuses(few, 6, from('198.51.100.1'))).toEqual([200, 200, 200, 200, 200, 429]);
      await statuses(one, 5, from(HERE));
      if (how === 'frozen') door.thaw();
      else door = await startFreezable(Number(new URL(testServers().redisUrl).port), port);
      // What was on its way when Redis went may not have been counted; what comes from now on is.
      await until(async () => {
        await statuses(one, 1, from(HERE));
        return hears(10);
      });
      for (const gateway of [one, other, few]) await gateway.stop();
    },
  );
});
