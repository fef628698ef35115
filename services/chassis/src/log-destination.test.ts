/** A process whose logs find no room, or nobody who reads them, goes on; and says afterwards how much was lost. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from './testing/database';
import { freePort } from './ports';
import { sampleService } from './testing/sample';
import { TEST_ACTOR_SECRET, TEST_SITE_URL } from './testing/service';

const source = (name: string): string => JSON.stringify(path.join(__dirname, name));
const ROOM = 64 * 1024;

/** A file on a file system of its own that holds 64 kB, where one can be mounted; else a file that is always full. */
function smallFile(): { file: string; empty?: () => void; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-small-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return { file: '/dev/full', remove };
  }
  const file = path.join(folder, 'log');
  return {
    file,
    empty: () => truncateSync(file),
    remove: () => {
      execFileSync('umount', ['-l', folder]);
      remove();
    },
  };
}

interface Process {
  readonly get: (path: string) => Promise<Response>;
  readonly dropped: () => Promise<number>;
  /** The code it ends with when it is asked to. */
  readonly stop: () => Promise<number | null>;
}

/** Whatever a test comes to: what logs to a file that nobody reads would keep the run from ending. */
const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

/** The sample service in a process of its own that logs to `output`. */
async function startProcess(database: TestDatabase, output: number | 'pipe'): Promise<Process> {
  const port = await freePort();
  const program = `
    const { startService } = require(${source('service.ts')});
    const { stopOnSignal } = require(${source('stop.ts')});
    const { sampleService } = require(${source('testing/sample.ts')});
    void startService(sampleService, JSON.parse(process.env.CONFIG)).then((service) => stopOnSignal(() => service.stop()));
  `;
  const config = {
    ROLE: 'api',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: port,
    GRPC_PORT: 0,
    SITE_URL: TEST_SITE_URL,
    ACTOR_SECRET: TEST_ACTOR_SECRET,
    LOG_LEVEL: 'debug',
    SHUTDOWN_SECONDS: 5,
    DATABASE_URL: database.url,
    DATABASE_POOL: 0,
  };
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', program], {
    stdio: ['ignore', output, 'inherit'],
    env: { ...process.env, CONFIG: JSON.stringify(config) },
  });
  children.push(child);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const get = (at: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${at}`);
  const isReady = (): Promise<boolean> =>
    get('/readyz').then(
      (answer) => answer.status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    get,
    dropped: async () =>
      Number(/^log_lines_dropped_total (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]),
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
  };
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(sampleService.migrations!);
});
afterAll(() => database.drop());

const NOTES = '/rest/sample/v1/notes';
async function requestsUntil(service: Process, so: () => Promise<boolean> | boolean): Promise<void> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => service.get(NOTES)));
    for (const answer of answers) expect(answer.status).toBe(200);
    if (await so()) return;
  }
}

test('a full disk costs lines, and nothing else; what was lost is told when there is room again', async () => {
  const { file, empty, remove } = smallFile();
  const output = openSync(file, 'a');
  try {
    const service = await startProcess(database, output);
    await requestsUntil(service, async () => (await service.dropped()) > 200);
    expect((await service.get('/healthz')).status).toBe(200);
    expect((await service.get('/readyz')).status).toBe(200);
    if (empty) {
      const lost = await service.dropped();
      empty();
      await service.get(NOTES);
      await requestsUntil(service, () => readFileSync(file, 'utf8').includes('log lines were lost here'));
      // The last one may be written just now, and where one was torn an empty one follows.
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1).filter(Boolean);
      const told = lines.map((line) => JSON.parse(line) as { dropped?: number; reason?: string });
      const notices = told.filter((line) => line.dropped !== undefined);
      expect(notices).toEqual([expect.objectContaining({ reason: 'ENOSPC' })]);
      expect(notices[0]!.dropped).toBeGreaterThanOrEqual(lost);
      await requestsUntil(service, async () => (await service.dropped()) > lost + 200);
    }
    expect(await service.stop()).toBe(0);
  } finally {
    closeSync(output);
    remove();
  }
});

test('a reader of the logs who stands still holds nobody up', async () => {
  const service = await startProcess(database, 'pipe');
  await requestsUntil(service, async () => (await service.dropped()) > 200);
  expect((await service.get('/healthz')).status).toBe(200);
  await service.stop();
});

test('lines of one moment are one write', async () => {
  const program = `
    const fs = require('node:fs');
    const { createLog } = require(${source('log.ts')});
    const { write } = fs;
    let writes = 0;
    fs.write = (...given) => {
      writes += 1;
      write(...given);
    };
    const log = createLog('sample', 'api', 'info');
    for (const line of ['one', 'two', 'three']) log.info(line);
    process.stdin.on('end', () => console.error(writes)).resume();
  `;
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', program]);
  children.push(child);
  let [lines, told] = ['', ''];
  child.stdout.on('data', (some) => {
    lines += String(some);
    if (lines.includes('"three"')) child.stdin.end();
  });
  child.stderr.on('data', (some) => (told += String(some)));
  await once(child, 'close');
  expect(told).toBe('1\n');
});
