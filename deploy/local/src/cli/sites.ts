/** Finds the site to operate: the stack that runs from DATA_DIR, or the databases that the environment names. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ServiceName, databaseServices, services } from '@sevenfold/catalog/catalog';
import { ApiError, toApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import type { ConfigOf, Variables } from '@sevenfold/chassis/config';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { openService } from '@sevenfold/chassis/open-service';
import type { Job } from '@sevenfold/chassis/queue/jobs';
import type { Workload } from '@sevenfold/chassis/queue/workload';
import type { ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import type { Deps as ContentDeps } from '@sevenfold/content/deps';
import type { Deps as FormsDeps } from '@sevenfold/forms/deps';
import type { Deps as ImportsDeps } from '@sevenfold/imports/deps';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import type { Deps as SpamfilterDeps } from '@sevenfold/spamfilter/deps';
import { repositoryRoot } from '../settings';
import { NotRunning, type RunFile, findRunning } from '../run-file';
import type { Secrets } from '../secrets';
import { sealingSecrets } from '../topology';

interface Site {
  /** Where the gateway answers. */
  readonly url: string;
  /** Those whose databases are known: all of a site that runs here, those that are named of one elsewhere. */
  readonly services: readonly ServiceName[];
  /** Environment for opening a service of the site. */
  env(service: ServiceName): Record<string, string>;
}

export function findSite(env: NodeJS.ProcessEnv = process.env): Site {
  const dataDir = path.resolve(repositoryRoot, env.DATA_DIR || '.data');
  // Whoever names databases means a site elsewhere: half of what he writes would go to the one that runs here.
  const isElsewhere = services.some(({ name }) => env[databaseVariable(name)]);
  const run = isElsewhere ? undefined : findRunning(dataDir);
  const secrets = run
    ? (JSON.parse(readFileSync(run.secretsFile, 'utf8')) as Pick<Secrets, 'actorSecret' | 'sealingSecret'>)
    : undefined;
  const siteUrl = env.SITE_URL || run?.siteUrl || 'http://127.0.0.1:8080';
  const databaseOf = (service: ServiceName): string | undefined =>
    env[databaseVariable(service)] || run?.databases[service];
  return {
    url: run?.gateway ?? siteUrl,
    services: databaseServices.filter(databaseOf),
    env: (service) => {
      const variable = databaseVariable(service);
      const database = databaseOf(service);
      if (!database)
        throw new NotRunning(
          `No site runs from ${dataDir}. Start one with "npm start", or set ${variable} and SITE_URL.`,
        );
      return {
        SITE_URL: siteUrl,
        ...(run?.timezone && { SITE_TIMEZONE: run.timezone }),
        DATABASE_URL: database,
        REDIS_URL: env.REDIS_URL || run?.redis || 'redis://127.0.0.1:6379',
        SPAM_KEY_SECRETS: sealingSecrets(env, secrets?.sealingSecret),
        // What a stack here signs with is its own, whatever the environment names (topology.ts): another one is nobody to it.
        ACTOR_SECRET: secrets?.actorSecret || env.ACTOR_SECRET || 'command line',
        ...named(env, PASSED_ON),
        ...(run
          ? { UPLOADS_DIR: run.uploadsDir, FILES_DIR: path.join(run.filesDir, service), ...addresses(run) }
          : named(env, [
              'UPLOADS_DIR',
              'FILES_DIR',
              ...services.map(({ name }) => `${name.toUpperCase()}_GRPC`),
            ])),
      };
    },
  };
}

const databaseVariable = (service: ServiceName): string => `${service.toUpperCase()}_DATABASE_URL`;

/** What the processes of a site are given by its environment, and a command needs as well to write where they read, and what they would. */
const PASSED_ON = [
  'LOG_LEVEL',
  'SITE_TIMEZONE',
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'UPLOAD_LIMIT_BYTES',
  'OUTBOUND_ALLOW_PRIVATE',
  'IMPORT_INTERVAL',
  'SPAM_DAYS',
  'WEBHOOK_GIVE_UP_HOURS',
  'WEBHOOK_ROTATION_HOURS',
  'WEBHOOK_TIMEOUT_MS',
  'GRPC_TLS_CERT',
  'GRPC_TLS_KEY',
  'GRPC_TLS_CA',
];

const named = (env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

const addresses = (run: RunFile): Record<string, string> =>
  Object.fromEntries(
    Object.entries(run.services).flatMap(([name, { grpc }]) =>
      grpc ? [[`${name.toUpperCase()}_GRPC`, grpc]] : [],
    ),
  );

/** Where a service is asked over gRPC. */
export function grpcAddress(service: ServiceName): string {
  const { grpc } = services.find(({ name }) => name === service)?.ports as { grpc: number };
  // Asked of the database that is there for certain: that of the service itself may be out of reach.
  return findSite().env('content')[`${service.toUpperCase()}_GRPC`] || `127.0.0.1:${grpc}`;
}

/** Opens the service for as long as the work takes. */
async function using<D, const V extends Variables, T>(
  name: ServiceName,
  service: ServiceDefinition<D, ConfigOf<V> & ServiceConfig>,
  variables: V,
  work: (deps: D) => Promise<T>,
): Promise<T> {
  const env = findSite().env(name);
  const opened = await openService(service, variables, env);
  try {
    return await work(opened.deps);
  } catch (error) {
    throw told(error);
  } finally {
    await opened.close();
  }
}

/** A connection that broke is told by what is away, not by what a socket says of it. */
function told(error: unknown): unknown {
  const known = toApiError(error);
  return isOutage(known) ? known : error;
}

/** Whether it may be there again in a while, as when it is stopped and started. */
export const isAway = (error: unknown): boolean =>
  error instanceof NotRunning || (error instanceof ApiError && isOutage(error));

/** For what all services have, whatever they are. */
export async function withDatabase<T>(name: ServiceName, work: (db: Database) => Promise<T>): Promise<T> {
  const { DATABASE_URL: url } = findSite().env(name) as { DATABASE_URL: string };
  const log = createLog(name, 'cli', 'silent');
  const db = openDatabase({ url, size: 1, application: `${name}-cli`, log });
  try {
    return await work(db);
  } catch (error) {
    throw told(error);
  } finally {
    await db.close();
  }
}

// Each service is loaded by those who work on it.

export async function withContent<T>(work: (deps: ContentDeps) => Promise<T>): Promise<T> {
  const { contentService } = await import('@sevenfold/content/service');
  const { variables } = await import('@sevenfold/content/config');
  return using('content', contentService, variables, work);
}

export async function withCalendar<T>(work: (deps: CalendarDeps) => Promise<T>): Promise<T> {
  const { calendarService } = await import('@sevenfold/calendar/service');
  const { variables } = await import('@sevenfold/calendar/config');
  return using('calendar', calendarService, variables, work);
}

export async function withImports<T>(work: (deps: ImportsDeps) => Promise<T>): Promise<T> {
  const { importsService } = await import('@sevenfold/imports/service');
  const { variables } = await import('@sevenfold/imports/config');
  return using('imports', importsService, variables, work);
}

export async function withForms<T>(work: (deps: FormsDeps) => Promise<T>): Promise<T> {
  const { formsService } = await import('@sevenfold/forms/service');
  const { variables } = await import('@sevenfold/forms/config');
  return using('forms', formsService, variables, work);
}

export async function withSeo<T>(work: (deps: SeoDeps) => Promise<T>): Promise<T> {
  const { seoService } = await import('@sevenfold/seo/service');
  const { variables } = await import('@sevenfold/seo/config');
  return using('seo', seoService, variables, work);
}

export async function withSpamfilter<T>(work: (deps: SpamfilterDeps) => Promise<T>): Promise<T> {
  const { spamfilterService } = await import('@sevenfold/spamfilter/service');
  const { variables } = await import('@sevenfold/spamfilter/config');
  return using('spamfilter', spamfilterService, variables, work);
}

/** Those with a worker: without a row for each this does not compile. */
type Working = Extract<
  (typeof services)[number],
  { readonly processes: readonly [unknown, { readonly role: 'worker' }] }
>['name'];
type Load = () => Promise<Workload<never>>;

const workloads: Readonly<Partial<Record<ServiceName, Load>> & Record<Working, Load>> = {
  content: async () => (await import('@sevenfold/content/service')).contentService,
  calendar: async () => (await import('@sevenfold/calendar/service')).calendarService,
  imports: async () => (await import('@sevenfold/imports/service')).importsService,
  forms: async () => (await import('@sevenfold/forms/service')).formsService,
  seo: async () => (await import('@sevenfold/seo/service')).seoService,
  spamfilter: async () => (await import('@sevenfold/spamfilter/service')).spamfilterService,
};

/** What its workers can do, by what it declares. */
export const jobsOf = async (service: ServiceName): Promise<readonly Job<never>[]> =>
  (await workloads[service]?.())?.jobs ?? [];
