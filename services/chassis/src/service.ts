/**
 * The one way up and down for every service. A definition (service-definition.ts) says what the service is; this file brings it up in the
 * right order (health first, then database, dependencies, gRPC, HTTP, workers) and takes it down in the reverse one:
 * stop accepting, drain, close. A service waits for its database instead of dying, and says so in log and readiness.
 */
import { type Response, Router } from 'express';
import { Histogram } from 'prom-client';
import { watchAnswers } from './db/answers';
import { connectionWaitMs, mustWait } from './db/connect';
import { type Listener, openListener } from './db/listen';
import { openDatabase } from './db/pool';
import { prepareDatabase } from './db/prepare';
import { type Standby, openStandby } from './db/replica';
import { type Apart, type Role, apartOf, shareOut } from './db/shares';
import type { Database } from './db/sql';
import { internalError, nothingDone, unavailable } from './errors';
import { describeService } from './grpc/describe';
import { dialer } from './grpc/dial';
import { pulseService } from './grpc/pulse';
import { readService } from './grpc/read';
import { type GrpcServer, startGrpcServer } from './grpc/serve';
import type { RpcService } from './grpc/method';
import { type RequestHandler, serve } from './http/road';
import { type ReadyMemory, openReadyMemory } from './http/ready';
import { OWN, openAnswerMemory } from './http/remembered';
import { startHttpServer } from './http/server';
import { type Log, createLog } from './log';
import { openAfter } from './news/after';
import { type NewsDesk, openNewsDesk } from './news/desk';
import { heardOf, ownNews } from './news/own';
import { newsService } from './news/rpc';
import type { Work } from './queue/work';
import { hasWork } from './queue/workload';
import { readGrpcTls, readRedisCa } from './tls';
import { leave, stopInTime, within } from './stop';
import { openTracing } from './tracing/open';
import type { ServiceConfig, Base, ServiceDefinition, RunningService } from './service-definition';

const requestSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the last byte of its answer',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
});

/** Longest time of a statement where somebody waits for its answer, and of any other one. */
const READING_MS = 15_000;
const WORKING_MS = 120_000;

export async function startService<D, C extends ServiceConfig>(
  definition: ServiceDefinition<D, C>,
  config: C,
): Promise<RunningService<D>> {
  const log = createLog(definition.name, config.ROLE, config.LOG_LEVEL);
  const stopTracing = openTracing(config, { service: definition.name, role: config.ROLE }, log);
  const waitMs = connectionWaitMs(config);
  const shares = shareOut(definition.connections, config.ROLE as Role, config.DATABASE_POOL);
  const tls = readGrpcTls(config, log);
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
    /** Of the database, as whoever works with it knows. */
    answersLately?: () => boolean;
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
    notReady: () => notReady(missing, running, directUrlOf(config) === config.DATABASE_URL),
    configure: (app) => {
      app.use((request, response, next) => (mounted ? mounted(request, response, next) : next()));
      app.use((request, response) => {
        if (handler)
          return void handler(request, response).catch((error: Error) => cannotAnswer(error, response, log));
        const fault = nothingDone(unavailable(`The ${definition.name} service`, 2));
        response.status(fault.status).set(fault.headers).json(fault.body());
      });
    },
  });

  const bringUp = async (): Promise<void> => {
    let db: Database | undefined;
    const url = config.DATABASE_URL as string;
    const application = `${definition.name}-${config.ROLE}`;
    if (definition.migrations) {
      const statementTimeoutMs = isApi ? READING_MS : WORKING_MS;
      db = openDatabase({ url, size: shares.usual, application, log, waitMs, statementTimeoutMs });
      running.db = db;
      running.answersLately = watchAnswers(db.pool, statementTimeoutMs);
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
      apart: (db && apartOf({ url, application, log, db, shares, waitMs, standby })) as Apart,
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
      const own = desk && listener && ownNews(desk, listener);
      const others = Object.entries(definition.otherNews?.(deps) ?? {});
      const heard = desk && ((): string => heardOf(desk.heard(), definition.heard?.(deps)));
      const after = own && openAfter(new Map([[definition.name, own], ...others]));
      running.rpc = services;
      running.grpc = await startGrpcServer({
        host: config.HTTP_HOST,
        port: config.GRPC_PORT,
        services,
        actorSecret: config.ACTOR_SECRET,
        tls,
        heard,
        after,
        log,
      });
      handler = serve({
        namespace: definition.namespace,
        resources: definition.resources,
        embeds: definition.embeds,
        ready: readyMemory(listener),
        heard,
        answers: own && openAnswerMemory(new Map([[OWN, own], ...others])),
        after,
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
        takeOverMs: inMs(config.TAKE_OVER_SECONDS),
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

const inMs = (seconds: number | undefined): number | undefined => seconds && seconds * 1000;

/** After a lost connection it may be another server that counts its transactions anew. */
function readyMemory(listener: Listener | undefined): ReadyMemory {
  const memory = openReadyMemory();
  const clear = (): void => memory.clear();
  listener?.hear({ channels: [], onMessage: clear, onLost: clear });
  return memory;
}

/** An answer that cannot be written, such as one with a header that HTTP forbids, ends with its own request. */
function cannotAnswer(error: Error, response: Response, log: Log): void {
  log.error({ err: error }, 'an answer could not be sent');
  if (response.headersSent) return void response.destroy();
  const fault = internalError();
  response.status(fault.status).json(fault.body());
}

async function notReady(
  missing: ReadonlySet<string>,
  {
    db,
    listener,
    answersLately,
  }: { readonly db?: Database; readonly listener?: Listener; readonly answersLately?: () => boolean },
  isDirect: boolean,
): Promise<string[]> {
  const reasons = [...missing];
  if (reasons.length === 0 && db) {
    try {
      // In the line for a connection it would wait with all others: that many ask is no reason to send them elsewhere, where as many do.
      // Of a pooler in between the listening connection knows nothing, and another one would stand in the pooler's line.
      if (!mustWait(db.pool)) await db.first('select 1');
      else if (isDirect && listener) await listener.probe();
      else if (!answersLately?.()) await db.first('select 1');
    } catch (error) {
      reasons.push(`database: ${(error as Error).message}`);
    }
  }
  return reasons;
}

/** Past a pooler: to listen and to migrate takes a session of one's own. */
export const directUrlOf = (config: Pick<ServiceConfig, 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>): string =>
  config.DATABASE_DIRECT_URL || (config.DATABASE_URL as string);
