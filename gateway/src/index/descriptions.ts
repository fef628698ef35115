/**
 * What the services say about themselves and what the site is called: asked again and again in the background, kept
 * in memory. The last good copy outlives the service it came from.
 */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import type { RouteEntry } from '@sevenfold/chassis/http/describe';
import type { Log } from '@sevenfold/chassis/log';
import {
  type DescribeServiceServer,
  DescribeServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { type Repeated, repeat } from './repeat';
import type { Upstream, Upstreams } from '../relay/upstreams';

export interface Description {
  readonly routes: Readonly<Record<string, RouteEntry>>;
  readonly openapi: Buffer;
}

export interface Descriptions {
  /** Undefined until the service was reached for the first time. */
  of(namespace: string): Description | undefined;
  settings(): Settings | undefined;
  /** Counts up with each change of anything above. */
  version(): number;
  /** Resolves when every service was asked once, whether it answered or not. */
  readonly asked: Promise<void>;
  /** Asks every service now. */
  refresh(): Promise<void>;
  /** Settings were written through this gateway: whoever reads an index afterwards sees them. */
  readonly settingsWritten: () => void;
  /** Resolves at once, unless settings that were written are still being fetched. */
  current(): Promise<void>;
  stop(): Promise<void>;
}

const AGAIN_MS = 5_000;
/** A service that has never been seen is awaited more eagerly: it is about to start. */
const EAGER_MS = 500;
/** How old a changed title or time zone may be seen. */
const SETTINGS_MS = 1_000;
const DEADLINE_MS = 2_000;

export interface DescriptionsOptions {
  readonly upstreams: Upstreams;
  readonly dial: Dial;
  readonly log: Log;
}

export function watchDescriptions({ upstreams, dial, log }: DescriptionsOptions): Descriptions {
  const known = new Map<string, Description & { readonly text: string }>();
  let settings: { readonly value: Settings; readonly text: string } | undefined;
  let version = 0;

  const watch = (upstream: Upstream): Repeated => {
    const { service, namespace, grpcAddress: address } = upstream;
    const remote = dial<DescribeServiceServer>(DescribeServiceService, { service, address });
    const ask = async (): Promise<void> => {
      const answer = await remote.describe({}, { deadlineMs: DEADLINE_MS });
      const before = known.get(namespace);
      if (before?.text === answer.routesJson && before.openapi.equals(Buffer.from(answer.openapiJson)))
        return;
      if (answer.namespace !== namespace)
        throw new Error(`${address} answers for ${answer.namespace}, not for ${namespace}`);
      known.set(namespace, {
        text: answer.routesJson,
        routes: JSON.parse(answer.routesJson) as Record<string, RouteEntry>,
        openapi: Buffer.from(answer.openapiJson),
      });
      version += 1;
    };
    return repeat({
      work: ask,
      pauseMs: () => (known.has(namespace) ? AGAIN_MS : EAGER_MS),
      onTurn: reporter(log, `description of the ${service} service`),
      onStop: () => remote.close(),
    });
  };

  const watchSettings = (): Repeated => {
    const { service, grpcAddress: address } = upstreams.content;
    const remote = dial<SettingsServiceServer>(SettingsServiceService, { service, address });
    const ask = async (): Promise<void> => {
      const value = await remote.getSettings({}, { deadlineMs: DEADLINE_MS });
      const text = JSON.stringify(value);
      if (settings?.text === text) return;
      settings = { value, text };
      version += 1;
    };
    return repeat({
      work: ask,
      pauseMs: () => (settings ? SETTINGS_MS : EAGER_MS),
      onTurn: reporter(log, 'settings of the site'),
      onStop: () => remote.close(),
    });
  };

  const siteSettings = watchSettings();
  const all = [...upstreams.all.map(watch), siteSettings];
  let current: Promise<void> = Promise.resolve();
  const refresh = async (): Promise<void> => {
    await Promise.all(all.map((one) => one.now()));
  };
  return {
    of: (namespace) => known.get(namespace),
    settings: () => settings?.value,
    version: () => version,
    asked: refresh(),
    refresh,
    settingsWritten: () => {
      // The turn that runs may have asked before the write.
      current = siteSettings.now().then(() => siteSettings.now());
    },
    current: () => current,
    stop: async () => {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

/** One line when something begins to fail and one when it works again, not one for each try. */
function reporter(log: Log, what: string): (error?: Error) => void {
  let failing = false;
  return (error) => {
    if (error && !failing) log.warn({ err: error }, `cannot get the ${what}; trying on`);
    if (!error && failing) log.info(`got the ${what}`);
    failing = error !== undefined;
  };
}
