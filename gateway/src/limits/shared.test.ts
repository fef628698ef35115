/** Several gateways count together, through Redis, and each by itself while that is away. */
import { randomBytes } from 'node:crypto';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall } from '../testing';
import { type Deps, basic, smallContent } from '../testing/small';
import { inMinutesOfTheirOwn } from './testing';
import { ECHO, HERE, from, startBehindProxy, statuses } from './testing/asked';

inMinutesOfTheirOwn();

let where: Record<string, string>;
beforeAll(async () => {
  const content: RunningService<Deps> = await startSmall(smallContent);
  where = { ...addresses('CONTENT', content), CONTENT_GRPC: `127.0.0.1:${content.grpcPort}` };
});

const start = (settings: object = {}): Promise<RunningGateway> => startBehindProxy(where, settings);

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
