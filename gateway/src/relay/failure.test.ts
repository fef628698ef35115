/** What happens when services go away, come back, and when the gateway itself is stopped. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { ApiError } from '@sevenfold/chassis/errors';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  Import,
  type ImportsServiceServer,
  ImportsServiceService,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { createBreaker } from './breaker';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import {
  type Deps,
  PASSWORD,
  basic,
  signedIn,
  signedInAsAdministrator,
  smallContent,
} from '../testing/small';
import { seo } from '../testing/small-seo';
import { ask, startRawServer } from '../testing/sockets';

const unchanged = Import.decode(new Uint8Array());
const STATISTICS = '/rest/seo/v1/statistics';
const MANY = 100;
/** After as many in a row nothing more is asked for a while. */
const MOST_FAILURES = 5;

describe('while the content service is away', () => {
  const startAll = async (settings: Record<string, unknown> = {}) => {
    const content = await startSmall(smallContent);
    const service = await startSmall(seo);
    const gateway = await startTestGateway({
      ...addresses('CONTENT', content),
      ...addresses('SEO', service),
      CREDENTIAL_SECONDS: 0.001,
      ...settings,
    });
    await until(() => content.deps.news.listenerCount('user') === 1);
    const client = speaker(gateway.url);
    // Its answer comes behind the first of the news on their one connection: from then on answers are remembered.
    await client.get(STATISTICS, basic('author', PASSWORD));
    return {
      content,
      client,
      ask: async (headers: Record<string, string> = signedIn) => {
        const { status, body } = await client.get(STATISTICS, headers);
        return [status, status === 200 ? body.for : body.code];
      },
      stop: async () => {
        await gateway.stop();
        await content.stop();
        await service.stop();
      },
    };
  };
  const down = [503, 'service_unavailable'];
  // Nobody came with it before.
  const unseen = signedInAsAdministrator;

  test('a credential that was right before still opens the other namespaces; others cannot be checked', async () => {
    const site = await startAll();
    try {
      expect(await site.ask()).toEqual([200, 'editor']);
      await site.content.stop();
      for (let turn = 0; turn < 3; turn++) expect(await site.ask()).toEqual([200, 'editor']);
      expect(await site.ask(unseen)).toEqual(down);
      expect(await site.ask(basic('editor', 'wrong'))).toEqual(down);
      expect(await site.ask(basic('author', PASSWORD))).toEqual(down);
    } finally {
      await site.stop();
    }
  });

  test('while more checks wait than may, whoever was right before goes on, and nobody is told of an outage', async () => {
    const site = await startAll();
    try {
      expect(await site.ask()).toEqual([200, 'editor']);
      const full = Promise.reject(new ApiError('service_busy', 503, 'Full.'));
      full.catch(() => undefined);
      site.content.deps.held = full;
      const before = site.content.deps.signIns;
      await until(async () => {
        expect(await site.ask()).toEqual([200, 'editor']);
        return site.content.deps.signIns - before > MOST_FAILURES;
      });
      expect(await site.ask(unseen)).toEqual([503, 'service_busy']);
      const { body } = await site.client.post(STATISTICS, {}, unseen);
      expect(body.data).toEqual({ status: 503, done: false });
    } finally {
      await site.stop();
    }
  });

  test('a user who changed shortly before is not known any more, others are', async () => {
    const site = await startAll();
    try {
      expect(await site.ask()).toEqual([200, 'editor']);
      site.content.deps.news.emit('user', 8);
      site.content.deps.news.emit('user', 7);
      await site.content.stop();
      await until(async () => (await site.ask())[0] === 503);
    } finally {
      await site.stop();
    }
  });

  test('news of a user end the moment for which a credential is not checked again', async () => {
    const site = await startAll({ CREDENTIAL_SECONDS: 60 });
    try {
      expect(await site.ask()).toEqual([200, 'editor']);
      const before = site.content.deps.signIns;
      site.content.deps.news.emit('user', 8);
      // News of anybody: asked again at once, although remembered for a minute.
      await until(async () => {
        expect(await site.ask()).toEqual([200, 'editor']);
        return site.content.deps.signIns > before;
      });
    } finally {
      await site.stop();
    }
  });

  test('nothing is kept where the variable says so', async () => {
    const site = await startAll({ CREDENTIAL_OUTAGE_SECONDS: 0 });
    try {
      expect(await site.ask()).toEqual([200, 'editor']);
      await site.content.stop();
      await until(async () => (await site.ask())[0] === 503);
    } finally {
      await site.stop();
    }
  });
});

test('a service that dies takes its own namespace down, and comes back', async () => {
  const content: RunningService<Deps> = await startSmall(smallContent);
  const service = await startSmall(seo);
  const ports = { http: service.httpPort, grpc: service.grpcPort };
  const gateway = await startTestGateway({ ...addresses('CONTENT', content), ...addresses('SEO', service) });
  const client = speaker(gateway.url);
  expect((await client.get(STATISTICS)).body).toEqual({ alive: true });
  const index = await until(async () => {
    const answer = await client.get('/rest/');
    return answer.body.name === 'A site' && answer;
  });
  await service.stop();

  for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
    for (let turn = 0; turn < 4; turn++) {
      const { status, headers, body } = await client.request(method, STATISTICS);
      expect([method, status, headers.get('retry-after')]).toEqual([method, 503, '2']);
      expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
      if (method !== 'HEAD')
        expect(body).toMatchObject({ code: 'service_unavailable', data: { status: 503, done: false } });
    }
  }
  expect((await client.get('/rest/core/v2/echo')).status).toBe(200);
  expect((await client.get('/rest/')).text).toBe(index.text);
  expect((await client.get('/openapi/seo/v1.json')).status).toBe(200);
  expect((await client.get('/readyz')).status).toBe(200);

  const again = await startSmall(seo, ports);
  await until(async () => (await client.get(STATISTICS)).status === 200);
  await gateway.stop();
  await Promise.all([content.stop(), again.stop()]);
});

test('without any service the gateway still answers, and learns of them when they start', async () => {
  const probe = await startSmall(seo);
  const ports = { http: probe.httpPort, grpc: probe.grpcPort };
  const where = addresses('SEO', probe);
  await probe.stop();
  const gateway = await startTestGateway(where);
  const client = speaker(gateway.url);
  expect((await client.get('/readyz')).status).toBe(200);
  expect((await client.get('/healthz')).text).toBe('ok\n');
  const { status, body } = await client.get('/rest/');
  expect([status, body.name, body.gmt_offset, body.timezone_string]).toEqual([200, '', 0, 'UTC']);
  const service = await startSmall(seo, ports);
  await until(async () => STATISTICS.slice(5) in (await client.get('/rest/seo/v1')).body.routes);
  await gateway.stop();
  await service.stop();
});

test('a service that hangs is not waited for again and again', async () => {
  let reached = 0;
  const server = await startRawServer(() => void (reached += 1));
  const gateway = await startTestGateway({ SEO_HTTP: server.url, REQUEST_TIMEOUT_SECONDS: 1 });
  const client = speaker(gateway.url);
  const first = await Promise.all(Array.from({ length: 6 }, () => client.get(STATISTICS)));
  expect(first.map(({ status }) => status)).toEqual([504, 504, 504, 504, 504, 504]);
  const before = reached;
  const later = await Promise.all(Array.from({ length: MANY }, () => client.get(STATISTICS)));
  const refused = later.filter(({ status }) => status === 503);
  for (const { body } of refused) expect(body.code).toBe('service_unavailable');
  // One a second may try whether it is back; of the others the service hears nothing.
  expect(reached - before).toBe(MANY - refused.length);
  expect(refused.length).toBeGreaterThan(MANY / 2);
  await gateway.stop();
  await server.stop();
});

test('a service that answers 503 to what costs it too much is not taken for away', async () => {
  const body = JSON.stringify({ code: 'rest_list_busy', message: 'x', data: { status: 503 } });
  let reached = 0;
  const server = await startRawServer(() => {
    reached += 1;
    return `HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const gateway = await startTestGateway({ SEO_HTTP: server.url });
  const client = speaker(gateway.url);
  for (let turn = 1; turn <= MANY; turn++) {
    const answer = await client.get(STATISTICS);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after'), reached]).toEqual([
      503,
      'rest_list_busy',
      '2',
      turn,
    ]);
  }
  await gateway.stop();
  await server.stop();
});

test('the breaker opens after failures in a row, tries one at a time and closes on success', () => {
  let now = 0;
  const breaker = createBreaker(() => now);
  for (let turn = 0; turn < 4; turn++) breaker.failed();
  breaker.succeeded();
  for (let turn = 0; turn < 4; turn++) breaker.failed();
  expect(breaker.mayPass()).toBe(true);
  breaker.failed();
  expect(breaker.mayPass()).toBe(false);
  now = 1_000;
  expect([breaker.mayPass(), breaker.mayPass()]).toEqual([true, false]);
  breaker.failed();
  now = 1_999;
  expect(breaker.mayPass()).toBe(false);
  now = 2_000;
  expect(breaker.mayPass()).toBe(true);
  breaker.succeeded();
  expect([breaker.mayPass(), breaker.mayPass()]).toEqual([true, true]);
});

test('a clock that is set back keeps no way shut', async () => {
  const { now } = Date;
  let back = 0;
  Date.now = () => now() - back;
  try {
    const breaker = createBreaker();
    for (let turn = 0; turn < MOST_FAILURES; turn++) breaker.failed();
    expect(breaker.mayPass()).toBe(false);
    back = 3_600_000;
    await until(() => breaker.mayPass());
  } finally {
    Date.now = now;
  }
});

describe('a stop', () => {
  test('ends what the console would follow without end', async () => {
    const content = await startSmall(smallContent);
    const imports = await startSmall({
      ...seo,
      name: 'imports',
      namespace: 'tribe/event-aggregator/v1',
      rpc: () => [
        only<ImportsServiceServer>(ImportsServiceService, {
          getImport: () => Promise.resolve({ import: unchanged, batches: [], faults: [] }),
          streamProgress: async function* (_, { signal }) {
            yield unchanged;
            await once(signal, 'abort');
          },
        }),
      ],
    });
    const gateway = await startTestGateway({
      ...addresses('CONTENT', content),
      ...addresses('IMPORTS', imports),
      SHUTDOWN_SECONDS: 60,
    });
    const progress = await fetch(`${gateway.url}/console/api/imports/a/progress`, {
      headers: { ...signedIn, Accept: 'text/event-stream' },
    });
    const reader = progress.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toMatch(/^event: progress\n/);
    const stopped = gateway.stop();
    expect((await reader.read()).done).toBe(true);
    await stopped;
    await Promise.all([content.stop(), imports.stop()]);
  });

  test('tells clients that keep their connections to open another one, whoever answers', async () => {
    const content: RunningService<Deps> = await startSmall(smallContent);
    const gateway = await startTestGateway(addresses('CONTENT', content));
    const agent = new http.Agent({ keepAlive: true });
    const running = ['GET', 'POST'].map((method) =>
      ask(`${gateway.url}/rest/core/v2/wait`, { method, agent }),
    );
    await until(() => content.deps.waiting === 2);
    const stopped = [gateway.stop(), content.stop()];
    content.deps.release();
    for (const answer of await Promise.all(running))
      expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await Promise.all(stopped);
    agent.destroy();
  });

  test('finishes what runs, takes nothing new, and does not wait for idle connections', async () => {
    const content: RunningService<Deps> = await startSmall(smallContent);
    // Longer than a test may take.
    const gateway = await startTestGateway({ ...addresses('CONTENT', content), SHUTDOWN_SECONDS: 600 });
    // fetch keeps its connection open.
    await speaker(gateway.url).get('/rest/');
    const reads = ask(`${gateway.url}/rest/core/v2/wait`, { method: 'GET' });
    const writes = ask(`${gateway.url}/rest/core/v2/wait`, { method: 'POST' });
    await until(() => content.deps.waiting === 2);
    const stopped = gateway.stop();
    await expect(
      new Promise((resolve, reject) =>
        net.connect(gateway.port, '127.0.0.1', () => resolve('open')).on('error', reject),
      ),
    ).rejects.toThrow('ECONNREFUSED');
    content.deps.release();
    expect((await reads).text).toBe('{"done":true}');
    expect((await writes).text).toBe('{"done":true}');
    await stopped;
    await content.stop();
  });
});
