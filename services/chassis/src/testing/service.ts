/**
 * A running service for one test file: own database, own Redis prefix, free ports, real HTTP. `as(actor)` speaks for a
 * user the way the gateway would, with a signed header.
 */
import { randomBytes } from 'node:crypto';
import type { ServiceDefinition as GrpcDefinition } from '@grpc/grpc-js';
import { ACTOR_HEADER, type Actor, isLoggedIn, signActor, stranger } from '../actor';
import type { Variables } from '../config';
import { type Remote, dial } from '../grpc/dial';
import { startService } from '../service';
import type { RunningService, ServiceConfig, ServiceDefinition } from '../service-definition';
import { type Exchanged, conformityOf } from './conformity';
import { createTestDatabase } from './database';
import { testServers } from './servers';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into bodies of every shape
  readonly body: any;
  readonly text: string;
}

export interface Speaker {
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
  request(
    method: string,
    path: string,
    init?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer>;
}

export interface TestService<D> {
  readonly service: RunningService<D>;
  readonly deps: D;
  readonly url: string;
  /** Paths are below `/rest/<namespace>`. */
  as(actor?: Actor): Speaker;
  /** Speaks gRPC to it as another service does; whoever asks for it closes it. */
  dial<S>(definition: GrpcDefinition, caller: string): Remote<S>;
  stop(): Promise<void>;
}

export const TEST_ACTOR_SECRET = 'test-actor-secret';
export const TEST_SITE_URL = 'http://site.test';
/** A busy machine takes seconds over what takes milliseconds, and how long a call may take is what few tests are about. */
export const PATIENCE_MS = 60_000;

/** What a process is given of which its environment says nothing. */
export const defaultsOf = (variables: Variables): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])),
  );

export async function startTestService<D, C extends ServiceConfig>(
  definition: ServiceDefinition<D, C>,
  config: Partial<C> & Record<string, unknown>,
  variables: Variables = {},
): Promise<TestService<D>> {
  const database = definition.migrations ? await createTestDatabase(definition.migrations) : undefined;
  const service = await startService(definition, {
    ...defaultsOf(variables),
    ROLE: 'api',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: 0,
    GRPC_PORT: 0,
    SITE_URL: TEST_SITE_URL,
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    SHUTDOWN_SECONDS: 5,
    DATABASE_URL: database?.url,
    DATABASE_POOL: 0,
    REDIS_URL: testServers().redisUrl,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    ...config,
  } as unknown as C).catch(async (error: unknown) => {
    await database?.drop();
    throw error;
  });
  await service.ready.catch(async (error: unknown) => {
    await service.stop();
    await database?.drop();
    throw error;
  });
  const base = `${service.url}/rest/${definition.namespace}`;
  return {
    service,
    deps: service.deps,
    url: service.url,
    as: (actor = stranger) =>
      speaker(
        base,
        isLoggedIn(actor) ? { [ACTOR_HEADER]: signActor(actor, TEST_ACTOR_SECRET) } : {},
        conformityOf(definition),
      ),
    dial: (rpc, caller) =>
      dial(rpc, {
        service: definition.name,
        address: `127.0.0.1:${service.grpcPort}`,
        caller,
        actorSecret: TEST_ACTOR_SECRET,
        deadlineMs: PATIENCE_MS,
      }),
    stop: async () => {
      await service.stop();
      await database?.drop();
    },
  };
}

/** Talks JSON to any base address; also used against a gateway. Each answer is shown to `inspect`, which may throw. */
export function speaker(
  base: string,
  own: Record<string, string> = {},
  inspect?: (exchanged: Exchanged) => void,
): Speaker {
  const request: Speaker['request'] = async (method, path, init = {}) => {
    const headers: Record<string, string> = { ...own, ...init.headers };
    let body: RequestInit['body'];
    if (init.body !== undefined) {
      if (
        typeof init.body === 'string' ||
        init.body instanceof Uint8Array ||
        init.body instanceof FormData ||
        init.body instanceof URLSearchParams
      )
        body = init.body as never;
      else {
        body = JSON.stringify(init.body);
        headers['Content-Type'] ??= 'application/json';
      }
    }
    const response = await fetch(`${base}${path}`, { method, headers, body, redirect: 'manual' });
    const text = await response.text();
    inspect?.({ method, path, sent: headers, status: response.status, headers: response.headers, text });
    let parsed: unknown = text;
    if (response.headers.get('content-type')?.includes('json') && text !== '') parsed = JSON.parse(text);
    return { status: response.status, headers: response.headers, body: parsed, text };
  };
  return {
    request,
    get: (path, headers) => request('GET', path, { headers }),
    post: (path, body, headers) => request('POST', path, { body, headers }),
    put: (path, body, headers) => request('PUT', path, { body, headers }),
    patch: (path, body, headers) => request('PATCH', path, { body, headers }),
    delete: (path, headers) => request('DELETE', path, { headers }),
  };
}
