/**
 * What operators do with a whole site. Its status: what runs, what waits. Saved and put back: what it tells is the same to the byte afterwards; what was acknowledged before a backup
 * began is in it however much is written meanwhile; and what ends in the middle is never served.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { databaseServices, services } from '@sevenfold/catalog/catalog';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { until } from '@sevenfold/chassis/testing/until';
import { readArchive } from '@sevenfold/local/backup/archive';
import { findMark } from '@sevenfold/local/backup/unfinished';
import { withClient, withDatabase } from '@sevenfold/local/databases';
import { readSettings } from '@sevenfold/local/settings';
import { startStack } from '@sevenfold/local/stack';
import { remoteStatus } from '@sevenfold/local/status/remote';
import type { StatusRow } from '@sevenfold/local/status/rows';
import { newFolder } from '@sevenfold/local/testing';
import { everythingOf } from '../support/everything';
import { type TestStack, startTestStack } from '../support/stack';
import type { Told } from '../support/walk';

const repository = path.resolve(__dirname, '../../..');
const SITE_URL = 'http://site.example';
const SETTINGS = { SITE_URL, EXTERNAL_CHECK: 'false', SAMPLES: 'off' };
const folder = newFolder(tmpdir(), 'sevenfold-backup-');
const place = (name: string): string => path.join(folder, name);

interface Ended {
  readonly code: number;
  readonly output: string;
}

const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...SETTINGS,
  ...env,
});
const PROGRAM = path.join(repository, 'deploy/local/dist/cli/main.js');

const cli = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { env: environment(env) }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

async function well(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, output } = await cli(env, ...args);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${output}`);
  return output;
}

const count = (url: string, what: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from ${what}`);
    return (rows[0] as { n: number }).n;
  });

const differences = (a: Told, b: Told): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));

const send = (stack: TestStack, where: string, body: object): Promise<Response> =>
  fetch(`${stack.url}/rest/${where}`, {
    method: 'POST',
    headers: { Authorization: stack.administrator, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

let first: TestStack;
let second: TestStack;
let before: Told;
beforeAll(async () => {
  first = await startTestStack(SETTINGS);
  const env = { DATA_DIR: first.dataDir };
  await well(env, ...'seed --posts 12 --users 3 --comments 24 --events 12'.split(' '));
  await well(env, 'import-site', path.join(repository, 'deploy/local/samples/site.xml'));
  // What was made up tells nobody: the index would learn of it by comparing, some time.
  await well(env, 'seo', 'reindex');
  const picture = await fetch(`${first.url}/rest/core/v2/media`, {
    method: 'POST',
    headers: {
      Authorization: first.administrator,
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="dot.png"',
    },
    body: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  expect(picture.status).toBe(201);
  const forms = (await (
    await fetch(`${first.url}/rest/contact-form/v1/contact-forms`, {
      headers: { Authorization: first.administrator },
    })
  ).json()) as { id: number }[];
  const data = new FormData();
  const values = { 'your-name': 'Ann', 'your-email': 'ann@example.org', 'your-subject': 'Hello' };
  for (const [name, value] of Object.entries({ ...values, 'your-message': 'A question.' }))
    data.append(name, value);
  const feedback = await fetch(`${first.url}/rest/contact-form/v1/contact-forms/${forms[0]?.id}/feedback`, {
    method: 'POST',
    body: data,
  });
  expect(await feedback.json()).toMatchObject({ status: 'mail_sent' });
  before = await everythingOf(first, SITE_URL);
});
afterAll(async () => {
  await first?.stop();
  await second?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the status', () => {
  const ask = async (...args: string[]): Promise<{ code: number; rows: StatusRow[] }> => {
    const { code, output } = await cli({ DATA_DIR: first.dataDir }, 'status', '--format', 'json', ...args);
    return { code, rows: JSON.parse(output) as StatusRow[] };
  };
  /** A gateway that found a service frozen hears of its thaw a moment later. */
  const wellAgain = async (): Promise<void> => {
    await until(async () => (await remoteStatus(first.url)).every(({ ok }) => ok));
  };
  /** Once it says so: what a job or a beat is late by is another state for a moment. */
  const askUntil = async (
    is: (rows: readonly StatusRow[]) => boolean,
    ...args: string[]
  ): Promise<{ code: number; rows: StatusRow[] }> =>
    until(async () => {
      const told = await ask(...args);
      return is(told.rows) && told;
    });
  const wrong = (rows: readonly StatusRow[]): string[] =>
    rows.filter(({ ok }) => !ok).map(({ name }) => name);
  const names = (rows: readonly StatusRow[], part: string): string[] =>
    rows.filter((row) => row.part === part).map(({ name }) => name);
  test('of a site that is well', async () => {
    const { code, rows } = await askUntil((all) =>
      all.every(({ ok, part, waiting }) => ok && (part !== 'lag' || waiting === 0)),
    );
    expect(code).toBe(0);
    expect(names(rows, 'process').sort()).toEqual(Object.keys(first.run().processes).sort());
    expect(names(rows, 'store').sort()).toEqual([...databaseServices, 'disk', 'redis'].sort());
    expect(names(rows, 'version').sort()).toEqual([...databaseServices, 'sevenfold'].sort());
    expect(names(rows, 'lag')).toEqual(
      expect.arrayContaining(databaseServices.map((name) => `${name} outbox`)),
    );
    expect(names(rows, 'lag')).toContain('seo of content.post.changed');
  });

  test('of one with a job that failed, one that waits, and a process that hangs', async () => {
    const { databases } = first.run();
    await withClient(databases.imports as string, (client) =>
      client.query(
        `insert into outbox (kind, channel, name, payload, run_at, failed_at) values
           ('job', 'of nobody', 'fail', '{}', now() - interval '1 hour', now()),
           ('job', 'of nobody', 'wait', '{}', now() - interval '1 hour', null)`,
      ),
    );
    const thaw = first.freeze('oembed');
    try {
      const { code, rows } = await askUntil((all) => wrong(all).join() === 'oembed,of nobody');
      expect(code).toBe(1);
      expect(rows.filter(({ ok }) => !ok)).toEqual([
        expect.objectContaining({ part: 'process', name: 'oembed', state: 'silent' }),
        expect.objectContaining({ part: 'queue', name: 'of nobody', waiting: 1, failed: 1 }),
      ]);
      expect(rows.find(({ name }) => name === 'of nobody')?.oldest_seconds).toBeGreaterThanOrEqual(3600);
      const csv = await cli({ DATA_DIR: first.dataDir }, 'status', '--format', 'csv');
      expect(csv.output.split('\r\n')).toHaveLength(rows.length + 2);
    } finally {
      thaw();
      await withClient(databases.imports as string, (client) =>
        client.query(`delete from outbox where channel = 'of nobody'`),
      );
      await wellAgain();
    }
  });

  test('of a site elsewhere, as far as strangers may ask', async () => {
    const { code, rows } = await askUntil((all) => wrong(all).length === 0, '--url', `${first.url}/`);
    expect(rows.map(({ part, name, state }) => [part, name, state])).toEqual([
      ['process', 'gateway', 'ready'],
      ...services.map(({ namespace }) => ['namespace', namespace, 'answers']),
    ]);
    expect(code).toBe(0);
    const thaw = first.freeze('imports');
    try {
      await askUntil((rows) => wrong(rows).join() === 'calendar/event-aggregator/v1', '--url', first.url);
    } finally {
      thaw();
      await wellAgain();
    }
    const nobody = await ask('--url', 'http://127.0.0.1:9');
    expect(nobody.code).toBe(1);
    expect(nobody.rows.map(({ state }) => state)).toEqual(['not reached', 'not reached']);
  });

  test('of a folder that nothing runs from', async () => {
    const { code, output } = await cli({ DATA_DIR: place('nowhere') }, 'status');
    expect([code, output]).toEqual([1, expect.stringContaining('No site runs from')]);
  });
});

test('a site put back elsewhere tells the same, to the byte', async () => {
  const saved = await well({ DATA_DIR: first.dataDir }, 'backup', place('quiet'));
  expect(saved).toMatch(/saved \d+ tables and [1-9]\d* files/);
  expect(statSync(place('quiet')).mode & 0o777).toBe(0o600);
  // Nobody asks it any more, and what idles takes time from the others.
  await first.stack.stop();
  await well({ DATA_DIR: place('second') }, 'restore', place('quiet'));
  second = await startTestStack(SETTINGS, false, place('second'));
  const after = await everythingOf(second, SITE_URL);
  expect(before.size).toBeGreaterThan(300);
  expect(differences(before, after)).toEqual([]);
});

test('every database of the catalog is in it, and nothing that only one service has is named where it is made', async () => {
  let databases: string[] = [];
  await readArchive(place('quiet'), undefined, async (entry) => {
    if (entry.name === 'manifest.json')
      databases = Object.keys(((await entry.json()) as { databases: object }).databases);
    else await entry.stream.toArray();
  });
  expect(databases.sort()).toEqual([...databaseServices].sort());
});

describe('with servers of its own, written to all the while', () => {
  const suffix = randomBytes(4).toString('hex');
  const { adminUrl, redisUrl } = testServers();
  // What cloud providers give out: no superuser.
  const operator = `operator_${suffix}`;
  const login = new URL(adminUrl);
  [login.username, login.password] = [operator, operator];
  const own = {
    DATA_DIR: place('third'),
    DATABASE_URL: login.href,
    DATABASE_PREFIX: `backup_${suffix}_`,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `backup_${suffix}`,
  };
  const urlOf = (service: string): string => withDatabase(adminUrl, `${own.DATABASE_PREFIX}${service}`);
  const titles = (url: string): Promise<Set<string>> =>
    withClient(url, async (client) => {
      const { rows } = await client.query<{ title: string }>(
        `select title_raw as title from posts where title_raw like 'written %'`,
      );
      return new Set(rows.map(({ title }) => title));
    });
  afterAll(() =>
    withClient(adminUrl, async (admin) => {
      for (const { name } of services) {
        await admin.query(`drop database if exists ${own.DATABASE_PREFIX}${name} with (force)`);
        await admin.query(`drop database if exists ${own.DATABASE_PREFIX}${name}_restored with (force)`);
        await admin.query(`drop role if exists ${own.DATABASE_PREFIX}${name}`);
      }
      await admin.query(`drop role ${operator}`);
    }),
  );

  let acknowledged: string[];
  let asked: number;
  beforeAll(async () => {
    await withClient(adminUrl, (admin) =>
      admin.query(`create role ${operator} login createdb createrole password '${operator}'`),
    );
    let stopped = false;
    asked = 0;
    const done: string[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const title = `written ${(asked += 1)}`;
        const { status } = await send(second, 'core/v2/posts', { title, status: 'publish' });
        if (status === 201) done.push(title);
      }
    });
    await until(() => done.length > 20);
    acknowledged = [...done];
    const saving = well({ DATA_DIR: second.dataDir }, 'backup', place('busy'));
    await saving;
    stopped = true;
    await Promise.all(writers);
    expect(done.length).toBeGreaterThan(acknowledged.length);
    await second.stack.stop();
  });

  const start = (): Promise<unknown> =>
    startStack({
      settings: readSettings({ ...SETTINGS, ...own, PORT: '0' }),
      env: environment(own),
      say: () => undefined,
      signal: AbortSignal.timeout(60_000),
    });

  const mark = (): { replacing: boolean } | undefined => findMark(own.DATA_DIR);

  /** Answers its code, null where the signal alone ended it. */
  async function endedWhen(
    is: () => boolean | Promise<boolean>,
    signal: NodeJS.Signals,
    ...args: string[]
  ): Promise<number | null> {
    const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
      env: environment(own),
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await until(async () => child.exitCode !== null || (await is()));
    child.kill(signal);
    return ended;
  }
  const killedWhen = (is: () => boolean | Promise<boolean>): Promise<number | null> =>
    endedWhen(is, 'SIGKILL', 'restore', place('busy'));

  test('killed at any moment, it leaves nothing that starts, and says how to go on', async () => {
    await killedWhen(() => mark() !== undefined);
    await expect(start()).rejects.toThrow(
      /did not end\. Do it again: .* restore .*\nNothing was replaced yet/,
    );
    for (let n = 0; n < 3; n += 1) {
      const later = Date.now() + Math.random() * 4_000;
      await killedWhen(() => mark() !== undefined && Date.now() > later);
      if (mark() !== undefined) await expect(start()).rejects.toThrow('did not end');
    }
    await killedWhen(() => mark()?.replacing === true);
    // One that was faster than the look at it is whole.
    if (mark() === undefined) return;
    await expect(start()).rejects.toThrow(/did not end\. Do it again: [^\n]*restore [^\n]*$/);
    await expect(cli(own, 'backup', place('half'))).resolves.toMatchObject({
      code: 1,
      output: expect.stringContaining('did not end') as string,
    });
  });

  test('done again, it is whole: nothing that was acknowledged before the backup began is missing', async () => {
    await well(own, 'restore', place('busy'), ...(mark() === undefined ? ['--replace'] : []));
    expect(mark()).toBeUndefined();
    const there = await titles(urlOf('content'));
    expect(acknowledged.filter((title) => !there.has(title))).toEqual([]);
    expect([...there].filter((title) => Number(title.split(' ')[1]) > asked)).toEqual([]);
    // Each came with the promise to tell others of it.
    expect(await count(urlOf('content'), `outbox where name = 'content.post.changed'`)).toBeGreaterThan(0);
  });

  test('what is there is replaced only if asked, and only by whose it is', async () => {
    const refused = await cli(own, 'restore', place('quiet'));
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('There is a') as string });
    const stranger = { ...own, DATA_DIR: place('stranger') };
    const foreign = await cli(stranger, 'restore', place('quiet'), '--replace');
    expect(foreign.output).toContain('belongs to another instance');
    await well(own, 'restore', place('quiet'), '--replace');
    expect((await titles(urlOf('content'))).size).toBe(0);
  });

  test('saved again, standing still, it is the same row by row', async () => {
    await well({ ...own, BACKUP_PASSPHRASE: 'a passphrase' }, 'backup', place('again'));
    const content = async (file: string, passphrase?: string): Promise<Told> => {
      const found: Told = new Map();
      await readArchive(file, passphrase, async ({ name, stream }) => {
        const text = Buffer.concat((await stream.toArray()) as Buffer[]).toString('latin1');
        // Of clocks: when something was promised again, or taken in.
        if (/^(manifest|secrets)\.json$|\/(outbox|inbox)\//.test(name)) return;
        const table = name.replace(/\/\d{6}$/, '');
        found.set(table, (found.get(table) ?? '') + text);
      });
      return found;
    };
    const [one, two] = [await content(place('quiet')), await content(place('again'), 'a passphrase')];
    expect(differences(one, two)).toEqual([]);
    expect((await cli(own, 'restore', place('again'), '--replace')).output).toContain('needs its passphrase');
  });

  test('stopped while it is saved, it leaves nothing of its secrets; killed, the next one clears that away', async () => {
    const remains = (): string[] =>
      [folder, own.DATA_DIR]
        .flatMap((one) => readdirSync(one))
        .filter((name) => /\.part$|^held-for-backup\./.test(name));
    const large = path.join(own.DATA_DIR, 'uploads', 'large.bin');
    writeFileSync(large, '');
    truncateSync(large, 16 * 1024 ** 3);
    const isWriting = (): boolean => remains().length === 2;
    const stoppedBy = (signal: NodeJS.Signals): Promise<number | null> =>
      endedWhen(isWriting, signal, 'backup', place('stopped'));
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      expect([signal, await stoppedBy(signal)]).toEqual([signal, 130]);
      expect([signal, ...remains()]).toEqual([signal]);
    }
    expect(await stoppedBy('SIGKILL')).toBeNull();
    expect(remains()).toHaveLength(2);
    rmSync(large);
    await well(own, 'backup', place('whole'));
    expect(remains()).toEqual([]);
    expect(existsSync(place('stopped'))).toBe(false);
  });
});
