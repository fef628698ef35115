/** What a gateway knows when it starts, and from when on it may be sent requests. */
import { randomBytes } from 'node:crypto';
import { services } from '@sevenfold/catalog/catalog';
import { anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { createLog } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { smallContent } from '../testing/small';

const small = (name: string, namespace: string): ServiceDefinition<object, ServiceConfig> => ({
  name,
  namespace,
  title: name,
  description: 'Stands in for a service.',
  open: () => ({}),
  resources: [
    {
      name: 'things',
      routes: [
        route({
          methods: ['GET'],
          path: '/things',
          summary: 'List',
          args: {},
          permission: anyone,
          handle: () => reply.plain([]),
        }),
      ],
    },
  ],
});

const running = new Map<string, RunningService<unknown>>();
const where: Record<string, string> = {};
const REDIS_PREFIX = `test-copies-${randomBytes(6).toString('hex')}`;
const settings = { REDIS_URL: testServers().redisUrl, REDIS_PREFIX, UNKNOWN_SERVICE_SECONDS: 600 };
const log = createLog('copies', 'test', 'silent');

beforeAll(async () => {
  for (const { name, namespace } of services) {
    const service = await startSmall<unknown>(
      (name === 'content' ? smallContent : small(name, namespace)) as ServiceDefinition<
        unknown,
        ServiceConfig
      >,
    );
    running.set(name, service);
    Object.assign(where, addresses(name.toUpperCase(), service));
  }
});
afterAll(async () => {
  for (const service of running.values()) await service.stop();
});

const readiness = async (gateway: RunningGateway): Promise<{ status: number; text: string }> => {
  const { status, text } = await speaker(gateway.url).get('/readyz');
  return { status, text };
};
const start = (more: Record<string, unknown> = {}): Promise<RunningGateway> =>
  startTestGateway({ ...where, ...settings, ...more });

/** The first gateway of the site hears every service. */
async function hearAll(): Promise<RunningGateway> {
  const gateway = await start();
  await until(async () => (await readiness(gateway)).status === 200);
  return gateway;
}

describe('while services are away', () => {
  beforeAll(async () => {
    const first = await hearAll();
    const redis = openRedis(settings.REDIS_URL, log);
    await until(async () => redis.isReady && (await redis.hLen(KEY)) === services.length + 1);
    // A Redis that forgets is told again while anybody runs.
    await redis.del(KEY);
    await until(async () => (await redis.hLen(KEY)) === services.length + 1);
    await closeRedis(redis);
    await first.stop();
    for (const name of ['forms', 'content']) await running.get(name)?.stop();
  });

  test('a gateway that starts is ready, lists their routes and the name of the site, and their requests are 503', async () => {
    const second = await start();
    await until(async () => (await readiness(second)).status === 200);
    const client = speaker(second.url);
    const { body } = await client.get('/rest/');
    expect(body.name).toBe('A site');
    expect(Object.keys(body.routes)).toEqual(
      expect.arrayContaining(['/contact-form/v1/things', '/core/v2/echo', '/seo/v1/things']),
    );
    const answer = await client.get('/rest/contact-form/v1/things');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect((await client.get('/rest/seo/v1/things')).status).toBe(200);
    expect((await client.get('/openapi/contact-form/v1.json')).status).toBe(200);
    await second.stop();
  });

  test.each([
    ['a site of another address', { SITE_URL: 'http://other.test' }],
    ['another prefix', { REDIS_PREFIX: `${REDIS_PREFIX}-other` }],
    ['no Redis', { REDIS_URL: '' }],
  ])('with %s it knows none of them: not ready, and says what is missing', async (_what, more) => {
    const gateway = await start(more);
    // Once it has heard of all others, which on a busy machine may take a second question.
    await until(async () =>
      /^not ready:\n(the routes of the (forms|content) service: .*\n){2}the settings of the site: .*\n$/.test(
        (await readiness(gateway)).text,
      ),
    );
    expect((await readiness(gateway)).status).toBe(503);
    await gateway.stop();
  });

  test('nobody waits for ever for what was never heard of: the others are served', async () => {
    const gateway = await start({ REDIS_URL: '', UNKNOWN_SERVICE_SECONDS: 1 });
    await until(async () => (await readiness(gateway)).status === 200);
    expect((await speaker(gateway.url).get('/rest/seo/v1/things')).status).toBe(200);
    await gateway.stop();
  });
});

const KEY = `${REDIS_PREFIX}:described:http://site.test`;
