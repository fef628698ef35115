/** Who was right lately goes on, whatever others guess: at one gateway, and at others that hear of it through Redis. */
import { randomBytes } from 'node:crypto';
import { createLog } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { type Deps, EDITOR_MAIL, PASSWORD, basic, signedIn, smallContent } from '../testing/small';
import { inMinutesOfTheirOwn } from './testing';

inMinutesOfTheirOwn();

const HERE = '203.0.113.9';
const ELSEWHERE = '198.51.100.1';

let content: RunningService<Deps>;
beforeAll(async () => {
  content = await startSmall(smallContent);
});
beforeEach(() => {
  content.deps.revoked = false;
});

const start = (settings: object = {}): Promise<RunningGateway> =>
  startTestGateway({
    ...addresses('CONTENT', content),
    TOKEN_KEYS: 'a secret of tests that signs tokens',
    TRUST_PROXY: true,
    RATE_LIMIT_ATTEMPTS: 3,
    RATE_LIMIT_LOG_INS: 3,
    ...settings,
  });
const logIn = async (
  gateway: RunningGateway,
  address: string,
  username = 'editor',
  password = PASSWORD,
): Promise<number> => {
  const headers = { 'X-Forwarded-For': address };
  const sent = { username, password };
  return (await speaker(gateway.url).post('/console/api/sessions', sent, headers)).status;
};
const ask = async (gateway: RunningGateway, credential: object = signedIn): Promise<number> => {
  const headers = { 'X-Forwarded-For': HERE, ...credential };
  return (await speaker(gateway.url).get('/rest/core/v2/echo', headers)).status;
};
/** Log-ins with names that nobody has, until no more are let in. */
async function guess(gateway: RunningGateway, address = HERE): Promise<void> {
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push(await logIn(gateway, address, `nobody ${address} ${n}`));
  expect(statuses).toEqual([401, 401, 401, 429]);
}

describe('whoever logged in lately', () => {
  test('is not refused for names that others guess at his address, or in his network', async () => {
    const gateway = await start();
    expect(await logIn(gateway, HERE)).toBe(200);
    await guess(gateway);
    expect(await logIn(gateway, HERE)).toBe(200);
    expect(await logIn(gateway, HERE, EDITOR_MAIL)).toBe(200);
    for (let n = 10; n < 19; n++) await guess(gateway, `203.0.113.${n}`);
    expect(await logIn(gateway, '203.0.113.20', 'nobody')).toBe(429);
    expect(await logIn(gateway, HERE)).toBe(200);
    await gateway.stop();
  });

  test('is counted there by himself: his neighbours cannot guess without end for his account', async () => {
    const gateway = await start();
    expect(await logIn(gateway, HERE)).toBe(200);
    expect(await logIn(gateway, ELSEWHERE)).toBe(200);
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push(await logIn(gateway, HERE, 'editor', `wrong ${n}`));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await logIn(gateway, ELSEWHERE)).toBe(200);
    // They took nothing of what the address has for others.
    await guess(gateway);
    await gateway.stop();
  });
});

describe('at another gateway', () => {
  let door: Freezable;
  let shared: { REDIS_URL: string; REDIS_PREFIX: string };
  let one: RunningGateway;
  let other: RunningGateway;
  beforeEach(async () => {
    const url = new URL(testServers().redisUrl);
    door = await startFreezable(Number(url.port));
    url.port = String(door.port);
    shared = { REDIS_URL: url.href, REDIS_PREFIX: `test-right-${randomBytes(6).toString('hex')}` };
    one = await start(shared);
    other = await start(shared);
  });
  afterEach(async () => {
    await one.stop();
    await other.stop();
    await door.stop();
  });

  /** What is told there, by its names. */
  async function marks(): Promise<string[]> {
    const redis = openRedis(testServers().redisUrl, createLog('gateway', 'api', 'silent'));
    await until(() => redis.isReady);
    const names = await redis.keys(`${shared.REDIS_PREFIX}:right:*`);
    await closeRedis(redis);
    return names;
  }
  const untilRight = (gateway: RunningGateway, how: (gateway: RunningGateway) => Promise<number>) =>
    until(async () => (await how(gateway)) === 200);
  const logInHere = (gateway: RunningGateway): Promise<number> => logIn(gateway, HERE);

  test('whoever logged in lately goes on, from where he did', async () => {
    await untilRight(one, logInHere);
    await until(async () => (await marks()).length === 1);
    await guess(other);
    await guess(other, ELSEWHERE);
    await untilRight(other, logInHere);
    expect(await logIn(other, ELSEWHERE)).toBe(429);
  });

  test('so does an application password, also at one that starts later; of either a keyed hash alone is told', async () => {
    await untilRight(one, ask);
    await untilRight(one, logInHere);
    await until(async () => (await marks()).length === 2);
    for (const name of await marks()) expect(name).toMatch(/^test-right-\w+:right:[\w-]{43}$/);
    const late = await start(shared);
    for (const gateway of [other, late]) {
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push(await ask(gateway, basic('editor', `wrong ${n}`)));
      expect(statuses.at(-1)).toBe(429);
      await untilRight(gateway, ask);
      expect(await ask(gateway, basic('editor', 'wrong'))).toBe(429);
    }
    await late.stop();
  });

  test('a credential that is right no longer is told of no more', async () => {
    await untilRight(one, ask);
    await until(async () => (await marks()).length === 1);
    content.deps.revoked = true;
    await guess(other);
    await until(async () => (await ask(other)) === 401);
    await until(async () => (await marks()).length === 0);
    expect(await ask(other)).toBe(429);
  });

  test('who is not known there is refused while Redis is frozen or away, and waits for neither', async () => {
    await untilRight(one, logInHere);
    await until(async () => (await marks()).length === 1);
    await guess(other);
    door.freeze();
    expect(await logIn(other, HERE)).toBe(429);
    expect(await logIn(one, HERE)).toBe(200);
    door.thaw();
    await untilRight(other, logInHere);
    await door.stop();
    const late = await start(shared);
    await guess(late);
    expect(await logIn(late, HERE)).toBe(429);
    await late.stop();
  });
});
