/** One error on both sides of a hop, deadlines, and a server that is not there. */
import {
  DescribeServiceService,
  type DescribeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { once } from 'node:events';
import http2 from 'node:http2';
import { PassThrough } from 'node:stream';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import pino from 'pino';
import { type Actor, stranger } from '../actor';
import { ApiError, invalidParam } from '../errors';
import { anyone } from '../http/route';
import { freePort } from '../ports';
import type { Wait } from '../news/after';
import { forRequest, requestId } from '../request-id';
import { PATIENCE_MS } from '../testing/service';
import { until } from '../testing/until';
import { signCall } from './caller';
import { dial } from './dial';
import { isOutage } from './errors';
import { type GrpcServer, MOST_MESSAGE_BYTES, startGrpcServer } from './serve';
import { type RpcContext, rpcService } from './method';

const secret = 'test';
const lines = new PassThrough({ encoding: 'utf8' });
const log = pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, lines);
let behaviour: (context: RpcContext) => Promise<never>;
let server: GrpcServer;
let remote: ReturnType<typeof connect>;

const connect = (port: number, more: { caller?: string; actorSecret?: string } = {}) =>
  dial<DescribeServiceServer>(DescribeServiceService, {
    service: 'sample',
    address: `127.0.0.1:${port}`,
    caller: 'gateway',
    actorSecret: secret,
    deadlineMs: PATIENCE_MS,
    ...more,
  });

const serveOn = (port: number, after?: Wait): Promise<GrpcServer> =>
  startGrpcServer({
    after,
    host: '127.0.0.1',
    port,
    services: [
      rpcService<DescribeServiceServer>(DescribeServiceService, {
        describe: {
          callers: ['gateway'],
          permission: anyone,
          handle: (_request, context) => behaviour(context),
        },
      }),
    ],
    actorSecret: secret,
    log,
  });

beforeAll(async () => {
  server = await serveOn(0);
  remote = connect(server.port);
});
afterAll(async () => {
  remote.close();
  await server.stop(1000);
});

const fault = async (work: Promise<unknown>): Promise<ApiError> => {
  try {
    await work;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('nothing was thrown');
};

test('calls go to the service itself, whatever proxy the environment names for what goes out', async () => {
  const names = ['http_proxy', 'https_proxy', 'grpc_proxy', 'no_proxy', 'no_grpc_proxy'];
  const before = names.map((name) => [name, process.env[name]] as const);
  const proxy = `http://127.0.0.1:${await freePort()}`;
  for (const name of names)
    if (name.startsWith('no_')) delete process.env[name];
    else process.env[name] = proxy;
  const other = connect(server.port);
  behaviour = () => Promise.reject(new ApiError('was_asked', 400, 'Asked.'));
  try {
    expect((await fault(other.describe({}))).code).toBe('was_asked');
  } finally {
    other.close();
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test('an error that repeats a long question is told in short, and calls beside it come to their end', async () => {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  let begun = false;
  behaviour = async () => {
    begun = true;
    await held;
    throw new ApiError('term_exists', 400, 'Held.');
  };
  const beside = fault(remote.describe({}));
  await until(() => begun);
  behaviour = () =>
    Promise.reject(invalidParam('categories', `There is no such term: ${'"'.repeat(40_000)}`));
  const told = await fault(remote.describe({}, { deadlineMs: 5_000 }));
  expect([told.status, told.code]).toEqual([400, 'rest_invalid_param']);
  expect((told.data.params as Record<string, string>).categories).toMatch(/^There is no such term: "+…$/);
  go();
  expect((await beside).code).toBe('term_exists');
});

test('an error survives the hop', async () => {
  const thrown = new ApiError('term_exists', 400, 'Ähnlich schon da.', {
    data: { term_id: 5 },
    headers: { 'Retry-After': '3' },
  });
  behaviour = () => Promise.reject(thrown);
  const caught = await fault(remote.describe({}));
  expect(caught).toBeInstanceOf(ApiError);
  expect(caught.body()).toEqual(thrown.body());
  expect(caught.headers).toEqual(thrown.headers);
});

test.each([
  ['that is away is asked again', 'service_unavailable', status.UNAVAILABLE, 4],
  ['whose line is full is left alone', 'service_busy', status.RESOURCE_EXHAUSTED, 1],
])('a service %s', async (_which, code, told, times) => {
  let calls = 0;
  behaviour = () => {
    calls += 1;
    return Promise.reject(new ApiError(code, 503, 'Later.'));
  };
  const caught = await fault(remote.describe({}));
  expect([caught.status, caught.code, (caught.cause as ServiceError).code]).toEqual([503, code, told]);
  expect(calls).toBe(times);
});

test('a fault of ours says nothing of its cause', async () => {
  behaviour = () => Promise.reject(new Error('password=hunter2'));
  const caught = await fault(remote.describe({}));
  expect([caught.status, caught.code]).toEqual([500, 'internal_server_error']);
  expect(caught.message).not.toContain('hunter2');
});

test('an answer that is larger than a message is no outage: it does not become smaller by waiting', async () => {
  const answer = { namespace: '', routesJson: 'x'.repeat(MOST_MESSAGE_BYTES), openapiJson: '', digest: '' };
  behaviour = () => Promise.resolve(answer as never);
  const caught = await fault(remote.describe({}));
  expect([caught.status, isOutage(caught)]).toEqual([500, false]);
});

test.each([
  ['whose signature is wrong', { actorSecret: 'guessed' }, status.UNAUTHENTICATED],
  ['that the method does not serve', { caller: 'blog' }, status.PERMISSION_DENIED],
])('a service %s is refused, which its users meet as an outage', async (_who, as, code) => {
  behaviour = () => Promise.reject(new Error('it was let in'));
  const other = connect(server.port, as);
  try {
    const caught = await fault(other.describe({}));
    expect([caught.status, caught.code, caught.headers['Retry-After']]).toEqual([
      503,
      'service_unavailable',
      '5',
    ]);
    expect((caught.cause as ServiceError).code).toBe(code);
  } finally {
    other.close();
  }
});

test.each([
  ['by a caller without a signature', undefined, status.UNAUTHENTICATED],
  ['by a service that the method does not serve', 'blog', status.PERMISSION_DENIED],
])('a message that is begun %s is not waited for', async (_whom, caller, code) => {
  const { path } = DescribeServiceService.describe;
  const signed = new Metadata();
  if (caller) signCall(signed, { caller, method: path, deadlineMs: PATIENCE_MS }, secret);
  const session = http2.connect(`http://127.0.0.1:${server.port}`);
  try {
    const call = session.request({
      ...signed.toHttp2Headers(),
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    // Five bytes say how long it is; it never ends.
    const begin = Buffer.alloc(1024);
    begin.writeUInt32BE(MOST_MESSAGE_BYTES - 1, 1);
    call.write(begin);
    const [head] = (await once(call, 'response')) as [http2.IncomingHttpHeaders];
    expect(head['grpc-status']).toBe(String(code));
  } finally {
    session.destroy();
  }
});

test('the actor and the request id travel', async () => {
  const actor: Actor = { ...stranger, id: 4, name: 'Zoë', capabilities: new Set(['a', 'b']) };
  let seen: { actor: Actor; id: string } | undefined;
  behaviour = ({ actor }) => {
    seen = { actor, id: requestId() };
    return Promise.reject(new ApiError('done', 400, 'done'));
  };
  await fault(remote.describe({}, { actor, requestId: 'r-1' }));
  expect(seen).toEqual({ actor, id: 'r-1' });
});

test('a call that takes too long, and a server that is not there, are 503 with Retry-After', async () => {
  behaviour = () => new Promise(() => undefined);
  expect(await fault(remote.describe({}, { deadlineMs: 50 }))).toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  const nobody = connect(await freePort());
  expect(await fault(nobody.describe({}, { deadlineMs: 300 }))).toMatchObject({ status: 503 });
  nobody.close();
});

test('what a request comes after, the reads that are made for it come after, and wait for it', async () => {
  const told: string[] = [];
  let isHeard = false;
  const other = await serveOn(0, (text) => {
    told.push(text);
    return Promise.resolve().then(() => (isHeard = true));
  });
  const asking = connect(other.port);
  behaviour = () => Promise.reject(new ApiError(isHeard ? 'heard' : 'early', 400, 'done'));
  const asked = (): Promise<ApiError> => fault(asking.describe({}));
  expect((await forRequest('r-2', asked, { after: 'content=a,b' })).code).toBe('heard');
  await asked();
  expect(told).toEqual(['content=a,b', '']);
  asking.close();
  await other.stop(1000);
});

test('whoever gives up ends what is done for him; whoever was answered ends nothing', async () => {
  let asked: AbortSignal | undefined;
  behaviour = async ({ signal }) => {
    asked = signal;
    throw new ApiError('done', 400, 'done');
  };
  await fault(remote.describe({}));
  const answered = asked as AbortSignal | undefined;
  behaviour = async (context) => {
    asked = context.signal;
    await once(asked, 'abort');
    throw asked.reason;
  };
  // On a busy machine the time may be over before the call has come there.
  while (asked === answered) await fault(remote.describe({}, { deadlineMs: 200 }));
  await until(() => asked?.aborted);
  expect(asked?.reason).toMatchObject({ name: 'AbortError', message: 'the caller gave up' });
  expect(answered?.aborted).toBe(false);
});

test('a call of somebody who has gone already never reaches the other side', async () => {
  let calls = 0;
  behaviour = () => {
    calls += 1;
    return new Promise(() => undefined);
  };
  const gone = AbortSignal.abort();
  expect((await fault(remote.describe({}, { signal: gone, deadlineMs: 60_000 }))).code).toBe(
    'service_unavailable',
  );
  behaviour = () => Promise.reject(new ApiError('after', 400, 'After it.'));
  expect((await fault(remote.describe({}))).code).toBe('after');
  expect(calls).toBe(0);
});

test('what a caller cuts short is no error in the log', async () => {
  const calling = new AbortController();
  behaviour = ({ signal }) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('given up')));
      calling.abort();
    });
  lines.read();
  const line = once(lines, 'data');
  await fault(remote.describe({}, { signal: calling.signal }));
  expect(JSON.parse(String(await line))).toMatchObject({ level: 'debug', err: { message: 'given up' } });
});

test('a read finds a service that comes up late, however long it was away', async () => {
  behaviour = () => Promise.reject(new ApiError('it_runs', 400, 'It runs.'));
  const port = await freePort();
  const late = connect(port);
  let before = 0;
  // The longer nobody is there, the longer the pauses between attempts to connect would grow.
  while (before < 12) if ((await fault(late.describe({}))).status === 503) before += 1;
  const started = await serveOn(port);
  try {
    let missed = 0;
    while ((await fault(late.describe({}))).code !== 'it_runs') missed += 1;
    // Tries end just before the next attempt to connect, on a busy machine more than one; with pauses that grow for minutes all do.
    expect(missed).toBeLessThanOrEqual(10);
  } finally {
    late.close();
    await started.stop(1000);
  }
});
