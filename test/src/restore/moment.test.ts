/**
 * Back to a moment, as deploy/README.md describes it: a server that archives its log is copied while the site is written to; then
 * somebody deletes what he should not have. On another server the copy and the archive make what was there before, and the site tells
 * the same of it, to the byte.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@sevenfold/chassis/testing/until';
import { withClient } from '@sevenfold/local/databases';
import { type PostgresServer, startPostgres } from '@sevenfold/local/postgres';
import { newFolder } from '@sevenfold/local/testing';
import type { Client } from 'pg';
import { everythingOf } from '../support/everything';
import { type TestStack, startTestStack } from '../support/stack';

const SITE_URL = 'http://site.example';
const folder = newFolder(tmpdir(), 'sevenfold-moment-');
const place = (name: string): string => path.join(folder, name);
/** As the server of that folder sees it: only its own account may write there. */
const homeOf = (data: string): string => path.dirname(data);

let server: PostgresServer;
let stack: TestStack;
let data: string;

const ask = <T>(work: (client: Client) => Promise<T>): Promise<T> => withClient(server.adminUrl, work);
const one = async (client: Client, statement: string): Promise<string> => {
  const { rows } = await client.query<{ is: string }>(`select (${statement})::text as is`);
  return (rows[0] as { is: string }).is;
};

/** What the README says to set. */
async function archives(dir: string): Promise<void> {
  server = await startPostgres({ dir });
  data = await ask((client) => one(client, `current_setting('data_directory')`));
  const archive = path.join(homeOf(data), 'archive');
  mkdirSync(archive);
  const { uid, gid } = statSync(data);
  spawnSync('chown', [`${uid}:${gid}`, archive]);
  await ask(async (client) => {
    await client.query(`alter system set archive_mode = on`);
    await client.query(`alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`);
  });
  await server.stop();
  server = await startPostgres({ dir });
}

/** A copy of a server that goes on, without its programs for that (`pg_basebackup`): what it needs besides is in the archive. */
const copyTo = (target: string): Promise<void> =>
  ask(async (client) => {
    await client.query(`select pg_backup_start('test', true)`);
    mkdirSync(target, { mode: 0o700 });
    spawnSync('cp', ['-a', data, path.join(target, 'data')]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    const copied = path.join(target, 'data');
    writeFileSync(path.join(copied, 'backup_label'), (rows[0] as { labelfile: string }).labelfile);
    rmSync(path.join(copied, 'postmaster.pid'), { force: true });
    for (const name of readdirSync(path.join(copied, 'pg_wal')))
      rmSync(path.join(copied, 'pg_wal', name), { recursive: true });
  });

async function restoreTo(dir: string, copy: string, moment: string): Promise<void> {
  const home = homeOf(data);
  cpSync(place('archive-kept'), path.join(dir, 'archive'), { recursive: true });
  spawnSync('cp', ['-a', path.join(copy, 'data'), path.join(dir, 'data')]);
  copyFileSync(path.join(home, 'superuser-password'), path.join(dir, 'superuser-password'));
  writeFileSync(path.join(dir, 'data', 'recovery.signal'), '');
  appendFileSync(
    path.join(dir, 'data', 'postgresql.auto.conf'),
    [
      `archive_mode = off`,
      `restore_command = 'cp ${path.join(dir, 'archive')}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
      '',
    ].join('\n'),
  );
  const { uid, gid } = statSync(path.join(copy, 'data'));
  spawnSync('chown', ['-R', `${uid}:${gid}`, dir]);
  server = await startPostgres({ dir });
}

/** Whether the site is found from outside is nothing that is restored: it hangs on who answers for names when it is asked. */
const startSite = (dataDir: string): Promise<TestStack> =>
  startTestStack({ SITE_URL, EXTERNAL_CHECK: 'false', DATABASE_URL: server.adminUrl }, true, dataDir);

const send = async (method: string, where: string, body?: object): Promise<{ id: number }> => {
  const answer = await fetch(`${stack.url}/rest/${where}`, {
    method,
    headers: { Authorization: stack.administrator, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: number };
};

/** Writes until it is stopped; answers the ids of what was written. */
function writing(): () => Promise<number[]> {
  const ids: number[] = [];
  let over = false;
  const work = Promise.all(
    ['core/v2/posts', 'core/v2/pages'].map(async (where) => {
      while (!over) {
        const { id } = await send('POST', where, { title: 'Written meanwhile', status: 'publish' });
        if (where.endsWith('posts')) ids.push(id);
      }
    }),
  );
  return async () => {
    over = true;
    await work;
    return ids;
  };
}

afterAll(async () => {
  await stack?.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

test('what was deleted is there again, what was written since is not, and the site goes on from there', async () => {
  await archives(place('server'));
  stack = await startSite(place('site'));
  for (let number = 0; number < 10; number++) {
    await send('POST', 'core/v2/posts', { title: `Post ${number}`, status: 'publish' });
    await send('POST', 'calendar/events/v1/events', {
      title: `Event ${number}`,
      start_date: '2031-05-01 10:00:00',
      end_date: '2031-05-01 12:00:00',
    });
  }
  const stop = writing();
  await copyTo(place('copy'));
  const ids = await stop();
  expect(ids.length).toBeGreaterThan(0);
  const before = await everythingOf(stack, SITE_URL);
  const moment = await ask((client) => one(client, 'clock_timestamp()'));

  for (const id of ids) await send('DELETE', `core/v2/posts/${id}?force=true`);
  await send('POST', 'core/v2/posts', { title: 'Written after it', status: 'publish' });
  await ask(async (client) => {
    const last = await one(client, 'pg_walfile_name(pg_current_wal_lsn())');
    await client.query('select pg_switch_wal()');
    await until(async () => {
      const archived = await one(client, `(select coalesce(last_archived_wal, '') from pg_stat_archiver)`);
      return archived >= last;
    });
  });
  await stack.stack.stop();
  await server.stop();
  // Only the copy and the archive are left.
  cpSync(path.join(homeOf(data), 'archive'), place('archive-kept'), { recursive: true });
  rmSync(data, { recursive: true });
  rmSync(place('site/redis'), { recursive: true, force: true });

  mkdirSync(place('again'), { mode: 0o700 });
  await restoreTo(place('again'), place('copy'), moment);
  stack = await startSite(place('site'));
  const after = await everythingOf(stack, SITE_URL);
  expect(before.size).toBeGreaterThan(100);
  expect([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key))).toEqual([]);
  const { id } = await send('POST', 'core/v2/posts', { title: 'Written again', status: 'publish' });
  expect(await send('GET', `core/v2/posts/${id}`)).toMatchObject({ title: { rendered: 'Written again' } });
  expect(readFileSync(path.join(place('again'), 'data', 'backup_label.old'), 'utf8')).toContain('test');
}, 600_000);
