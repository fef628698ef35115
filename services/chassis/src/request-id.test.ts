/** One request through everything it causes: its id is in each log line, row and message, and nobody passes it on by hand. */
import { randomBytes } from 'node:crypto';
import {
  DescribeServiceService,
  type DescribeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { type Actor, stranger } from './actor';
import { emit, enqueue } from './db/outbox';
import { openListener } from './db/listen';
import { dial } from './grpc/dial';
import { startGrpcServer } from './grpc/serve';
import { rpcService } from './grpc/method';
import { anyone } from './http/route';
import { createLog } from './log';
import { startConsumers } from './queue/events';
import { job } from './queue/jobs';
import { startWorkers } from './queue/workers';
import { closeRedis, openRedis } from './queue/redis';
import { startRelay } from './queue/relay';
import { requestId } from './request-id';
import { type SampleDeps, sampleService } from './testing/sample';
import { testServers } from './testing/servers';
import { PATIENCE_MS, TEST_ACTOR_SECRET, type TestService, startTestService } from './testing/service';
import { until } from './testing/until';

const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };
const TOPIC = 'sample.note.changed';
const lines: Record<string, unknown>[] = [];
const log = createLog('worker', 'test', 'debug', {
  write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});
const prefix = `test-request-${randomBytes(6).toString('hex')}`;
const closers: (() => Promise<void> | void)[] = [];
let site: TestService<SampleDeps>;

beforeAll(async () => {
  site = await startTestService(sampleService, { ROLE: 'api' });
  const { db } = site.deps;
  const redisUrl = testServers().redisUrl;
  const redis = openRedis(redisUrl, log);
  await until(() => redis.isReady);
  const listener = openListener({
    url: String(db.pool.options.connectionString),
    application: 'test',
    log,
  });
  const grpc = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [
      rpcService<DescribeServiceServer>(DescribeServiceService, {
        describe: {
          callers: ['sample'],
          permission: anyone,
          handle: () =>
            Promise.resolve({ namespace: requestId(), routesJson: '', openapiJson: '', digest: '' }),
        },
      }),
    ],
    actorSecret: TEST_ACTOR_SECRET,
    log,
  });
  const remote = dial<DescribeServiceServer>(DescribeServiceService, {
    service: 'sample',
    address: `127.0.0.1:${grpc.port}`,
    caller: 'sample',
    actorSecret: TEST_ACTOR_SECRET,
    deadlineMs: PATIENCE_MS,
  });
  const workers = startWorkers({
    jobs: [
      job<SampleDeps, { id: number }, string>({
        queue: 'sample.notes',
        name: 'apply-note',
        prepare: async () => (await remote.describe({})).namespace,
        handle: ({ tx, payload }, told) => emit(tx, TOPIC, { ...payload, told }),
      }),
    ],
    deps: site.deps,
    db,
    redis,
    prefix,
    log,
  });
  const consumers = startConsumers({
    group: 'reader',
    subscriptions: [
      {
        topic: TOPIC,
        handle: async ({ tx, payload }) => void (await enqueue(tx, 'sample.after', 'look-again', payload)),
      },
    ],
    deps: {},
    db,
    redisUrl,
    prefix,
    log,
  });
  const relay = startRelay({ db, listener, redis, prefix, log });
  closers.push(
    () => relay.stop(),
    () => consumers.stop(),
    () => workers.stop(),
    () => listener.stop(),
    () => remote.close(),
    () => grpc.stop(1_000),
    () => closeRedis(redis),
    () => site.stop(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

/** What a note with this id in its request leads to in the end. */
async function follow(id: string): Promise<{ requestId: string; told: string }> {
  const made = await site.as(editor).post('/notes', { text: 'x' }, { 'X-Request-Id': id });
  expect(made.status).toBe(201);
  return until(() =>
    site.deps.db.first<{ requestId: string; told: string }>(
      `select request_id as "requestId", payload->>'told' as told from outbox
       where name = 'look-again' and (payload->>'id')::int = $1`,
      [(made.body as { id: number }).id],
    ),
  );
}

const told = (id: string): unknown[] =>
  lines
    .filter((line) => line.requestId === id && line.level === 'info')
    .map(({ msg, rpc, job: name, topic }) => [msg, rpc ?? name ?? topic]);

test('a request is followed through a job, a call, a domain event and what that leads to', async () => {
  const id = `test-${randomBytes(4).toString('hex')}`;
  expect(await follow(id)).toEqual({ requestId: id, told: id });
  await until(() => told(id).length === 3);
  // Whoever takes the event in may be done before the job has said so.
  expect(told(id).sort()).toEqual([
    ['call', '/sevenfold.chassis.v1.DescribeService/Describe'],
    ['domain event', TOPIC],
    ['job', 'apply-note'],
  ]);
  expect(requestId()).toBe('');
});

test('what a stranger calls an id and is none is replaced by one of ours', async () => {
  const { requestId: id } = await follow('a "sick" one');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  // What the next test looks at begins after its last line.
  await until(() => told(id).length === 3);
});

test('what nobody asked for is told of to those who look closer', async () => {
  const { db } = site.deps;
  const before = lines.length;
  await enqueue(db, 'sample.notes', 'apply-note', { id: 0 });
  await until(() => lines.slice(before).some(({ msg }) => msg === 'domain event'));
  expect(lines.slice(before).filter(({ level }) => level !== 'debug')).toEqual([]);
});
