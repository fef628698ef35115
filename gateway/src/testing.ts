/** What the gateway's tests stand on: real services on free ports, and a gateway whose others are wherever the test says, or nowhere. */
import { startService } from '@sevenfold/chassis/service';
import type { RunningService, ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { TEST_ACTOR_SECRET, TEST_SITE_URL, defaultsOf } from '@sevenfold/chassis/testing/service';
import { type Config, variables } from './config';
import { type RunningGateway, startGateway } from './gateway';
import { NO_LIMITS } from './limits/testing';

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
export function stoppedOnce<S extends { stop(): Promise<unknown> }>(started: S): S {
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
