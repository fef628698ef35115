import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { identityOf } from './leftovers';
import { freePort } from '@sevenfold/chassis/ports';
import { statusOf, type Timing } from './processes';
import { databaseServices } from '@sevenfold/catalog/catalog';
import { checkDatabase, withClient, withDatabase } from './databases';
import { readSettings } from './settings';
import { startTestServers, type TestServers } from './testing';
import type { RunFile } from './run-file';
import type { Secrets } from './secrets';
import { startStack, type Stack, type StackOptions } from './stack';
import { fakeProcess, finishing, hopeless, temporaryFolder, until, wellBehaved } from './test-support';

const folder = temporaryFolder();
const root = path.join(folder, 'repository');
const dataDir = path.join(folder, 'data');
const timing: Partial<Timing> = { firstPause: 10, longestPause: 100, poll: 10 };
const said: string[] = [];

const processes = [
  fakeProcess(root, 'content', wellBehaved, { needs: ['database', 'uploads', 'administrator'] }),
  fakeProcess(root, 'calendar', wellBehaved, { needs: ['database'] }),
  fakeProcess(root, 'calendar-worker', wellBehaved, {
    service: 'calendar',
    role: 'worker',
    grpc: false,
    needs: ['database'],
  }),
  fakeProcess(root, 'gateway', finishing, { grpc: false, needs: ['public', 'addresses', 'uploads'] }),
];

function start(env: Record<string, string> = {}, more: Partial<StackOptions> = {}): Promise<Stack> {
  said.length = 0;
  const settings = readSettings({ PORT: '0', DATA_DIR: dataDir, SAMPLES: 'off', ...env });
  return startStack({
    settings,
    env: process.env,
    say: (line) => said.push(line),
    processes,
    root,
    timing,
    ...more,
  });
}

const runFile = path.join(dataDir, 'run.json');
const readRun = (): RunFile => JSON.parse(readFileSync(runFile, 'utf8')) as RunFile;

describe('a stack', () => {
  let stack: Stack;
  let run: RunFile;
  beforeAll(async () => {
    stack = await start();
    run = readRun();
  });
  afterAll(() => stack.stop());

  it('says what it does, step by step', () => {
    expect(said.slice(0, 2)).toEqual([
      expect.stringMatching(/^PostgreSQL [\d.]+ on 127\.0\.0\.1:\d+$/),
      expect.stringMatching(/^Redis [\d.]+ on 127\.0\.0\.1:\d+$/),
    ]);
    expect(said.slice(2).sort()).toEqual(
      ['calendar', 'calendar-worker', 'content', 'gateway'].map((name) =>
        expect.stringMatching(new RegExp(`^${name} ready \\(\\d+ ms\\)$`)),
      ),
    );
    expect(stack.credentials).toEqual([
      expect.stringMatching(
        /^for people, to log in to the console: admin, password \w{20} \(it does not open \/rest\)$/,
      ),
      expect.stringMatching(/^for programs, at \/rest: admin, application password \w{24}, as in$/),
      expect.stringMatching(
        /^ {2}curl -u 'admin:\w{24}' http:\/\/127\.0\.0\.1:\d+\/rest\/core\/v2\/users\/me$/,
      ),
    ]);
  });

  it('gives every process what it needs', async () => {
    const env = (await (await fetch(`${run.services.content!.http}/env`)).json()) as Record<string, string>;
    expect(env).toMatchObject({
      ROLE: 'api',
      DATABASE_URL: run.databases.content,
      REDIS_URL: run.redis,
      SITE_URL: stack.url,
      UPLOADS_DIR: run.uploadsDir,
    });
    expect(env.CALENDAR_GRPC).toBe(run.services.calendar!.grpc);
    expect(await statusOf(`${stack.url}/readyz`)).toBe(200);
  });

  it('leaves a file that tells tools where everything is, for the owner only', () => {
    expect(statSync(runFile).mode & 0o777).toBe(0o600);
    expect(run).toMatchObject({
      pid: process.pid,
      gateway: stack.url,
      uploadsDir: path.join(dataDir, 'uploads'),
    });
    expect(Object.keys(run.processes).sort()).toEqual([
      'calendar',
      'calendar-worker',
      'content',
      'gateway',
      'postgres',
      'redis',
    ]);
    expect(run.services['calendar-worker']).toEqual({
      http: expect.stringMatching(/^http:\/\/127/) as string,
    });
  });

  it('refuses to run twice on the same data', async () => {
    await expect(start()).rejects.toThrow(
      `Already running at ${stack.url} on ${dataDir} (process ${process.pid}). Stop it first, or set another DATA_DIR.`,
    );
    expect(readRun()).toEqual(run);
    expect(await statusOf(`${stack.url}/readyz`)).toBe(200);
  });

  it('brings back a service, PostgreSQL and Redis when they are killed', async () => {
    for (const name of ['calendar', 'postgres', 'redis']) {
      const before = readRun().processes[name]!;
      process.kill(before, 'SIGKILL');
      const after = await until(`${name} is back`, () => {
        const pid = readRun().processes[name];
        return pid !== before && pid;
      });
      expect(identityOf(after)).toBeDefined();
    }
    await until(
      'all is said',
      () =>
        ['PostgreSQL is back', 'Redis is back'].every((line) => said.includes(line)) &&
        said.some((line) => line.startsWith('calendar ready again')),
    );
    expect(readRun().databases).toEqual(run.databases);
  });

  it('stops everything and starts again with the same secrets, telling the password only once', async () => {
    const pids = Object.values(readRun().processes);
    await stack.stop();
    expect(readFileSync(path.join(run.uploadsDir, 'last-answers'), 'utf8')).toBe('200 200');
    expect(existsSync(runFile)).toBe(false);
    for (const pid of pids) expect(identityOf(pid)).toBeUndefined();

    const passwords = readFileSync(run.secretsFile, 'utf8');
    stack = await start();
    expect(readFileSync(run.secretsFile, 'utf8')).toBe(passwords);
    expect(stack.credentials).toEqual([
      `passwords of the first administrator, admin, as they were at first: ${run.secretsFile}`,
    ]);
  });
});

describe('a start that cannot succeed leaves nothing behind', () => {
  const fresh = (): { DATA_DIR: string } => ({
    DATA_DIR: path.join(folder, `data-${Math.random().toString(36).slice(2)}`),
  });

  const expectClean = (dir: string): void => {
    expect(existsSync(path.join(dir, 'run.json'))).toBe(false);
    expect(existsSync(path.join(dir, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
  };

  it('when the port is in use, before anything is started', async () => {
    const blocker = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
    const env = { ...fresh(), PORT: String(port) };
    await expect(start(env)).rejects.toThrow(
      `PORT ${port} on 127.0.0.1 is in use by another program. Stop it, or set another PORT.`,
    );
    await new Promise((resolve) => blocker.close(resolve));
    expect(said).toEqual([]);
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
  });

  it('when a program is not built', async () => {
    const env = fresh();
    const absent = { ...processes[0]!, name: 'absent', folder: 'services/absent' };
    await expect(start(env, { processes: [absent] })).rejects.toThrow(/^Not built: .*absent.*npm run build/);
    expect(said).toEqual([]);
  });

  it('when DATABASE_URL or REDIS_URL lead nowhere', async () => {
    const env = fresh();
    const closed = await freePort();
    await expect(
      start({ ...env, DATABASE_URL: `postgres://me:hidden@127.0.0.1:${closed}/x` }),
    ).rejects.toThrow(
      `DATABASE_URL: cannot use the PostgreSQL server at 127.0.0.1:${closed}: connect ECONNREFUSED`,
    );
    await expect(start({ ...env, REDIS_URL: `redis://127.0.0.1:${closed}` })).rejects.toThrow(
      `REDIS_URL: cannot use the Redis server at 127.0.0.1:${closed}: connect ECONNREFUSED`,
    );
    expectClean(env.DATA_DIR);
  });

  it('when a service dies again and again', async () => {
    const env = fresh();
    const broken = fakeProcess(root, 'broken', hopeless);
    await expect(start(env, { processes: [...processes, broken] })).rejects.toThrow(
      /^broken stopped 5 times before it was ready(.|\n)*no such table/,
    );
    expectClean(env.DATA_DIR);
    expect(said.slice(-3)).toEqual(['stopping the services', 'stopping Redis', 'stopping PostgreSQL']);
  });

  it('when it is given up half-way', async () => {
    const env = fresh();
    const abort = new AbortController();
    const waiting = fakeProcess(
      root,
      'waiting',
      'setInterval(() => {}, 1000); process.on("disconnect", () => process.exit())',
    );
    const attempt = start(env, { processes: [...processes, waiting], signal: abort.signal });
    await until('a service is ready', () => said.some((line) => line.startsWith('content ready')));
    abort.abort(new Error('stopped'));
    await expect(attempt).rejects.toThrow('stopped');
    expectClean(env.DATA_DIR);
  });

  it('and a record of a start that was killed does not prevent the next one', async () => {
    const env = fresh();
    mkdirSync(env.DATA_DIR);
    // The process id lives (it is ours), but it is not the process that wrote the file.
    writeFileSync(
      path.join(env.DATA_DIR, 'run.json'),
      JSON.stringify({ pid: process.pid, identity: 'an earlier one' }),
    );
    const stack = await start(env);
    await stack.stop();
    expectClean(env.DATA_DIR);
  });
});

test('what a restore left that was given up is gone after the next start', async () => {
  const DATA_DIR = path.join(folder, 'given up');
  const urlNow = (): string =>
    (JSON.parse(readFileSync(path.join(DATA_DIR, 'run.json'), 'utf8')) as RunFile).databases.content!;
  const databasesBeside = (): Promise<string[]> =>
    withClient(urlNow(), async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        `select datname from pg_database where datname like '%restored'`,
      );
      return rows.map((row) => row.datname);
    });
  let stack = await start({ DATA_DIR });
  try {
    const home = path.join(DATA_DIR, 'postgres');
    const password = readFileSync(path.join(home, 'superuser-password'), 'utf8').trim();
    const adminUrl = withDatabase(urlNow(), 'postgres', { user: 'postgres', password });
    await withClient(adminUrl, (admin) => admin.query('create database sevenfold_content_restored'));
    expect(await databasesBeside()).toEqual(['sevenfold_content_restored']);
    await stack.stop();
    const beside = path.join(DATA_DIR, 'restoring', 'files', 'forms');
    mkdirSync(beside, { recursive: true });
    writeFileSync(path.join(beside, 'letter.txt'), 'private');

    stack = await start({ DATA_DIR });
    expect(existsSync(path.join(DATA_DIR, 'restoring'))).toBe(false);
    expect(await databasesBeside()).toEqual([]);
  } finally {
    await stack.stop();
  }
});

describe('two stacks on the same servers', () => {
  let servers: TestServers;
  beforeAll(async () => {
    servers = await startTestServers();
  });
  afterAll(() => servers.stop());
  const startOn = (name: string, more: Record<string, string> = {}): Promise<Stack> =>
    start({
      DATA_DIR: path.join(folder, name),
      DATABASE_URL: servers.adminUrl,
      REDIS_URL: servers.redisUrl,
      ...more,
    });
  const idOf = (name: string): string =>
    (JSON.parse(readFileSync(path.join(folder, name, 'secrets.json'), 'utf8')) as { instanceId: string })
      .instanceId;

  it('the second stops with one message and leaves the first as it is', async () => {
    const first = await startOn('one');
    const { databases } = JSON.parse(readFileSync(path.join(folder, 'one', 'run.json'), 'utf8')) as RunFile;
    const meets = (what: string): string =>
      `${what} belongs to another instance (${idOf('one')}; this one is ${idOf('two')}). Nothing was changed.`;
    await expect(startOn('two')).rejects.toThrow(/^The Redis server with the prefix "sevenfold" belongs/);
    await expect(startOn('two')).rejects.toThrow(meets('The Redis server with the prefix "sevenfold"'));
    await expect(startOn('two', { REDIS_PREFIX: 'two' })).rejects.toThrow(
      meets(`The database sevenfold_${databaseServices[0]}`),
    );
    expect(said.filter((line) => line.includes('ready'))).toEqual([]);
    // Its passwords still open its databases: none was reset.
    for (const url of Object.values(databases)) await checkDatabase(url);
    await first.stop();
  });

  it('go on beside each other with prefixes of their own', async () => {
    const first = await startOn('one');
    const second = await startOn('two', { DATABASE_PREFIX: 'two_', REDIS_PREFIX: 'two' });
    const run = JSON.parse(readFileSync(path.join(folder, 'two', 'run.json'), 'utf8')) as RunFile;
    expect(new URL(run.databases.content as string).pathname).toBe('/two_content');
    const env = (await (await fetch(`${run.services.content!.http}/env`)).json()) as Record<string, string>;
    expect(env).toMatchObject({ REDIS_PREFIX: 'two', INSTANCE_ID: idOf('two') });
    await second.stop();
    await first.stop();
  });

  it('passwords of the operator are looked for in no file at later starts, and those of then change nobody', async () => {
    const prefixes = { DATABASE_PREFIX: 'four_', REDIS_PREFIX: 'four' };
    const file = path.join(folder, 'four', 'secrets.json');
    const own = { ADMIN_USERNAME: 'ann', ADMIN_PASSWORD: 'what Ann says' };
    await (await startOn('four', { ...prefixes, ...own })).stop();
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Secrets;
    expect(kept).toMatchObject({ administrator: 'ann', adminPassword: '' });
    expect(readFileSync(file, 'utf8')).not.toContain(own.ADMIN_PASSWORD);
    for (const [application, later] of [
      [file, {}],
      [
        'that of ADMIN_APPLICATION_PASSWORD',
        {
          ADMIN_USERNAME: 'ben',
          ADMIN_PASSWORD: 'what Ben says',
          ADMIN_APPLICATION_PASSWORD: 'what all programs say',
        },
      ],
    ] as const) {
      const stack = await startOn('four', { ...prefixes, ...later });
      await stack.stop();
      expect(stack.credentials).toEqual([
        'password of the first administrator, ann, as it was at first: that of ADMIN_PASSWORD when the site was made',
        `application password of the first administrator, ann: ${application}`,
      ]);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(kept);
    }
  });

  it('a new data folder takes over what is left of another one only by its name', async () => {
    const taken = await startOn('three', { INSTANCE_ID: idOf('one') });
    await taken.stop();
  });
});
