/**
 * The one way up and down for every service. A definition says what the service is; this file brings it up in the
 * right order (health first, then database, dependencies, gRPC, HTTP, workers) and takes it down in the reverse one:
 * stop accepting, drain, close. A service waits for its database instead of dying, and says so in log and readiness.
 */
import { type Response, Router } from 'express';
import { Histogram } from 'prom-client';
import {
  type ConfigOf,
  type Variables,
  ConfigError,
  databaseVariables,
  readConfig,
  type redisVariables,
  type TracingConfig,
  serviceVariables,
} from './config';
import { type Listener, openListener } from './db/listen';
import { openDatabase } from './db/pool';
import { prepareDatabase } from './db/prepare';
import { type Standby, openStandby } from './db/replica';
import { type Apart, type Connections, type Role, apartOf, shareOut } from './db/shares';
import type { Database } from './db/sql';
import { type CodeTable, internalError, unavailable } from './errors';
import { describeService } from './grpc/describe';
import { type Dial, dialer } from './grpc/dial';
import { pulseService } from './grpc/pulse';
import { readService } from './grpc/read';
import { type GrpcServer, type RpcService, startGrpcServer } from './grpc/serve';
import type { Resource } from './http/route';
import { type RequestHandler, serve } from './http/road';
import type { EmbedLoaders } from './http/send';
import { type ReadyMemory, openReadyMemory } from './http/ready';
import { type AnswerMemory, type HeardNews, OWN, openAnswerMemory } from './http/remembered';
import { startHttpServer } from './http/server';
import { type Log, createLog } from './log';
import { type NewsDesk, openNewsDesk } from './news/desk';
import { newsService } from './news/rpc';
import { beginStart } from './outages';
import type { Relay } from './queue/relay';
import type { Work } from './queue/work';
import { type Workload, hasWork } from './queue/workload';
import { readGrpcTls, readRedisCa } from './tls';
import { leave, stopInTime, stopOnSignal, within } from './stop';
import { openTracing } from './tracing/open';

export type ServiceConfig = Omit<ConfigOf<typeof serviceVariables>, keyof TracingConfig> &
  TracingConfig &
  Partial<ConfigOf<typeof databaseVariables>> &
  Partial<ConfigOf<typeof redisVariables>>;

export interface Base<C> {
  readonly config: C;
  readonly log: Log;
  /** Only for services with migrations. */
  readonly db: Database;
  /** Hears of commits; only for services with migrations. */
  readonly listener: Listener;
  /** Connections that the service declares apart; only for services with migrations. */
  readonly apart: Apart;
  /** `<SITE_URL>/rest` */
  readonly root: string;
  /** Opens calls to another service, signed with the name of this one. */
  readonly dial: Dial;
}

export interface ServiceDefinition<D, C extends ServiceConfig = ServiceConfig> extends Workload<D> {
  readonly name: string;
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<D>[];
  /** Error codes of its own, from its errors.ts; those of a single resource stand with it. */
  readonly codes?: CodeTable;
  readonly embeds?: EmbedLoaders<D>;
  /** Folder of the numbered SQL files; a service without one has no database. */
  readonly migrations?: string;
  /** How many connections to it a process opens at most. */
  readonly connections?: Connections;
  /** Makes what handlers need: stores, clients, caches. */
  readonly open: (base: Base<C>) => D | Promise<D>;
  readonly close?: (deps: D) => void | Promise<void>;
  readonly rpc?: (deps: D) => readonly RpcService[];
  /** Ids of the news heard last of other services that answers show something of; empty where that is not known. */
  readonly heard?: (deps: D) => Readonly<Record<string, string>>;
  /** News of those, for answers that are remembered; what shows something of others is not. */
  readonly otherNews?: (deps: D) => Readonly<Record<string, HeardNews>>;
  /** Once, after the migrations and before the first request of an api process. */
  readonly prepare?: (deps: D, base: Base<C>) => Promise<void>;
  /** Routes outside `/rest`, such as files. */
  readonly mount?: (router: Router, deps: D) => void;
}

export interface RunningService<D> {
  readonly url: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly deps: D;
  readonly db: Database;
  readonly relay?: Relay;
  /** What is answered over gRPC, once it is. */
  readonly rpc: readonly RpcService[];
  /** Resolves when everything is up; rejects when the service was stopped before. */
  readonly ready: Promise<void>;
  /** Takes little longer than LEAVE_SECONDS and SHUTDOWN_SECONDS at most; what hangs then is left to the end of the process. */
  stop(): Promise<void>;
}

const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Longest time of a statement where somebody waits for its answer. */
const READING_MS = 15_000;

export async function startService<D, C extends ServiceConfig>(
  definition: ServiceDefinition<D, C>,
  config: C,
): Promise<RunningService<D>> {
  const log = createLog(definition.name, config.ROLE, config.LOG_LEVEL);
  const stopTracing = openTracing(config, { service: definition.name, role: config.ROLE }, log);
  const shares = shareOut(definition.connections, config.ROLE as Role, config.DATABASE_POOL);
  const tls = readGrpcTls(config);
  const redisCa = readRedisCa(config);
  const isApi = config.ROLE !== 'worker';
  const isWorker = config.ROLE !== 'api' && hasWork(definition);
  const root = `${config.SITE_URL}/rest`;

  const missing = new Set<string>(['starting']);
  let handler: RequestHandler | undefined;
  let mounted: Router | undefined;
  let stopping = false;
  const running: {
    deps?: D;
    db?: Database;
    listener?: Listener;
    standby?: Standby;
    grpc?: GrpcServer;
    rpc?: readonly RpcService[];
    work?: Work;
  } = {};

  const http = await startHttpServer({
    host: config.HTTP_HOST,
    port: config.HTTP_PORT,
    log,
    notReady: () => notReady(missing, running.db),
    configure: (app) => {
      app.use((request, response, next) => (mounted ? mounted(request, response, next) : next()));
      app.use((request, response) => {
        if (handler)
          return void handler(request, response).catch((error: Error) => cannotAnswer(error, response, log));
        const fault = unavailable(`The ${definition.name} service`, 2);
        response.status(fault.status).set(fault.headers).json(fault.body());
      });
    },
  });

  const bringUp = async (): Promise<void> => {
    let db: Database | undefined;
    const url = config.DATABASE_URL as string;
    const application = `${definition.name}-${config.ROLE}`;
    if (definition.migrations) {
      db = openDatabase({
        url,
        size: shares.usual,
        application,
        log,
        statementTimeoutMs: isApi ? READING_MS : 120_000,
      });
      running.db = db;
      await prepareDatabase({
        db,
        name: definition.name,
        migrations: definition.migrations,
        directUrl: directUrlOf(config),
        instanceId: config.INSTANCE_ID,
        log,
        missing,
        stopped: () => stopping,
      });
    }
    const dial = dialer({ caller: definition.name, actorSecret: config.ACTOR_SECRET, tls });
    const listener = db && openListener({ url: directUrlOf(config), application, log });
    running.listener = listener;
    const replica = config.DATABASE_REPLICA_URL;
    const standby =
      db && listener && replica && isApi
        ? openStandby({ url: replica, application, db, listener, log })
        : undefined;
    if (db) standby?.accompany(db, { size: shares.usual, application, statementTimeoutMs: READING_MS });
    running.standby = standby;
    const base: Base<C> = {
      config,
      log,
      db: db as Database,
      listener: listener as Listener,
      apart: (db && apartOf({ url, application, log, db, shares, standby })) as Apart,
      root,
      dial,
    };
    const deps = await definition.open(base);
    running.deps = deps;
    if (isApi) {
      await definition.prepare?.(deps, base);
      if (definition.mount) definition.mount((mounted = Router()), deps);
      const desk: NewsDesk | undefined = db && listener && openNewsDesk(listener, db);
      const services = [
        describeService(definition, root),
        pulseService(),
        readService({ url: http.url, namespace: definition.namespace, actorSecret: config.ACTOR_SECRET }),
        ...(desk ? [newsService(desk)] : []),
        ...(definition.rpc?.(deps) ?? []),
      ];
      const heard = desk && ((): string => heardOf(desk.heard(), definition.heard?.(deps)));
      running.rpc = services;
      running.grpc = await startGrpcServer({
        host: config.HTTP_HOST,
        port: config.GRPC_PORT,
        services,
        actorSecret: config.ACTOR_SECRET,
        tls,
        heard,
        log,
      });
      handler = serve({
        namespace: definition.namespace,
        resources: definition.resources,
        embeds: definition.embeds,
        ready: readyMemory(listener),
        heard,
        answers: desk && answerMemory(desk, listener as Listener, definition.otherNews?.(deps)),
        deps,
        forRead: standby && ((): D => standby.forRead(deps as D & object)),
        log,
        siteUrl: config.SITE_URL,
        actorSecret: config.ACTOR_SECRET,
        observe: (method, route, status, seconds) =>
          requestSeconds.observe({ method, route, status: String(status) }, seconds),
      });
    }
    if (isWorker && db && listener) {
      // A process that only answers never loads what the queues stand on: half of all modules.
      const { startWork } = await import('@sevenfold/chassis/queue/work');
      running.work = startWork({
        name: definition.name,
        workload: definition,
        deps,
        db,
        listener,
        redisUrl: config.REDIS_URL as string,
        redisCa,
        prefix: config.REDIS_PREFIX as string,
        instanceId: config.INSTANCE_ID,
        log,
        onForeign: (error) => {
          missing.add(error.message);
          log.fatal(error.message);
        },
      });
    }
    missing.delete('starting');
    log.info({ http: http.port, grpc: running.grpc?.port }, 'ready');
  };

  const ready = bringUp();
  ready.catch((error: unknown) => {
    missing.add(`failed to start: ${(error as Error).message}`);
    if (!stopping) log.fatal({ err: error as Error }, 'the service could not start');
  });

  let stopped: Promise<void> | undefined;
  const takeDown = async (): Promise<void> => {
    stopping = true;
    missing.add('stopping');
    if (handler) await leave(config.LEAVE_SECONDS, http);
    const grace = config.SHUTDOWN_SECONDS * 1000;
    const httpStopped = http.stop(grace);
    await stopInTime(grace, log, [
      // A start that is under way goes on to open things: only what has come up can be taken down.
      ['the start', () => ready.catch(() => undefined)],
      [
        'requests and jobs',
        () =>
          Promise.all([
            httpStopped,
            running.grpc?.stop(grace),
            running.work && within(grace, running.work.stop()),
          ]),
      ],
      ['Redis', () => running.work?.disconnect()],
      ['what the service opened', () => running.deps !== undefined && definition.close?.(running.deps)],
      ['the replica', () => running.standby?.close()],
      ['the listener', () => running.listener?.stop()],
      ['the database', () => running.db?.close().catch(() => undefined)],
      ['traces', stopTracing],
    ]);
  };

  return {
    get url() {
      return http.url;
    },
    httpPort: http.port,
    get grpcPort() {
      return running.grpc?.port ?? 0;
    },
    get deps() {
      return running.deps as D;
    },
    get db() {
      return running.db as Database;
    },
    get relay() {
      return running.work?.relay;
    },
    get rpc() {
      return running.rpc ?? [];
    },
    ready,
    stop: () => (stopped ??= takeDown()),
  };
}

/** Empty unless all of them are known. */
function heardOf(own: string, others: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries(others);
  if (own === '' || all.some(([, id]) => id === '')) return '';
  return [own, ...all.map(([service, id]) => `${service}=${id}`)].join(' ');
}

/** After a lost connection it may be another server that counts its transactions anew. */
function readyMemory(listener: Listener | undefined): ReadyMemory {
  const memory = openReadyMemory();
  const clear = (): void => memory.clear();
  listener?.hear({ channels: [], onMessage: clear, onLost: clear });
  return memory;
}

const answerMemory = (
  { record }: NewsDesk,
  { caughtUp }: Listener,
  others: Readonly<Record<string, HeardNews>> = {},
): AnswerMemory =>
  openAnswerMemory(new Map([[OWN, { record, isSure: () => true, caughtUp }], ...Object.entries(others)]));

/** An answer that cannot be written, such as one with a header that HTTP forbids, ends with its own request. */
function cannotAnswer(error: Error, response: Response, log: Log): void {
  log.error({ err: error }, 'an answer could not be sent');
  if (response.headersSent) return void response.destroy();
  const fault = internalError();
  response.status(fault.status).json(fault.body());
}

async function notReady(missing: ReadonlySet<string>, db: Database | undefined): Promise<string[]> {
  const reasons = [...missing];
  if (reasons.length === 0 && db) {
    try {
      await db.first('select 1');
    } catch (error) {
      reasons.push(`database: ${(error as Error).message}`);
    }
  }
  return reasons;
}

/** Past a pooler: to listen and to migrate takes a session of one's own. */
export const directUrlOf = (config: Pick<ServiceConfig, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string =>
  config.DATABASE_DIRECT_URL || (config.DATABASE_URL as string);

/** All that ROLE=migrate reads: whoever prepares databases is to know nothing else of a site. */
const migrationVariables = {
  ROLE: serviceVariables.ROLE,
  LOG_LEVEL: serviceVariables.LOG_LEVEL,
  ...databaseVariables,
};

/** Prepares the database for this version and ends: safe beside processes of the version before, and twice at once. */
async function migrateService(
  { name, migrations }: Pick<ServiceDefinition<never>, 'name' | 'migrations'>,
  env: Record<string, string | undefined>,
): Promise<void> {
  if (!migrations) return;
  const config = readConfig(migrationVariables, env);
  const log = createLog(name, config.ROLE, config.LOG_LEVEL);
  const directUrl = directUrlOf(config);
  const db = openDatabase({ url: directUrl, size: 1, application: `${name}-migrate`, log });
  try {
    await prepareDatabase({ db, name, migrations, directUrl, instanceId: config.INSTANCE_ID, log });
  } finally {
    await db.close();
  }
  log.info('the database is ready');
}

/** Entry of a service's main.ts: reads the environment, starts, and stops on SIGTERM, SIGINT or when the parent is gone. */
export async function runService<D, const V extends Variables>(
  definition: ServiceDefinition<D, ConfigOf<V> & ServiceConfig>,
  variables: V,
  env: Record<string, string | undefined>,
): Promise<void> {
  let service: RunningService<D>;
  beginStart();
  try {
    if (env.ROLE === 'migrate') return await migrateService(definition, env);
    const config = readConfig(variables, env) as ConfigOf<V> & ServiceConfig;
    service = await startService(definition, config);
  } catch (error) {
    console.error(`${definition.name}: ${(error as Error).message}`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
  stopOnSignal(() => service.stop());
  await service.ready.catch(() => process.exit(1));
}
