/** A Redis master, its replica and their Sentinels, as real processes on this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@redis/client';
import { freePorts } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { type RedisBinary, findRedis } from '@sevenfold/local/redis-binaries';

export interface Encryption {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface Sentinels {
  /** For REDIS_URL. */
  readonly url: string;
  /** Port of the master, as the Sentinels tell it. */
  master(): Promise<number>;
  /** They make the replica the master, as for an upgrade of the other one. */
  change(): Promise<void>;
  /** The process of the master, as if its machine were gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const PASSWORD = 'the password of the servers';
const GROUP = 'main';

export async function startSentinels(count: number, tls?: Encryption): Promise<Sentinels> {
  const binary = await findRedis(process.env, () => undefined);
  const folder = mkdtempSync(path.join(tmpdir(), 'sentinels-'));
  const [one, two, ...own] = (await freePorts(count + 2)) as [number, number, ...number[]];
  const servers = new Map<number, ChildProcess>();
  const start = (port: number, lines: readonly string[], ...args: string[]): void => {
    const file = path.join(folder, `${port}.conf`);
    writeFileSync(file, [...listening(port, tls), 'bind 127.0.0.1', `dir ${folder}`, ...lines].join('\n'));
    servers.set(port, startServer(binary, [file, ...args]));
  };
  const data = ['save ""', `requirepass "${PASSWORD}"`, `masterauth "${PASSWORD}"`];
  start(one, data);
  start(two, [...data, `replicaof 127.0.0.1 ${one}`]);
  const watching = [
    `sentinel monitor ${GROUP} 127.0.0.1 ${one} ${Math.ceil((count + 1) / 2)}`,
    `sentinel auth-pass ${GROUP} "${PASSWORD}"`,
    `sentinel down-after-milliseconds ${GROUP} 2000`,
    `sentinel failover-timeout ${GROUP} 20000`,
  ];
  for (const port of own) start(port, watching, '--sentinel');

  const ask = async <T>(...words: string[]): Promise<T | undefined> => {
    const port = own[0] as number;
    const socket = { host: '127.0.0.1', port, reconnectStrategy: false as const };
    const client = createClient({
      RESP: 2,
      socket: tls ? { ...socket, tls: true, rejectUnauthorized: false } : socket,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.sendCommand<T>(['SENTINEL', ...words]);
    } catch {
      return undefined;
    } finally {
      if (client.isOpen) client.destroy();
    }
  };
  const master = (): Promise<number> =>
    until(async () => Number((await ask<string[]>('GET-MASTER-ADDR-BY-NAME', GROUP))?.[1]) || undefined);
  // Until each knows the replica and the others, none of them could be asked for anything.
  const isKnown = async (): Promise<boolean> => {
    const replicas = await ask<string[][]>('REPLICAS', GROUP);
    const others = await ask<string[][]>('SENTINELS', GROUP);
    return replicas?.length === 1 && replicas[0]!.includes('ok') && others?.length === count - 1;
  };
  await until(isKnown);
  const [first, ...more] = own.map((port) => `127.0.0.1:${port}`);
  const parameters = new URLSearchParams([
    ['master', GROUP],
    ...more.map((place): [string, string] => ['sentinel', place]),
  ]);
  const scheme = tls ? 'rediss+sentinel' : 'redis+sentinel';
  return {
    url: `${scheme}://:${encodeURIComponent(PASSWORD)}@${first}/0?${parameters.toString()}`,
    master,
    change: async () => {
      const before = await master();
      await until(async () => (await ask('FAILOVER', GROUP)) === 'OK');
      await until(async () => (await master()) !== before);
    },
    kill: async () => {
      const before = await master();
      const child = servers.get(before) as ChildProcess;
      child.kill('SIGKILL');
      await until(async () => (await master()) !== before);
    },
    stop: async () => {
      const running = [...servers.values()].filter((child) => child.exitCode === null && !child.signalCode);
      await Promise.all(
        running.map((child) => {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          return ended;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const listening = (port: number, tls: Encryption | undefined): string[] =>
  tls
    ? [
        'port 0',
        `tls-port ${port}`,
        `tls-cert-file ${tls.cert}`,
        `tls-key-file ${tls.key}`,
        `tls-ca-cert-file ${tls.ca}`,
        'tls-auth-clients no',
        'tls-replication yes',
      ]
    : [`port ${port}`];

function startServer(binary: RedisBinary, args: readonly string[]): ChildProcess {
  const child = spawn(binary.command, args, {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...binary.env },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}
