/**
 * A full disk costs what cannot be stored, and nothing else: a whole stack with all its data on a small file system of
 * its own. Everything that was acknowledged is there once when there is room again, and everything goes on by itself.
 * Only root can mount one; what logs do without room is tested in the chassis, on any machine.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { createLog } from '@sevenfold/chassis/log';
import { until } from '@sevenfold/chassis/testing/until';
import { registerImport, showImport } from '@sevenfold/imports/commands';
import { type BatchBody, type Pushed, push } from '@sevenfold/local/cli/push';
import { newFolder } from '@sevenfold/local/testing';
import { Client } from 'pg';
import { type TestStack, startTestStack } from '../support/stack';
import { superuserUrl } from '../support/superuser';

/** Of which an empty stack takes 90 MB. */
const ROOM = '400m';
const BATCHES = 24;
const EVENTS = 5;
/** The longest that any request may take: the gateway answers by itself after 30 s. */
const ANSWER_WITHIN_MS = 45_000;

const folder = newFolder(tmpdir(), 'sevenfold-full-');
const mounted = mount();
if (!mounted) console.warn('full-disk: no file system can be mounted here, so nothing of this is tested');

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM},mode=0711`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

let stack: TestStack;
let imports: Database;
let calendar: Database;
/** Opened while there is room, as a session of a database that none was opened for lately needs some. */
let superuser: Client;
let importId: string;
let pushing: Promise<Pushed>;
const over = new AbortController();

beforeAll(async () => {
  if (!mounted) return;
  stack = await startTestStack({ LOG_LEVEL: 'warn' }, true, path.join(folder, 'data'));
  const log = createLog('full-disk', 'test', 'silent');
  const open = (name: 'imports' | 'calendar'): Database =>
    openDatabase({ url: stack.run().databases[name] as string, size: 2, application: 'full-disk', log });
  imports = open('imports');
  calendar = open('calendar');
  superuser = new Client({ connectionString: superuserUrl(stack) });
  superuser.on('error', () => undefined);
  await superuser.connect();
});

afterAll(async () => {
  over.abort();
  await imports?.close();
  await calendar?.close();
  await superuser?.end();
  await stack?.stop();
  if (mounted) execFileSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

const filler = path.join(folder, 'filler');

/** To the last block. */
function fill(): void {
  const file = openSync(filler, 'a');
  for (let size = 4 * 1024 * 1024; size >= 4096;) {
    try {
      if (writeSync(file, Buffer.alloc(size, 'x')) < size) size /= 4;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      size /= 4;
    }
  }
  closeSync(file);
}

const empty = (): void => rmSync(filler);

/** Does not shrink. */
const bulk = (words: number): string =>
  Array.from({ length: words }, () => Math.random().toString(36)).join(' ');

function ask(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(address, stack.url), {
    ...init,
    headers: { Authorization: stack.administrator, ...init.headers },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
}

const statusOf = async (address: string): Promise<number> => {
  const answer = await ask(address);
  await answer.arrayBuffer();
  return answer.status;
};

/** What became of each post that was sent, by title. */
const posts = new Map<string, number>();

async function post(): Promise<number> {
  const title = `post ${posts.size}`;
  posts.set(title, 0);
  const answer = await ask('/rest/core/v2/posts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title, status: 'publish', content: bulk(3000) }),
  });
  posts.set(title, answer.status);
  await expectStoredOrRefused(answer);
  return answer.status;
}

async function expectStoredOrRefused(answer: Response): Promise<void> {
  const body: unknown = await answer.json();
  expect([201, 503, 507]).toContain(answer.status);
  if (answer.status === 201) return;
  expect(body).toMatchObject({
    code: answer.status === 507 ? 'insufficient_storage' : 'service_unavailable',
    data: { status: answer.status },
  });
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
}

const upload = (name: string): Promise<Response> =>
  ask('/rest/core/v2/media', {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'Content-Disposition': `attachment; filename="${name}"` },
    body: bulk(30_000),
  });

const uploaded = (): string[] =>
  readdirSync(stack.run().uploadsDir, { recursive: true, encoding: 'utf8' }).sort();

const batches: BatchBody[] = Array.from({ length: BATCHES }, (_, number) => ({
  status: {
    data: { total: BATCHES * EVENTS, done: number * EVENTS },
    batch: { total: BATCHES, done: number },
  },
  percentage_complete: Math.floor((100 * (number + 1)) / BATCHES),
  events: Array.from({ length: EVENTS }, (_none, place) => ({
    uid: `full-${number}-${place}`,
    title: `Event ${place} of batch ${number}`,
    description: bulk(500),
    start_date: '2031-05-01',
    start_hour: String(place),
    timezone: 'Europe/Brussels',
    venue: { venue: `Room ${place}` },
  })),
}));

/** Which of the processes ended so far, each as often as it did. */
const ended = (): string[] =>
  stack.said.flatMap((line) => /^(\S+) stopped \(.*, starting it again/.exec(line)?.[1] ?? []);

async function killRedis(): Promise<number> {
  const pid = stack.run().processes.redis as number;
  process.kill(pid, 'SIGKILL');
  await until(() => stack.said.includes('Redis is back'));
  return pid;
}

/**
 * PostgreSQL keeps what a session starts with in a file of each database, writes it anew where it is gone, as after any work on its
 * catalog, and opens no session where it cannot. Of those that are open the service of the posts is left one.
 */
async function closeTheDoor(): Promise<void> {
  const { rows } = await superuser.query<{ oid: number }>(
    `select datid as oid from pg_stat_activity where application_name like 'content-api%' limit 1`,
  );
  expect(rows).toHaveLength(1);
  const file = path.join('base', String(rows[0]?.oid), 'pg_internal.init');
  const folder = path.join(stack.dataDir, 'postgres');
  // None is left where PostgreSQL has taken it away itself since the disk is full: nobody could write it anew.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(file)) rmSync(path.join(folder, name));
  fill();
  await superuser.query(
    `select pg_terminate_backend(pid) from (
       select pid, row_number() over (partition by application_name order by backend_start) as n
       from pg_stat_activity where application_name like 'content-api%' and state = 'idle' and query not ilike 'listen%') as idle
     where n > 1`,
  );
}

/** The log of PostgreSQL needs a new segment, as it does sooner or later under any load: it has to stop then. */
async function endLog(): Promise<void> {
  const connectionString = superuserUrl(stack);
  await until(async () => {
    const database = new Client({ connectionString });
    database.on('error', () => undefined);
    try {
      await database.connect();
      await database.query('select pg_current_xact_id(); select pg_switch_wal()');
    } catch {
      // It is about to stop, or has.
    } finally {
      await database.end().catch(() => undefined);
    }
    return ended().includes('PostgreSQL');
  });
}

(mounted ? describe : describe.skip)('a disk without room', () => {
  test('refuses what it cannot keep, while all that is there can be read', async () => {
    for (let n = 0; n < 3; n++) expect(await post()).toBe(201);
    const { source_url: picture } = (await (await upload('before.txt')).json()) as { source_url: string };
    const { batchHash, ...registered } = await registerImport({ db: imports }, {});
    importId = registered.importId;
    const before = uploaded();
    let acknowledged = 0;
    const struck = new Promise<void>((resolve, reject) => {
      pushing = push({
        url: stack.url,
        authorization: stack.administrator,
        importId,
        batchHash,
        batches,
        signal: over.signal,
        repeatOneIn: 5,
        dropAnswerOneIn: 7,
        onAnswer: () => {
          acknowledged += 1;
          if (acknowledged !== BATCHES / 3) return;
          fill();
          resolve();
        },
      });
      pushing.catch(reject);
    });
    await struck;

    await until(async () => (await post()) === 507);
    // What PostgreSQL or Redis has given back meanwhile is room, too.
    fill();
    const refused = await upload('after.txt');
    expect(refused.status).toBe(507);
    await expectStoredOrRefused(refused);
    expect(uploaded()).toEqual(before);
    for (const address of [
      '/rest/',
      '/healthz',
      '/rest/core/v2/posts',
      '/rest/calendar/events/v1/events',
      picture,
    ])
      expect([address, await statusOf(address)]).toEqual([address, 200]);
    expect(ended()).toEqual([]);
  });

  test('Redis comes back on it, and what could not be written about it is written when there is room', async () => {
    const pid = await killRedis();
    await closeTheDoor();
    const read = (): Promise<number> => statusOf('/rest/core/v2/posts?_fields=title,content,date');
    expect(await Promise.all(Array.from({ length: 12 }, read))).toEqual(new Array(12).fill(200));
    await until(async () => {
      fill();
      return (await post()) === 507;
    });
    expect(readdirSync(stack.dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
    empty();
    await until(() => stack.run().processes.redis !== pid);
    await until(async () => (await post()) === 201);
  });

  test('PostgreSQL, whose log finds no room, is tried until it does; index and health go on', async () => {
    fill();
    await endLog();
    for (const address of ['/rest/', '/healthz'])
      expect([address, await statusOf(address)]).toEqual([address, 200]);
    expect(await post()).toBe(503);
    expect(await statusOf('/rest/core/v2/posts')).toBe(503);
    empty();
    await until(async () => (await post()) === 201);
    expect((await upload('again.txt')).status).toBe(201);
  });

  test('in the end all that was acknowledged is there once, and nothing that was refused', async () => {
    await pushing;
    await until(async () => (await showImport({ db: imports }, importId)).import.state === 'success');
    const shown = await showImport({ db: imports }, importId);
    expect(shown.faults).toEqual([]);
    expect(shown.import).toMatchObject({
      batchesAccepted: BATCHES,
      batchesApplied: BATCHES,
      failedBatch: 0,
      // A batch that was applied twice would have updated its events the second time.
      eventsCreated: BATCHES * EVENTS,
      eventsUpdated: 0,
    });
    const rows = await calendar.rows<{ uid: string }>(`select uid from events where uid like 'full-%'`, []);
    expect(rows.map(({ uid }) => uid).sort()).toEqual(
      batches.flatMap(({ events }) => (events as { uid: string }[]).map(({ uid }) => uid)).sort(),
    );

    const listed = await titles();
    for (const [title, status] of posts) {
      const times = listed.filter((one) => one === title).length;
      // A 503 may be that of a write whose answer was lost.
      if (status === 503) expect(times).toBeLessThanOrEqual(1);
      else expect([title, times]).toEqual([title, status === 201 ? 1 : 0]);
    }
    expect(ended().filter((name) => !['PostgreSQL', 'Redis'].includes(name))).toEqual([]);
  });
});

async function titles(): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page++) {
    const answer = await ask(`/rest/core/v2/posts?per_page=100&page=${page}&_fields=title`);
    expect(answer.status).toBe(200);
    const rows = (await answer.json()) as { title: { rendered: string } }[];
    all.push(...rows.map(({ title }) => title.rendered));
    if (page >= Number(answer.headers.get('x-total-pages'))) return all;
  }
}
