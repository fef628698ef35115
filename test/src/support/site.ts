/**
 * The whole site in one process: every service on a database of its own, and the gateway in front of them. For tests
 * that look at what only all of it together shows.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Variables } from '@sevenfold/chassis/config';
import type { ServiceConfig } from '@sevenfold/chassis/service-definition';
import {
  type Speaker,
  type TestService,
  TEST_ACTOR_SECRET,
  TEST_SITE_URL,
  speaker,
  startTestService,
} from '@sevenfold/chassis/testing/service';
import { type Exchanged, conformityOf } from '@sevenfold/chassis/testing/conformity';
import { until } from '@sevenfold/chassis/testing/until';
import { freePort } from '@sevenfold/chassis/ports';
import * as catalog from '@sevenfold/catalog/catalog';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { consoleDescription } from '@sevenfold/gateway/console/document';
import { CONSOLE_API } from '@sevenfold/gateway/console/resources';
import { type Config as GatewayConfig, variables as gatewayVariables } from '@sevenfold/gateway/config';
import { type RunningGateway, startGateway } from '@sevenfold/gateway/gateway';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { declared } from './declared';

export interface Site {
  /** Address of the gateway. */
  readonly url: string;
  /** Speaks to the gateway as nobody. */
  readonly client: Speaker;
  readonly content: ContentSite;
  readonly service: (name: string) => TestService<unknown>;
  /** Headers by which the gateway knows a user. */
  readonly signIn: (actor: Actor) => Promise<Record<string, string>>;
  /** Another gateway before the same services, with settings of its own. */
  readonly gateway: (settings: Partial<GatewayConfig>) => Promise<RunningGateway>;
  stop(): Promise<void>;
}

/** `settings` are the gateway's; `services` those of the others, by name. */
export async function startSite(
  settings: Partial<GatewayConfig> = {},
  services: Readonly<Record<string, object>> = {},
): Promise<Site> {
  const running = new Map<string, TestService<unknown>>();
  // Services call each other in circles, so where each answers is settled before the first is started.
  const ports = new Map<string, number>();
  for (const { name } of catalog.services) ports.set(name, await freePort());
  const remote = Object.fromEntries(
    [...ports].map(([name, port]) => [`${name.toUpperCase()}_GRPC`, `127.0.0.1:${port}`]),
  );
  const content = await startContent({
    COMMENT_SPAM_CHECK: true,
    // A comment that a busy machine does not have judged in time is held: only of a filter that is away may that be seen.
    SPAMFILTER_DEADLINE_MS: 10_000,
    ...remote,
    GRPC_PORT: ports.get('content'),
    ...services.content,
  });
  running.set('content', content);
  for (const { row, definition, variables } of declared) {
    const { name } = row;
    if (running.has(name)) continue;
    const own = { ...common, GRPC_PORT: ports.get(name), ...services[name] };
    const config = { ...defaultsOf(variables), ...remote, ...own } as Partial<ServiceConfig>;
    running.set(name, await startTestService(definition, { ...config }));
  }
  const gatewayWith = (more: Partial<GatewayConfig>): Promise<RunningGateway> =>
    startGateway({
      ...defaultsOf(gatewayVariables),
      ...addressesOf(running),
      ...common,
      ACTOR_SECRET: TEST_ACTOR_SECRET,
      SHUTDOWN_SECONDS: 5,
      ...NO_LIMITS,
      ...more,
    } as GatewayConfig);
  const gateway = await gatewayWith(settings);
  // Asked is not answered: on a busy machine the first answers may come too late.
  await until(async () => (await fetch(`${gateway.url}/readyz`)).ok);
  return {
    url: gateway.url,
    client: speaker(gateway.url, {}, inspect),
    content,
    gateway: gatewayWith,
    signIn: (actor) => signIn(content, actor),
    service: (name) => running.get(name) as TestService<unknown>,
    stop: async () => {
      await gateway.stop();
      for (const service of [...running.values()].reverse()) await service.stop();
    },
  };
}

/** Headers by which a gateway before this service knows a user of it. */
export async function signIn(content: ContentSite, actor: Actor): Promise<Record<string, string>> {
  const identity = content.dial<IdentityServiceServer>(IdentityServiceService, 'gateway');
  try {
    const { secret } = await identity.createApplicationPassword(
      { userId: 0, name: 'test' },
      { actor, deadlineMs: 30_000 },
    );
    return { Authorization: `Basic ${Buffer.from(`${actor.username}:${secret}`).toString('base64')}` };
  } finally {
    identity.close();
  }
}

/** What comes through the gateway is as the service says that it answers. */
function inspect(exchanged: Exchanged): void {
  const { path } = exchanged;
  if (path.startsWith(`${CONSOLE_API}/`))
    return conformityOf(consoleDescription)({ ...exchanged, path: path.slice(CONSOLE_API.length) });
  const owner = declared.find(({ row }) => path.startsWith(`/rest/${row.namespace}/`));
  if (!owner) return;
  const { definition, row } = owner;
  conformityOf(definition)({ ...exchanged, path: path.slice(`/rest/${row.namespace}`.length) });
}

const common = {
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: 0,
  GRPC_PORT: 0,
  SITE_URL: TEST_SITE_URL,
  ROLE: 'api',
  SPAM_KEY_SECRETS: 'the secret of the tests',
  TOKEN_KEYS: 'the secret of the tests that signs tokens',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
} as const;

const defaultsOf = (variables: Variables): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, row]) =>
      row.default === undefined ? [] : [[name, row.default]],
    ),
  );

const addressesOf = (running: ReadonlyMap<string, TestService<unknown>>): Record<string, string> =>
  Object.fromEntries(
    [...running].flatMap(([name, { service }]) => [
      [`${name.toUpperCase()}_HTTP`, service.url],
      [`${name.toUpperCase()}_GRPC`, `127.0.0.1:${service.grpcPort}`],
    ]),
  );
