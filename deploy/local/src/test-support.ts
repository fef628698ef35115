/** What the tests of this folder share: temporary folders, waiting for something to become true, small programs. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from './leftovers';
import type { RunFile } from './run-file';
import { newFolder, quickFolder } from './testing';
import type { ProcessSpec } from './topology';

/** A new folder that is deleted after the test file. */
export function temporaryFolder(): string {
  const folder = newFolder(quickFolder(), 'sevenfold-local-');
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** What a stack says of itself that runs in this process and has nothing; `more` stands in for what is otherwise so. */
export const runOf = (folder: string, more: Partial<RunFile>): RunFile => ({
  pid: process.pid,
  identity: identityOf(process.pid) as string,
  version: '',
  node: '',
  gateway: 'http://127.0.0.1:9',
  siteUrl: 'http://127.0.0.1:9',
  redis: 'redis://127.0.0.1:9',
  redisPrefix: '',
  databases: {},
  services: {},
  processes: {},
  secretsFile: path.join(folder, 'secrets.json'),
  uploadsDir: folder,
  filesDir: folder,
  logsDir: folder,
  buckets: [],
  ...more,
});

type Truthy<T> = Exclude<T, false | '' | 0 | null | undefined>;

/** Waits until `probe` answers something true, and answers that. */
export async function until<T>(what: string, probe: () => T | Promise<T>, ms = 120_000): Promise<Truthy<T>> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) {
    const value = await probe();
    if (value) return value as Truthy<T>;
  }
  throw new Error(`It did not happen within ${ms} ms: ${what}`);
}

/** A program that is ready at once and stops as the programs of the services do. */
export const wellBehaved = `
  const http = require('node:http');
  http.createServer((request, response) => {
    response.end(request.url === '/env' ? JSON.stringify(process.env) : 'ok');
  }).listen(Number(process.env.HTTP_PORT), process.env.HTTP_HOST);
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => process.exit(0));
`;

/**
 * A gateway with requests under way when it is asked to stop: a moment later it still needs the services, writes down
 * how they answer, and ends.
 */
export const finishing = `
  const http = require('node:http');
  const ask = (url) => fetch(url + '/').then((answer) => answer.status, () => 'gone');
  http.createServer((_, response) => response.end('ok')).listen(Number(process.env.HTTP_PORT), process.env.HTTP_HOST);
  process.on('SIGTERM', () => setTimeout(async () => {
    const answers = await Promise.all([ask(process.env.CONTENT_HTTP), ask(process.env.CALENDAR_HTTP)]);
    require('node:fs').writeFileSync(process.env.UPLOADS_DIR + '/last-answers', answers.join(' '));
    process.exit(0);
  }, 300));
  process.on('disconnect', () => process.exit(0));
`;

/** Ends with its reason before it is ever ready. */
export const hopeless = `
  console.error(JSON.stringify({ level: 'fatal', msg: 'no such table: attempt of ' + process.env.ROLE }));
  process.exit(3);
`;

/** Listens, but never becomes ready, and ignores SIGTERM. */
export const stubborn = `
  require('node:http').createServer((_, response) => {
    response.statusCode = 503;
    response.end();
  }).listen(Number(process.env.HTTP_PORT), process.env.HTTP_HOST);
  process.on('SIGTERM', () => undefined);
  console.log('still waiting');
`;

/** Writes the program to where the supervisor looks for it, and answers its row of the topology. */
export function fakeProcess(
  root: string,
  name: string,
  code: string,
  more: Partial<ProcessSpec> = {},
): ProcessSpec {
  const folder = path.join('services', name);
  mkdirSync(path.join(root, folder, 'dist'), { recursive: true });
  writeFileSync(path.join(root, folder, 'dist', 'program.js'), code);
  return { name, service: name, folder, role: 'api', grpc: true, needs: [], ...more };
}
