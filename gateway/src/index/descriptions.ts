/**
 * What the services say about themselves and what the site is called: asked again and again in the background, kept
 * in memory, and as copies that outlive this process (copies.ts). The last good one outlives the service it came from.
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
import type { Copies } from './copies';
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
  /** What is known neither from its owner nor from a copy, in words. */
  unknown(): string[];
  /** Asks every service now. */
  refresh(): Promise<void>;
  /** Settings were written through this gateway: whoever reads an index afterwards sees them. */
  readonly settingsWritten: () => void;
  /** Undefined unless settings that were written are still being fetched: there is nothing to wait for. */
  current(): Promise<void> | undefined;
  stop(): Promise<void>;
}

const AGAIN_MS = 5_000;
/** A service that has never been seen is awaited more eagerly: it is about to start. */
const EAGER_MS = 500;
/** With the call itself a changed title or time zone is seen within a second. */
const SETTINGS_MS = 500;
const DEADLINE_MS = 2_000;

export interface DescriptionsOptions {
  readonly upstreams: Upstreams;
  readonly dial: Dial;
  readonly copies: Copies;
  readonly log: Log;
}

interface Spoken {
  readonly namespace: string;
  readonly routesJson: string;
  readonly openapiJson: string;
}

/** Names the copy of the settings; no namespace is called so. */
const SETTINGS = 'settings';

interface Known extends Description {
  /** The routes as they were told. */
  readonly text: string;
  /** By which the service knows that there is nothing new to tell; empty where it did not say. */
  readonly digest: string;
  readonly version: string;
}

const spokenOf = (namespace: string, { text, openapi }: Known): string =>
  JSON.stringify({ namespace, routesJson: text, openapiJson: openapi.toString() } satisfies Spoken);

export function watchDescriptions({ upstreams, dial, copies, log }: DescriptionsOptions): Descriptions {
  const known = new Map<string, Known>();
  let settings: { readonly value: Settings; readonly text: string } | undefined;
  let version = 0;

  const watch = (upstream: Upstream): Repeated => {
    const { service, namespace, grpcAddress: address } = upstream;
    const remote = dial<DescribeServiceServer>(DescribeServiceService, { service, address });
    const learn = ({ routesJson, openapiJson }: Spoken, digest = ''): void => {
      const before = known.get(namespace);
      const told = Buffer.from(openapiJson);
      // The same bytes stay the same buffer: whatever was made of them stays good.
      const openapi = before?.openapi.equals(told) ? before.openapi : told;
      if (before?.text === routesJson && before.openapi === openapi)
        return void known.set(namespace, { ...before, digest });
      const routes = JSON.parse(routesJson) as Record<string, RouteEntry>;
      version += 1;
      known.set(namespace, { text: routesJson, routes, openapi, digest, version: String(version) });
    };
    const ask = async (): Promise<void> => {
      const request = { known: known.get(namespace)?.digest || undefined };
      const answer = await remote.describe(request, { deadlineMs: DEADLINE_MS });
      if (answer.namespace !== namespace)
        throw new Error(`${address} answers for ${answer.namespace}, not for ${namespace}`);
      if (request.known === undefined || answer.digest !== request.known) learn(answer, answer.digest);
      const now = known.get(namespace) as Known;
      await copies.keep(namespace, now.version, () => spokenOf(namespace, now));
    };
    const recallOrThrow = async (fault: unknown): Promise<void> => {
      const copy = known.has(namespace) ? undefined : await copies.find(namespace);
      // What came meanwhile is newer.
      if (copy !== undefined && !known.has(namespace)) learn(JSON.parse(copy) as Spoken);
      throw fault;
    };
    return repeat({
      work: () => ask().catch(recallOrThrow),
      pauseMs: () => (known.has(namespace) ? AGAIN_MS : EAGER_MS),
      onTurn: reporter(log, `description of the ${service} service`),
      onStop: () => remote.close(),
    });
  };

  const watchSettings = (): Repeated => {
    const { service, grpcAddress: address } = upstreams.content;
    const remote = dial<SettingsServiceServer>(SettingsServiceService, { service, address });
    const learn = (text: string): void => {
      if (settings?.text === text) return;
      settings = { value: JSON.parse(text) as Settings, text };
      version += 1;
    };
    const ask = async (): Promise<void> => {
      const text = JSON.stringify(await remote.getSettings({}, { deadlineMs: DEADLINE_MS }));
      learn(text);
      await copies.keep(SETTINGS, text, () => text);
    };
    const recallOrThrow = async (fault: unknown): Promise<void> => {
      const copy = settings ? undefined : await copies.find(SETTINGS);
      if (copy !== undefined && !settings) learn(copy);
      throw fault;
    };
    return repeat({
      work: () => ask().catch(recallOrThrow),
      pauseMs: () => (settings ? SETTINGS_MS : EAGER_MS),
      onTurn: reporter(log, 'settings of the site'),
      onStop: () => remote.close(),
    });
  };

  const siteSettings = watchSettings();
  const all = [...upstreams.all.map(watch), siteSettings];
  let current: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    await Promise.all(all.map((one) => one.now()));
  };
  return {
    of: (namespace) => known.get(namespace),
    settings: () => settings?.value,
    version: () => version,
    asked: refresh(),
    unknown: () => [
      ...upstreams.all
        .filter(({ namespace }) => !known.has(namespace))
        .map(({ service }) => `the routes of the ${service} service`),
      ...(settings ? [] : ['the settings of the site']),
    ],
    refresh,
    settingsWritten: () => {
      // The turn that runs may have asked before the write.
      const fetched = siteSettings
        .now()
        .then(() => siteSettings.now())
        .then(() => {
          if (current === fetched) current = undefined;
        });
      current = fetched;
    },
    current: () => current,
    stop: async () => {
      await Promise.all(all.map((one) => one.stop()));
    },
  };
}

/**
 * One line when something begins to fail and one when it works again, not one for each try. Whom nobody has heard of yet
 * may be about to start: whether that takes too long is for readiness to say.
 */
function reporter(log: Log, what: string): (error?: Error) => void {
  let failing = false;
  let heard = false;
  return (error) => {
    const message = heard ? `cannot get the ${what}; trying on` : `the ${what} is not there yet; trying on`;
    if (error && !failing) log[heard ? 'warn' : 'info']({ err: error }, message);
    if (!error && failing) log.info(`got the ${what}`);
    failing = error !== undefined;
    heard ||= !failing;
  };
}
