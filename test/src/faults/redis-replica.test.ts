/**
 * A Redis that becomes a replica and keeps its connections, as behind one address that leads to whichever server is the master: what
 * reads goes on there, and all that writes is refused. Whoever is refused connects anew, and finds the new master, or the old one
 * when it is master again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '@sevenfold/chassis/log';
import { freePorts } from '@sevenfold/chassis/ports';
import { type RedisClient, closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { until } from '@sevenfold/chassis/testing/until';
import { findRedis } from '@sevenfold/local/redis-binaries';
import { type Numbers, startNumbers } from '../support/numbers';

const log = createLog('redis-replica', 'test', process.env.TEST_LOG_LEVEL ?? 'silent');
const folder = mkdtempSync(path.join(tmpdir(), 'replica-'));
const servers: ChildProcess[] = [];
let ports: [number, number];
/** To the servers themselves. */
const direct: RedisClient[] = [];
let master: number;
let door: Server;
const passing = new Set<Socket>();
let url: string;
let numbers: Numbers;

/** Leads whoever connects to the server that is the master then, and leaves those who are connected where they are. */
const openDoor = (): Server =>
  createServer((near) => {
    const far = connect(master, '127.0.0.1');
    passing.add(near);
    near.on('close', () => passing.delete(near));
    const end = (one: Socket, other: Socket): void => {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    };
    end(near, far);
    end(far, near);
    near.pipe(far).pipe(near);
  });

beforeAll(async () => {
  const binary = await findRedis(process.env, () => undefined);
  ports = (await freePorts(2)) as [number, number];
  for (const port of ports) {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const env = { PATH: process.env.PATH, LC_ALL: 'C', ...binary.env };
    const child = spawn(binary.command, args, { stdio: 'ignore', env });
    process.once('exit', () => child.kill('SIGKILL'));
    servers.push(child);
    const redis = openRedis(`redis://127.0.0.1:${port}`, log);
    direct.push(redis);
    await until(() => redis.isReady);
  }
  master = ports[0];
  door = openDoor().listen(0, '127.0.0.1');
  await once(door, 'listening');
  url = `redis://127.0.0.1:${(door.address() as AddressInfo).port}`;
  numbers = await startNumbers({ url, instanceId: 'one' }, log);
});
afterAll(async () => {
  await numbers?.stop();
  for (const redis of direct) await closeRedis(redis);
  door?.close();
  for (const socket of passing) socket.destroy();
  for (const child of servers) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const server = (index: 0 | 1): RedisClient => direct[index] as RedisClient;
const replicaOf = (index: 0 | 1, ...whom: [string, string]): Promise<unknown> =>
  server(index).sendCommand(['REPLICAOF', ...whom]);

test('another server is the master, and connections stay with the one before: everybody moves over', async () => {
  await numbers.send();
  await numbers.lastThrough();
  await replicaOf(1, '127.0.0.1', String(ports[0]));
  await until(async () => (await server(1).info('replication')).includes('master_link_status:up'));
  master = ports[1];
  await replicaOf(1, 'NO', 'ONE');
  await replicaOf(0, '127.0.0.1', String(ports[1]));
  for (let n = 0; n < 20; n += 1) await numbers.send();
  await numbers.lastThrough();
  await numbers.allThrough();
});

test('a user who may not ask what the server is hears so, and what waited is done when he may', async () => {
  const told: string[] = [];
  const noting = createLog('rights', 'test', 'warn', { write: (line: string) => void told.push(line) });
  const right = (...rights: string[]): Promise<unknown> =>
    server(1).sendCommand(['ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', ...rights]);
  await right('+@all', '-@dangerous');
  const theirs = await startNumbers({ url: `redis://app:secret@127.0.0.1:${ports[1]}` }, noting);
  await theirs.send();
  await until(() => ['The queue', 'the relay'].every((what) => told.some((line) => line.includes(what))));
  expect(told.filter((line) => line.includes('The queue'))).toEqual([
    expect.stringContaining("'info' command"),
  ]);
  await right('+@all');
  await theirs.lastThrough();
  await theirs.allThrough();
  await theirs.stop();
});

test('it is a replica for a while, and nobody else is the master: what was written meanwhile is done afterwards', async () => {
  await replicaOf(0, 'NO', 'ONE');
  await replicaOf(1, '127.0.0.1', String(ports[0]));
  for (let n = 0; n < 20; n += 1) await numbers.send();
  const redis = openRedis(url, log);
  await until(() => redis.isReady);
  await expect(redis.set('one', '1')).rejects.toThrow('READONLY');
  await replicaOf(1, 'NO', 'ONE');
  await numbers.lastThrough();
  await numbers.allThrough();
  await until(() => redis.isReady);
  expect(await redis.set('one', '1')).toBe('OK');
  await closeRedis(redis);
});
