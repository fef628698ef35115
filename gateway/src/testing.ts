/**
 * What the gateway's tests stand on: a small real service that answers for `core/v2`, with sign-in and settings over
 * gRPC, and a gateway whose other services are wherever the test says, or nowhere.
 */
import { EventEmitter, on } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { ServiceDefinition as GrpcDefinition } from '@grpc/grpc-js';
import { isLoggedIn } from '@sevenfold/chassis/actor';
import { ApiError, deny } from '@sevenfold/chassis/errors';
import type { Implementation, RpcService } from '@sevenfold/chassis/grpc/serve';
import { WRITE, anyone, reply, route } from '@sevenfold/chassis/http/route';
import {
  type RunningService,
  type ServiceConfig,
  type ServiceDefinition,
  startService,
} from '@sevenfold/chassis/service';
import { TEST_ACTOR_SECRET, TEST_SITE_URL, defaultsOf } from '@sevenfold/chassis/testing/service';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { type Config, variables } from './config';
import { type RunningGateway, startGateway } from './gateway';
import { NO_LIMITS } from './limits/testing';

/** The one user the small content service knows. */
export const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 6789';
export const basic = (username: string, password: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
export const signedIn = basic('editor', PASSWORD);

export interface Deps {
  /** How often the service was asked to check a credential. */
  signIns: number;
  /** A check of a credential does not end before this. */
  held: Promise<void> | undefined;
  /** How often a route ran. */
  runs: number;
  title: string;
  timezone: string;
  gmtOffset: number;
  /** Requests to `/wait` answer when this is called. */
  release: () => void;
  readonly released: Promise<void>;
  /** Emits `user` with an id for those who follow the news of users. */
  readonly news: EventEmitter;
  /** How many requests to `/wait` have come, and how many of their callers have gone. */
  waiting: number;
  gone: number;
}

function makeDeps(): Deps {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    signIns: 0,
    held: undefined,
    runs: 0,
    title: 'A site',
    timezone: 'America/New_York',
    gmtOffset: -5,
    release,
    released,
    news: new EventEmitter(),
    waiting: 0,
    gone: 0,
  };
}

/** Of a remote service, the methods that the gateway calls. */
export function only<S>(definition: GrpcDefinition, handles: Partial<Handles<S>>): RpcService {
  const missing = (): Promise<never> => Promise.reject(notBuilt());
  const all = { ...Object.fromEntries(Object.keys(definition).map((name) => [name, missing])), ...handles };
  return {
    definition,
    methods: Object.fromEntries(
      Object.entries(all).map(([name, handle]) => [
        name,
        { callers: ['gateway'], permission: anyone, handle: handle as typeof missing },
      ]),
    ),
  };
}

type Handles<S> = {
  [K in keyof Implementation<S>]: Implementation<S>[K] extends { handle: infer H } ? H : never;
};

const notBuilt = (): ApiError => new ApiError('not_implemented', 501, 'Not here.');

const text = { type: 'string', description: 'A text.' } as const;

export const smallContent: ServiceDefinition<Deps, ServiceConfig> = {
  name: 'content',
  namespace: 'core/v2',
  title: 'Small content',
  description: 'Stands in for the content service.',
  open: makeDeps,
  resources: [
    {
      name: 'echo',
      routes: [
        route({
          methods: ['GET'],
          path: '/echo',
          summary: 'Tell what came in',
          args: { text },
          permission: anyone,
          handle: ({ args, actor, request }) =>
            reply.plain({
              method: request.raw.method,
              path: request.raw.url,
              args,
              user: actor.username,
              headers: request.headers,
            }),
        }),
        route({
          methods: [...WRITE, 'DELETE'],
          path: '/echo',
          summary: 'Tell what came in',
          args: { text },
          permission: anyone,
          handle: ({ deps, args, actor, request }) => {
            deps.runs += 1;
            const { method, url } = request.raw;
            return reply.plain(
              {
                method,
                path: url,
                args,
                body: request.body,
                kind: request.bodyKind,
                user: actor.username,
                headers: request.headers,
              },
              method === 'POST' ? 201 : 200,
              {
                Location: `${TEST_SITE_URL}/rest/core/v2/echo/1`,
                'X-Sevenfold-Inside': 'secret',
              },
            );
          },
        }),
        route({
          methods: ['GET'],
          path: '/things',
          summary: 'A page of a list',
          args: { page: { type: 'integer', default: 1, description: 'Page.' } },
          permission: anyone,
          handle: () => reply.list([{ id: 1 }, { id: 2 }], 25, { 'X-Total-Relation': 'gte' }),
        }),
        route({
          methods: ['GET'],
          path: '/closed',
          summary: 'Only for users',
          args: {},
          permission: ({ actor }) => (isLoggedIn(actor) ? undefined : deny('rest_forbidden', 'Sign in.')),
          handle: ({ actor }) => reply.plain({ user: actor.username, capabilities: [...actor.capabilities] }),
        }),
        route({
          methods: ['GET'],
          path: '/big',
          summary: 'Eight megabytes',
          args: {},
          permission: anyone,
          handle: () => reply.text(Buffer.alloc(8 * 1024 * 1024, 'x'), 'text/plain'),
        }),
        route({
          methods: ['GET', 'POST'],
          path: '/wait',
          summary: 'Answers when the test says so',
          args: {},
          permission: anyone,
          handle: async ({ deps, request }) => {
            deps.waiting += 1;
            request.signal.addEventListener('abort', () => (deps.gone += 1));
            await deps.released;
            return reply.plain({ done: true });
          },
        }),
        route({
          methods: [...WRITE],
          path: '/settings',
          summary: 'Names the site',
          args: { title: { type: 'string', default: '', description: 'Name.' } },
          permission: anyone,
          handle: ({ deps, args }: { deps: Deps; args: { title: string } }) => {
            deps.title = args.title;
            return reply.plain(args);
          },
        }),
        route({
          methods: ['POST'],
          path: '/media',
          summary: 'Counts what is uploaded',
          args: {},
          permission: anyone,
          body: 'stream',
          handle: async ({ request }) => {
            let size = 0;
            for await (const chunk of request.raw as AsyncIterable<Buffer>) size += chunk.length;
            return reply.plain({ size }, 201);
          },
        }),
      ],
    },
  ],
  rpc: (deps) => [
    only<IdentityServiceServer>(IdentityServiceService, {
      authenticate: async ({ username, applicationPassword }) => {
        deps.signIns += 1;
        await deps.held;
        if (username !== 'editor' || applicationPassword !== PASSWORD)
          return { ok: false, user: undefined, credentialId: '' };
        const user = {
          id: 7,
          username,
          name: 'Édith',
          email: 'e@example.org',
          url: '',
          slug: username,
          roles: ['editor'],
          capabilities: ['edit_posts', 'publish_pages', 'manage_imports'],
          description: '',
          link: '',
          published: true,
          version: '',
        };
        return { ok: true, user, credentialId: '1' };
      },
      streamIdentityNews: async function* (_, { signal, stopping }) {
        const news = on(deps.news, 'user', { signal: AbortSignal.any([signal, stopping]) });
        yield { userId: 0, number: 0 };
        try {
          for await (const [userId] of news as AsyncIterable<[number]>) yield { userId, number: 0 };
        } catch (error) {
          if ((error as Error).name !== 'AbortError') throw error;
        }
      },
    }),
    only<SettingsServiceServer>(SettingsServiceService, {
      getSettings: async () => ({
        title: deps.title,
        description: 'All of it',
        url: TEST_SITE_URL,
        email: '',
        timezone: deps.timezone,
        dateFormat: '',
        timeFormat: '',
        startOfWeek: 1,
        language: '',
        defaultCategory: 1,
        postsPerPage: 10,
        defaultCommentStatus: '',
        defaultPingStatus: '',
        gmtOffset: deps.gmtOffset,
        useSmilies: true,
      }),
    }),
  ],
  mount: (app) => {
    app.get('/uploads/cat.txt', (request, response) => {
      response.set({ 'Content-Type': 'text/plain', 'Accept-Ranges': 'bytes' });
      if (request.headers.range === 'bytes=0-2')
        response.status(206).set('Content-Range', 'bytes 0-2/6').end('cat');
      else response.end('catcat');
    });
  },
};

/** A service with one route and nothing behind it. */
export const seo: ServiceDefinition<object, ServiceConfig> = {
  name: 'seo',
  namespace: 'seo/v1',
  title: 'Small SEO',
  description: 'Stands in for the SEO service.',
  open: () => ({}),
  resources: [
    {
      name: 'statistics',
      routes: [
        route({
          methods: ['GET', 'POST'],
          path: '/statistics',
          summary: 'Something',
          args: {},
          permission: anyone,
          handle: ({ actor }) =>
            reply.plain(isLoggedIn(actor) ? { alive: true, for: actor.username } : { alive: true }),
        }),
      ],
    },
  ],
};

/** Any service, on free or given ports. */
export async function startSmall<D>(
  definition: ServiceDefinition<D, ServiceConfig>,
  ports: { http?: number; grpc?: number } = {},
): Promise<RunningService<D>> {
  const service = await startService(definition, {
    ROLE: 'api',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: ports.http ?? 0,
    GRPC_PORT: ports.grpc ?? 0,
    SITE_URL: TEST_SITE_URL,
    GRPC_TLS_CERT: '',
    GRPC_TLS_KEY: '',
    GRPC_TLS_CA: '',
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    LEAVE_SECONDS: 0,
    SHUTDOWN_SECONDS: 2,
  });
  await service.ready;
  return stoppedOnce(service);
}

/** What a test has started and not stopped, the newest first. */
const running = new Set<() => Promise<unknown>>();
// What a failed test leaves open would keep the process that runs the tests from ending.
afterAll(async () => {
  for (const stop of [...running].reverse()) await stop();
});

/** The same, stopped at the end of the file where the test itself does not come to that. */
function stoppedOnce<S extends { stop(): Promise<unknown> }>(started: S): S {
  let stopped: Promise<unknown> | undefined;
  const stop = (): Promise<unknown> => {
    running.delete(stop);
    return (stopped ??= started.stop());
  };
  running.add(stop);
  return { ...started, stop };
}

/** Nobody listens on port 1. */
const NOWHERE = Object.fromEntries(
  Object.keys(variables)
    .filter((name) => /_(HTTP|GRPC)$/.test(name))
    .map((name) => [name, name.endsWith('_HTTP') ? 'http://127.0.0.1:1' : '127.0.0.1:1']),
);

export const addresses = (
  name: string,
  service: { readonly url: string; readonly grpcPort: number },
): Record<string, string> => ({
  [`${name}_HTTP`]: service.url,
  [`${name}_GRPC`]: `127.0.0.1:${service.grpcPort}`,
});

export async function startTestGateway(settings: Record<string, unknown>): Promise<RunningGateway> {
  const gateway = await startGateway({
    ...defaultsOf(variables),
    ...NOWHERE,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: 0,
    SITE_URL: TEST_SITE_URL,
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    SHUTDOWN_SECONDS: 5,
    // Most tests have some of the services only.
    UNKNOWN_SERVICE_SECONDS: 0,
    ...NO_LIMITS,
    ...settings,
  } as unknown as Config);
  await gateway.ready;
  return stoppedOnce(gateway);
}

/** Sends bytes as they are and gives back all that comes until the other side closes. */
export function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A server that answers each connection with these bytes and closes it. */
export async function startRawServer(
  answer: (request: string, connection: number) => string | undefined,
): Promise<{ url: string; connections(): number; stop(): Promise<void> }> {
  let connections = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    connections += 1;
    const number = connections;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const bytes = answer(chunk.toString(), number);
      if (bytes !== undefined) socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return stoppedOnce({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  });
}

/** A request whose method, headers and body fetch would not send. */
export function ask(
  url: string,
  options: http.RequestOptions,
  body?: string | Buffer,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString(),
          bytes,
        });
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
