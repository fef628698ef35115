/**
 * Programs of the catalog as processes of their own, beside the servers of the tests: as few as a test needs, each with a
 * database of its own. Their log lines are kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import * as catalog from '@sevenfold/catalog/catalog';
import { freePort } from '@sevenfold/chassis/ports';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';

const ROOT = path.resolve(__dirname, '../../..');
const ADMIN = { username: 'admin', application: 'application password of tests' };

export type Line = Record<string, unknown>;

export interface Programs {
  /** Of the gateway. */
  readonly url: string;
  /** `Authorization` of the administrator. */
  readonly administrator: string;
  /** Where a program tells its metrics. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly databases: Readonly<Record<string, string>>;
  /** What all of them logged. */
  readonly lines: readonly Line[];
  stop(): Promise<void>;
}

/** The gateway and the services of these names, each as one process for both of its roles. */
export async function startPrograms(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Programs> {
  const ports = new Map<string, { readonly http: number; readonly grpc: number }>();
  for (const { name } of [...catalog.services, catalog.gateway])
    ports.set(name, { http: await freePort(), grpc: await freePort() });
  const common = {
    PATH: process.env.PATH,
    HTTP_HOST: '127.0.0.1',
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    REDIS_URL: testServers().redisUrl,
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    SITE_URL: 'http://site.test',
    SPAM_KEY_SECRETS: 'the secret of the tests',
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_EMAIL: 'admin@site.test',
    ADMIN_PASSWORD: 'password of tests',
    ADMIN_APPLICATION_PASSWORD: ADMIN.application,
    ...Object.fromEntries(
      [...ports].flatMap(([name, { http, grpc }]) => [
        [`${name.toUpperCase()}_HTTP`, `http://127.0.0.1:${http}`],
        [`${name.toUpperCase()}_GRPC`, `127.0.0.1:${grpc}`],
      ]),
    ),
  };
  const lines: Line[] = [];
  const running: ChildProcess[] = [];
  const drops: (() => Promise<void>)[] = [];
  const metrics: Record<string, string> = {};
  const databases: Record<string, string> = {};
  const stop = async (): Promise<void> => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
    for (const drop of drops) await drop();
  };
  const start = (folder: string, own: NodeJS.ProcessEnv): void => {
    const child = spawn(process.execPath, [path.join(ROOT, folder, 'dist/program.js')], {
      env: { ...common, ...own, ...env },
      // It ends with us, whatever becomes of us.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      lines.push(JSON.parse(line) as Line),
    );
    running.push(child);
  };
  const portsOf = (name: string): { readonly http: number; readonly grpc: number } =>
    ports.get(name) as { http: number; grpc: number };
  try {
    for (const { name, folder, processes } of catalog.services.filter((row) => names.includes(row.name))) {
      const { http, grpc } = portsOf(name);
      const own: NodeJS.ProcessEnv = { ROLE: 'all', HTTP_PORT: String(http), GRPC_PORT: String(grpc) };
      if (processes.some(({ needs }) => (needs as readonly string[]).includes('database'))) {
        const database = await createTestDatabase(path.join(ROOT, folder, 'migrations'));
        drops.push(() => database.drop());
        own.DATABASE_URL = databases[name] = database.url;
      }
      metrics[name] = `http://127.0.0.1:${http}/metrics`;
      start(folder, own);
    }
    const { http, grpc } = portsOf('gateway');
    metrics.gateway = `http://127.0.0.1:${grpc}/metrics`;
    start(catalog.gateway.folder, {
      HTTP_PORT: String(http),
      METRICS_PORT: String(grpc),
      UNKNOWN_SERVICE_SECONDS: '0',
    });
    for (const address of Object.values(metrics)) await isReady(new URL('/readyz', address));
    return {
      url: `http://127.0.0.1:${http}`,
      administrator: `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.application}`).toString('base64')}`,
      metrics,
      databases,
      lines,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const isReady = (address: URL): Promise<unknown> =>
  until(async () => {
    try {
      const answer = await fetch(address);
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  });
