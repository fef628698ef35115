/**
 * The whole site in one process: every service on a database of its own, and the gateway in front of them. For tests
 * that look at what only all of it together shows.
 */
import type { Variables } from '@sevenfold/chassis/config';
import type { ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service';
import {
  type Speaker,
  type TestService,
  TEST_ACTOR_SECRET,
  TEST_SITE_URL,
  speaker,
  startTestService,
} from '@sevenfold/chassis/testing/service';
import { variables as calendarVariables } from '@sevenfold/calendar/config';
import { calendarService } from '@sevenfold/calendar/service';
import { contentService } from '@sevenfold/content/service';
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { variables as formsVariables } from '@sevenfold/forms/config';
import { formsService } from '@sevenfold/forms/service';
import { type Config as GatewayConfig, variables as gatewayVariables } from '@sevenfold/gateway/config';
import { startGateway } from '@sevenfold/gateway/gateway';
import { variables as importsVariables } from '@sevenfold/imports/config';
import { importsService } from '@sevenfold/imports/service';
import { variables as oembedVariables } from '@sevenfold/oembed/config';
import { oembedService } from '@sevenfold/oembed/service';
import { variables as seoVariables } from '@sevenfold/seo/config';
import { seoService } from '@sevenfold/seo/service';
import { variables as spamfilterVariables } from '@sevenfold/spamfilter/config';
import { spamfilterService } from '@sevenfold/spamfilter/service';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes services with handlers of different kinds
type AnyService = ServiceDefinition<any, any>;

/** Besides content, which the others ask for users and terms. */
const others: readonly { readonly definition: AnyService; readonly variables: Variables }[] = [
  { definition: calendarService, variables: calendarVariables },
  { definition: importsService, variables: importsVariables },
  { definition: formsService, variables: formsVariables },
  { definition: spamfilterService, variables: spamfilterVariables },
  { definition: seoService, variables: seoVariables },
  { definition: oembedService, variables: oembedVariables },
];

/** Every service of the site, for tests of what they declare. */
export const services: readonly AnyService[] = [contentService, ...others.map((row) => row.definition)];

export interface Site {
  /** Address of the gateway. */
  readonly url: string;
  /** Speaks to the gateway as nobody. */
  readonly client: Speaker;
  readonly content: ContentSite;
  readonly service: (name: string) => TestService<unknown>;
  stop(): Promise<void>;
}

export async function startSite(settings: Partial<GatewayConfig> = {}): Promise<Site> {
  const content = await startContent();
  const running = new Map<string, TestService<unknown>>([['content', content]]);
  for (const { definition, variables } of others) {
    // A service hears of those that were started before it.
    const config = { ...defaultsOf(variables), ...addressesOf(running), ...common } as Partial<ServiceConfig>;
    running.set(definition.name, await startTestService(definition, { ...config }));
  }
  const gateway = await startGateway({
    ...defaultsOf(gatewayVariables),
    ...addressesOf(running),
    ...common,
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    SHUTDOWN_SECONDS: 5,
    ...settings,
  } as GatewayConfig);
  await gateway.ready;
  return {
    url: gateway.url,
    client: speaker(gateway.url),
    content,
    service: (name) => running.get(name) as TestService<unknown>,
    stop: async () => {
      await gateway.stop();
      for (const service of [...running.values()].reverse()) await service.stop();
    },
  };
}

const common = {
  HTTP_HOST: '127.0.0.1',
  HTTP_PORT: 0,
  GRPC_PORT: 0,
  SITE_URL: TEST_SITE_URL,
  ROLE: 'api',
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
