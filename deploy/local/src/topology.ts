/**
 * The processes of the stack, as the catalog has them, and the environment each of them gets. A new variable that
 * every process needs is a new line in `environmentOf`.
 */
import path from 'node:path';
import { type Need, type Role, type ServiceRow, gateway, services } from '@sevenfold/catalog/catalog';
import type { DatabaseService } from './databases';

export interface ProcessSpec {
  readonly name: string;
  /** The service it is a part of: its variables and its database go by this name. */
  readonly service: string;
  /** Below the repository; the program is dist/program.js in it. */
  readonly folder: string;
  readonly role: Role;
  /** Whether other services call it. */
  readonly grpc: boolean;
  readonly needs: readonly Need[];
  /** Memory is not saved in it where that takes time. */
  readonly isBusy?: boolean;
}

type Row = Pick<ServiceRow, 'name' | 'folder' | 'processes'>;

const processesOf = ({ name, folder, processes }: Row, called: boolean): ProcessSpec[] =>
  processes.map(({ role, needs, isBusy }) => ({
    name: role === 'api' ? name : `${name}-${role}`,
    service: name,
    folder,
    role,
    grpc: called && role === 'api',
    needs,
    isBusy,
  }));

export const topology: readonly ProcessSpec[] = [
  ...services.flatMap((row) => processesOf(row, true)),
  ...processesOf(gateway, false),
];

export interface ProcessPorts {
  readonly http: number;
  readonly grpc?: number;
}

/** What is decided at a start and the same for all processes. */
export interface StackContext {
  readonly siteUrl: string;
  readonly timezone: string;
  readonly logLevel: string;
  readonly redisUrl: string;
  readonly redisPrefix: string;
  readonly instanceId: string;
  readonly databaseUrls: Partial<Record<string, string>> & Partial<Record<DatabaseService, string>>;
  readonly actorSecret: string;
  readonly sealingSecret: string;
  readonly tokenKey: string;
  readonly uploadsDir: string;
  /** Above the private folders of the services. */
  readonly filesDir: string;
  readonly publicHost: string;
  readonly administrator: {
    readonly username: string;
    readonly password: string;
    readonly email: string;
    readonly applicationPassword: string;
  };
  /** By process name. */
  readonly ports: Readonly<Record<string, ProcessPorts>>;
  /** The caller's environment: PATH, proxies, and the services' own variables (mail server, limits) pass through. */
  readonly inherited: NodeJS.ProcessEnv;
}

/** Internal traffic never leaves the machine. */
const INTERNAL_HOST = '127.0.0.1';

/** Meant for the stack as a whole: a service must not read one by accident, least of all the passwords. */
const notInherited =
  /^(PORT|HOST|DATA_DIR|SITE_URL|SAMPLES|DATABASE_URL|DATABASE_DIRECT_URL|DATABASE_PREFIX|REDIS_URL|SEVENFOLD_CACHE|ADMIN_.*|ACTOR_SECRET|SPAM_KEY_SECRETS|TOKEN_KEYS|NODE_CHANNEL_.*|npm_.*)$/;

export function environmentOf(
  spec: ProcessSpec,
  processes: readonly ProcessSpec[],
  context: StackContext,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(context.inherited))
    if (!notInherited.test(name)) env[name] = value;

  const ports = context.ports[spec.name]!;
  Object.assign(env, {
    NODE_ENV: context.inherited.NODE_ENV ?? 'production',
    ROLE: spec.role,
    HTTP_HOST: spec.needs.includes('public') ? context.publicHost : INTERNAL_HOST,
    HTTP_PORT: String(ports.http),
    REDIS_URL: context.redisUrl,
    REDIS_PREFIX: context.redisPrefix,
    INSTANCE_ID: context.instanceId,
    SITE_URL: context.siteUrl,
    SITE_TIMEZONE: context.timezone,
    ACTOR_SECRET: context.actorSecret,
    LOG_LEVEL: context.logLevel,
    SHUTDOWN_SECONDS: context.inherited.SHUTDOWN_SECONDS || DEFAULT_SHUTDOWN_SECONDS,
  });
  if (ports.grpc !== undefined) env.GRPC_PORT = String(ports.grpc);
  for (const other of processes) {
    const { http, grpc } = context.ports[other.name]!;
    if (grpc === undefined) continue;
    env[`${other.service.toUpperCase()}_GRPC`] = `${INTERNAL_HOST}:${grpc}`;
    if (spec.needs.includes('addresses'))
      env[`${other.service.toUpperCase()}_HTTP`] = `http://${INTERNAL_HOST}:${http}`;
  }
  if (spec.needs.includes('database')) env.DATABASE_URL = context.databaseUrls[spec.service];
  if (spec.needs.includes('sealing'))
    env.SPAM_KEY_SECRETS = sealingSecrets(context.inherited, context.sealingSecret);
  if (spec.needs.includes('tokens')) env.TOKEN_KEYS = withOwn(context.inherited.TOKEN_KEYS, context.tokenKey);
  if (spec.needs.includes('uploads')) env.UPLOADS_DIR = context.uploadsDir;
  if (spec.needs.includes('files')) env.FILES_DIR = path.join(context.filesDir, spec.service);
  if (spec.needs.includes('administrator')) {
    env.ADMIN_USERNAME = context.administrator.username;
    env.ADMIN_PASSWORD = context.administrator.password;
    env.ADMIN_EMAIL = context.administrator.email;
    env.ADMIN_APPLICATION_PASSWORD = context.administrator.applicationPassword;
  }
  return env;
}

/** Whoever stops a site waits for it: less than a service would take by itself. */
const DEFAULT_SHUTDOWN_SECONDS = '8';
/** To close what is left when requests and jobs have had their time (chassis/stop.ts), and to end. */
const CLOSING_SECONDS = 2;

/** Milliseconds in which a process of this environment ends by itself once it is asked to. */
export const stopWithinOf = ({ LEAVE_SECONDS, SHUTDOWN_SECONDS }: NodeJS.ProcessEnv): number =>
  (secondsOf(LEAVE_SECONDS) + secondsOf(SHUTDOWN_SECONDS) + CLOSING_SECONDS) * 1000;

/** What is no number the process refuses by itself. */
const secondsOf = (text: string | undefined): number => Number(text) || 0;

/** A secret of the operator's goes first; what was sealed under the generated one still opens. */
export const sealingSecrets = (env: NodeJS.ProcessEnv, generated = ''): string =>
  withOwn(env.SPAM_KEY_SECRETS, generated);

const withOwn = (own: string | undefined, generated: string): string =>
  [own, generated].filter(Boolean).join(',');

/** Where services keep files elsewhere than in folders of this machine: the buckets that their own variables name. */
export const bucketsOf = (env: NodeJS.ProcessEnv): string[] =>
  Object.entries(env).flatMap(([name, value]) => (/(^|_)S3_BUCKET$/.test(name) && value ? [value] : []));
