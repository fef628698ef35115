/**
 * What the gateway keeps for each service of the catalog: connections, the proxy for
 * writes and the breaker. All of one upstream's ways share the same address and the same patience.
 */
import http from 'node:http';
import { type ServiceName, services } from '@sevenfold/catalog/catalog';
import type { Dial, Target } from '@sevenfold/chassis/grpc/dial';
import { type Pulse, followPulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import { mendEnds } from '@sevenfold/chassis/http/undici-ends';
import { smallReads } from '@sevenfold/chassis/small-reads';
import { Pool } from 'undici';
import type { Breaker } from './breaker';
import type { Config } from '../config';
import { tellWays } from './metrics';
import { type Proxy, createProxy } from './proxy';
import { type Way, HEAD_BYTES, inRoom, openWay } from './ways';

interface Row {
  readonly service: string;
  readonly namespace: string;
  readonly variable: Uppercase<ServiceName>;
}

/** In the order in which the site index lists the namespaces. */
export const table: readonly Row[] = services.map(({ name, namespace }) => ({
  service: name,
  namespace,
  variable: name.toUpperCase() as Uppercase<ServiceName>,
}));

export interface Upstream {
  readonly service: string;
  readonly namespace: string;
  readonly grpcAddress: string;
  readonly timeoutMs: number;
  /** For each kind of what comes over HTTP. */
  readonly ways: Readonly<Record<HttpKind, Way>>;
  /** For what the gateway asks of it over gRPC to make an answer itself. */
  readonly calls: Way;
  /** That of reads. */
  readonly breaker: Breaker;
  /** Whether the service answers at all. */
  readonly pulse: Pulse;
  /** For reads. */
  readonly pool: Pool;
  /** For everything else. */
  readonly proxies: Readonly<Record<Exclude<HttpKind, 'reads'>, Proxy>>;
}

export type HttpKind = 'reads' | 'writes' | 'uploads';

export interface Upstreams {
  readonly all: readonly Upstream[];
  readonly content: Upstream;
  /**
   * The content service again, for what lies below `/uploads/`: with connections and a breaker of its own, so that big
   * files with slow readers take nothing from the interface.
   */
  readonly files: Upstream;
  /** Checks of credentials. */
  readonly signIn: Way;
  /** Imports that are followed. */
  readonly streams: Way;
  /** By the path below `/rest/`, without a leading slash; the longest prefix wins. */
  find(path: string): Upstream | undefined;
  close(): Promise<void>;
}

// Ours end first, so that none is used while it is being closed: before those that a service keeps (75 s), and before one that is
// leaving, with no request on it, is closed (LEAVE_SECONDS).
const IDLE_MS = 4_000;
// Longer than a resolver waits before it asks again for a name whose packet was lost (5 s, twice). That a service is away is
// known sooner, by its pulse.
const CONNECT_MS = 12_000;
/** What the second way to content is called where both are told of. */
const FILES = 'files';

export function openUpstreams(config: Config, dial: Dial, log: Log): Upstreams {
  mendEnds();
  const timeoutMs = config.REQUEST_TIMEOUT_SECONDS * 1000;
  const agent = new http.Agent({
    keepAlive: true,
    keepAliveMsecs: 30_000,
    maxFreeSockets: 256,
    scheduling: 'lifo',
    timeout: IDLE_MS,
  });
  const follow = ({ service, variable }: Row): Pulse =>
    followPulse({ dial, service, address: config[`${variable}_GRPC`], log });
  const open = ({ service, namespace, variable }: Row, pulse: Pulse, name: string): Upstream => {
    const origin = config[`${variable}_HTTP`];
    const ways = {
      reads: openWay(name, 'reads', config.READS_AT_ONCE, pulse, timeoutMs),
      writes: openWay(name, 'writes', config.WRITES_AT_ONCE, pulse, timeoutMs),
      uploads: openWay(name, 'uploads', config.UPLOADS_AT_ONCE, pulse, timeoutMs),
    };
    const proxyOn = (way: Way): Proxy =>
      createProxy({ service, origin: new URL(origin), agent, timeoutMs, way });
    return {
      service,
      namespace,
      grpcAddress: config[`${variable}_GRPC`],
      timeoutMs,
      ways,
      calls: openWay(name, 'calls', config.READS_AT_ONCE, pulse, timeoutMs),
      breaker: ways.reads.breaker,
      pulse,
      pool: openPool(origin, config.READS_AT_ONCE, timeoutMs),
      proxies: { writes: proxyOn(ways.writes), uploads: proxyOn(ways.uploads) },
    };
  };
  const all = table.map((row) => open(row, follow(row), row.service));
  const content = all.find(({ service }) => service === 'content') as Upstream;
  const files = open(table.find(({ service }) => service === 'content') as Row, content.pulse, FILES);
  const imports = all.find(({ service }) => service === 'imports') as Upstream;
  const signIn = openWay('content', 'sign-in', config.SIGN_INS_AT_ONCE, content.pulse, timeoutMs);
  const streams = openWay('imports', 'streams', config.STREAMS_AT_ONCE, imports.pulse, timeoutMs);
  const stopTelling = tellWays([
    ...[...all, files].flatMap(({ ways }) => Object.values(ways)),
    ...all.map(({ calls }) => calls),
    signIn,
    streams,
  ]);
  const byLength = [...all].sort((a, b) => b.namespace.length - a.namespace.length);
  return {
    all,
    content,
    files,
    signIn,
    streams,
    find: (path) =>
      byLength.find(
        ({ namespace }) =>
          path.startsWith(namespace) && (path.length === namespace.length || path[namespace.length] === '/'),
      ),
    close: async () => {
      stopTelling();
      agent.destroy();
      const pools = [...all, files].map(({ pool }) => pool);
      await Promise.all([...pools.map((pool) => pool.destroy()), ...all.map(({ pulse }) => pulse.stop())]);
    },
  };
}

/** For calls to a service of which the gateway knows whether it answers, and of which only so many run at once. */
export function targetOf({ all }: Upstreams, service: ServiceName): Target {
  const { grpcAddress: address, pulse, calls } = all.find((one) => one.service === service) as Upstream;
  return { service, address, pulse, room: (call, signal) => inRoom(calls, call, signal) };
}

/** The content service, with the room that checks of credentials have. */
export function signInTargetOf({ content, signIn }: Upstreams): Target {
  const { grpcAddress: address, pulse } = content;
  return { service: 'content', address, pulse, room: (call, signal) => inRoom(signIn, call, signal) };
}

const openPool = (origin: string, connections: number, timeoutMs: number): Pool =>
  new Pool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    // Whatever the service offers.
    keepAliveMaxTimeout: IDLE_MS,
    connectTimeout: CONNECT_MS,
    connect: { onread: smallReads },
    headersTimeout: 0,
    bodyTimeout: timeoutMs,
    maxHeaderSize: HEAD_BYTES,
  });
