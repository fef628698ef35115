/**
 * The whole site on one machine: databases first, then every process at once, in the order that lets a fault
 * leave nothing half-started. Refuses to run twice on one data folder. Prints nothing itself: every step is a
 * line given to `say`.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ForeignInstance } from '@sevenfold/chassis/instance';
import { readRedisCa } from '@sevenfold/chassis/tls';
import { besideIn, refuseUnfinished } from './backup/unfinished';
import { claim } from './claim';
import { makeDataDir } from './data-dir';
import { DatabasesElsewhere, prepareDatabases } from './databases';
import { firstStart } from './first-start';
import { identityOf } from './leftovers';
import { SPARING, runProcesses, type Processes, type Timing } from './processes';
import { checkRedisOwner, claimRedisOwner } from './redis';
import type { RunFile } from './run-file';
import { keepSecrets, writePrivateJson } from './secrets';
import { provideDatabase, provideRedis } from './servers';
import { repositoryRoot, type StackSettings } from './settings';
import { choosePorts, gatewayPort, reachable } from './stack-ports';
import {
  bucketsOf,
  environmentOf,
  stopWithinOf,
  topology,
  type ProcessSpec,
  type StackContext,
} from './topology';
import { ownVersion } from './version';

/** What could not be written when it changed is written when there is room again. */
const RUN_FILE_AGAIN_MS = 2_000;

export interface StackOptions {
  readonly settings: StackSettings;
  /** What the processes inherit. */
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
  /** Gives up a start that is under way. */
  readonly signal?: AbortSignal;
  readonly processes?: readonly ProcessSpec[];
  /** The folder that the processes' folders lie in. */
  readonly root?: string;
  readonly timing?: Partial<Timing>;
  /** The processes run the modules that the compiler writes, not what a build makes of them. */
  readonly isWatching?: boolean;
  /** false: the servers started here do not write to disk in time. For tests. */
  readonly durable?: boolean;
}

export interface Stack {
  /** Where the gateway answers. */
  readonly url: string;
  /** Lines that tell how to log in. */
  readonly credentials: readonly string[];
  readonly restart: (name: string) => Promise<void>;
  stop(): Promise<void>;
  /** Ends the processes at once; the servers are ended by their watchers when this process exits. */
  kill(): void;
}

/** Throws an Error with one message for people, after everything it started has been stopped again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const closers: (() => Promise<void> | void)[] = [];
  let closing: Promise<void> | undefined;
  const stop = (): Promise<void> => (closing ??= closeAll(closers));
  try {
    return await start(options, closers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  options: StackOptions,
  closers: (() => Promise<void> | void)[],
  stop: () => Promise<void>,
): Promise<Stack> {
  const { settings, say, signal } = options;
  const redisCa = readRedisCa(options.env);
  const { dataDir } = settings;
  const { durable = true } = options;
  const hooks = { say, timing: options.timing };
  const root = options.root ?? repositoryRoot;
  const specs = options.processes ?? topology;
  const runFile = path.join(dataDir, 'run.json');
  const logsDir = path.join(dataDir, 'logs');
  const uploadsDir = path.join(dataDir, 'uploads');
  const filesDir = path.join(dataDir, 'files');

  makeDataDir(dataDir);
  claim(runFile);
  closers.push(() => rmSync(runFile, { force: true }));
  refuseUnfinished(dataDir);
  // Of a restore that was given up: whoever deletes its mark goes on without what it had made so far, a second site of files and rows.
  rmSync(besideIn(dataDir), { recursive: true, force: true });
  const port = await gatewayPort(settings);
  // Nobody can go to the address that stands for all of them.
  const host = reachable(settings.HOST);
  const url = `http://${host}:${port}`;
  const siteUrl = settings.SITE_URL === '' ? url : settings.SITE_URL;
  const programOf = ({ folder }: ProcessSpec): string =>
    path.join(root, folder, 'dist', options.isWatching ? 'main.js' : 'program.js');
  const missing = specs.map(programOf).filter((program) => !existsSync(program));
  if (missing.length > 0) throw new Error(`Not built: ${missing.join(', ')}. Run "npm run build".`);
  for (const dir of [logsDir, uploadsDir, filesDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  const secretsFile = path.join(dataDir, 'secrets.json');
  const secrets = keepSecrets(secretsFile);

  const serverPids: Record<string, () => number> = {};
  // Filled in as the start proceeds; nothing is written before and while stopping.
  const state: { processes?: Processes; record?: Omit<RunFile, 'processes'> } = {};
  let later: NodeJS.Timeout | undefined;
  const changed = (): void => {
    if (!state.record) return;
    const waited = later !== undefined;
    clearTimeout(later);
    later = undefined;
    const servers = Object.fromEntries(Object.entries(serverPids).map(([name, pid]) => [name, pid()]));
    try {
      writePrivateJson(runFile, {
        ...state.record,
        processes: { ...state.processes?.pids(), ...servers },
      } satisfies RunFile);
    } catch (error) {
      // A full disk must not end the stack: the file only helps to find what a killed one left behind.
      if (!waited) say((error as Error).message);
      later = setTimeout(changed, RUN_FILE_AGAIN_MS).unref();
    }
  };

  const hosting = { ...options, durable, hooks: { ...hooks, changed }, closers, serverPids };
  const database = await provideDatabase(hosting);
  signal?.throwIfAborted();
  const redisUrl = await provideRedis(hosting, secrets.redisPassword, redisCa);
  signal?.throwIfAborted();
  const instanceId = settings.INSTANCE_ID || secrets.instanceId;
  // Nothing is changed anywhere before both servers are known not to hold another site's.
  await checkRedisOwner(redisUrl, settings.REDIS_PREFIX, instanceId, redisCa);
  const databases = await prepareDatabases({
    adminUrl: database,
    passwords: secrets.databasePasswords,
    prefix: settings.DATABASE_PREFIX,
    instanceId,
    isOld: secrets.announced,
    isOwn: settings.DATABASE_URL === '',
  }).catch((error: Error) => {
    if (error instanceof ForeignInstance) throw error;
    if (error instanceof DatabasesElsewhere)
      throw new Error(
        `${error.message} ${dataDir} is the folder of a site that has run: start it with the DATABASE_URL and DATABASE_PREFIX it had, or with another DATA_DIR to begin a new one.`,
      );
    throw new Error(`The services' databases cannot be prepared: ${error.message}`);
  });
  await claimRedisOwner(redisUrl, settings.REDIS_PREFIX, instanceId, redisCa);
  signal?.throwIfAborted();

  const ports = await choosePorts(specs, port);
  const context: StackContext = {
    siteUrl,
    redisUrl,
    redisPrefix: settings.REDIS_PREFIX,
    instanceId,
    uploadsDir,
    filesDir,
    ports,
    timezone: settings.SITE_TIMEZONE,
    logLevel: settings.LOG_LEVEL,
    databaseUrls: databases,
    actorSecret: secrets.actorSecret,
    sealingSecret: secrets.sealingSecret,
    tokenKey: secrets.tokenKey,
    publicHost: settings.HOST,
    administrator: {
      username: settings.ADMIN_USERNAME,
      password: settings.ADMIN_PASSWORD || secrets.adminPassword,
      email: settings.ADMIN_EMAIL,
      applicationPassword: settings.ADMIN_APPLICATION_PASSWORD || secrets.adminApplicationPassword,
    },
    inherited: options.env,
  };
  state.record = {
    pid: process.pid,
    identity: identityOf(process.pid) ?? '',
    version: ownVersion(),
    node: process.versions.node,
    gateway: url,
    siteUrl,
    timezone: settings.SITE_TIMEZONE,
    redis: redisUrl,
    redisPrefix: settings.REDIS_PREFIX,
    databases,
    services: Object.fromEntries(
      specs.map(({ name }) => {
        const { http, grpc } = ports[name]!;
        return [
          name,
          { http: `http://127.0.0.1:${http}`, ...(grpc !== undefined && { grpc: `127.0.0.1:${grpc}` }) },
        ];
      }),
    ),
    secretsFile,
    uploadsDir,
    filesDir,
    logsDir,
    buckets: bucketsOf(options.env),
  };
  const plans = specs.map((spec) => {
    const env = environmentOf(spec, specs, context);
    const isPublic = spec.needs.includes('public');
    return {
      name: spec.name,
      script: programOf(spec),
      flags: spec.isBusy ? [] : SPARING,
      // Node 22 and later keep there what they compiled: a second start has a third less to do.
      env: { NODE_COMPILE_CACHE: path.join(dataDir, 'compiled'), ...env },
      cwd: path.join(root, spec.folder),
      readyUrl: `http://${isPublic ? reachable(settings.HOST) : '127.0.0.1'}:${ports[spec.name]!.http}/readyz`,
      logFile: path.join(logsDir, `${spec.name}.log`),
      // Requests come in there: those that run are answered by the others.
      stopsFirst: isPublic,
      stopWithin: stopWithinOf(env),
    };
  });
  const running = runProcesses(plans, { ...hooks, changed });
  state.processes = running;
  closers.push(async () => {
    state.record = undefined;
    say('stopping the services');
    await running.stop();
  });
  changed();
  await orAborted(running.ready, signal);

  const credentials = await firstStart({ settings, secrets, secretsFile, url, say });
  signal?.throwIfAborted();
  return { url, credentials, restart: running.restart, stop, kill: running.kill };
}

/** Last opened, first closed; one that fails does not keep the others open. */
async function closeAll(closers: (() => Promise<void> | void)[]): Promise<void> {
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch {
      // Nothing is left to do with it; the next start clears away what a server left behind.
    }
  }
}

async function orAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let abort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort);
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
