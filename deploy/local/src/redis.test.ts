import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { freePort } from './ports';
import { pingRedis, startRedis, type RedisServer } from './redis';
import { findRedis } from './redis-binaries';
import { temporaryFolder, until } from './test-support';

const folder = temporaryFolder();
const dir = path.join(folder, 'redis');
const lines: string[] = [];
let server: RedisServer;

const start = async (): Promise<void> => {
  lines.length = 0;
  server = await startRedis({ dir, log: (line) => lines.push(line) });
};

/** Sends one command and answers the raw reply. */
function send(...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(`${words.join(' ')}\r\n`));
    socket.once('data', (reply) => {
      socket.destroy();
      resolve(reply.toString());
    });
    socket.once('error', reject);
  });
}

// The first start on a machine may fetch packages.
beforeAll(start, 200_000);
afterAll(() => server.stop(), 30_000);

describe('the server', () => {
  it('writes down what it was told and forgets nothing for lack of memory', async () => {
    expect(await send('CONFIG', 'GET', 'appendonly')).toContain('yes');
    expect(await send('CONFIG', 'GET', 'appendfsync')).toContain('everysec');
    expect(await send('CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await send('CONFIG', 'GET', 'save')).toBe('*2\r\n$4\r\nsave\r\n$0\r\n\r\n');
    expect(await send('CONFIG', 'GET', 'bind')).toContain('127.0.0.1');
  });

  it('keeps the data over a stop and a start', async () => {
    await send('SET', 'kept', '7');
    await server.stop();
    await start();
    expect(await send('GET', 'kept')).toBe('$1\r\n7\r\n');
  });

  it('keeps the data over kill -9', async () => {
    await send('SET', 'also', '8');
    // Written within a second; the file is what a killed process leaves behind.
    await until('the write is in the file', async () =>
      (await send('INFO', 'persistence')).includes('aof_pending_bio_fsync:0'),
    );
    process.kill(server.pid, 'SIGKILL');
    expect(await server.exited).toBe('ended by SIGKILL');
    await start();
    expect(await send('GET', 'also')).toBe('$1\r\n8\r\n');
  });

  it('stops the one that an earlier start left running', async () => {
    const earlier = server;
    await start();
    expect(lines).toEqual(['Redis: stopped a server left behind by an earlier start']);
    expect(await earlier.exited).toBe('exit code 0');
    expect(await send('GET', 'kept')).toBe('$1\r\n7\r\n');
  });

  it('says what is wrong when it cannot start', async () => {
    const other = path.join(folder, 'other');
    await expect(startRedis({ dir: other, port: server.port })).rejects.toThrow(
      /does not start \(exit code 1\)\.\n(.*\n)*.*Address already in use/,
    );
  });

  it('writes nothing when it need not be durable', async () => {
    const quick = await startRedis({ dir: path.join(folder, 'quick'), durable: false });
    await quick.stop();
    expect(existsSync(path.join(folder, 'quick', 'appendonlydir'))).toBe(false);
  });
});

describe('when there is no Redis', () => {
  const message = /^Redis is needed and was not found: .*apt-get install redis-server.*set REDIS_URL/;

  it('and no apt-get, the message says what to install', async () => {
    await expect(
      findRedis({ PATH: '', SEVENFOLD_CACHE: path.join(folder, 'empty') }, () => undefined),
    ).rejects.toThrow(message);
  });

  it('and apt-get reaches nothing, the message says so as well, and nothing is left behind', async () => {
    const bin = path.join(folder, 'bin');
    mkdirSync(bin);
    for (const name of ['apt-get', 'apt-cache', 'dpkg', 'dpkg-query']) {
      writeFileSync(
        path.join(bin, name),
        '#!/bin/sh\necho "E: Failed to fetch http://deb.debian.org/ Could not connect" >&2\nexit 100\n',
      );
      chmodSync(path.join(bin, name), 0o755);
    }
    const cache = path.join(folder, 'unreachable');
    const attempt = findRedis({ PATH: bin, SEVENFOLD_CACHE: cache }, () => undefined);
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toThrow('Failed to fetch http://deb.debian.org/ Could not connect');

    expect(readdirSync(path.join(cache, 'redis'))).toEqual([]);
  });
});

describe('pingRedis', () => {
  it('tells a closed port, a missing password and another program apart', async () => {
    await expect(pingRedis(`redis://127.0.0.1:${await freePort()}`)).rejects.toThrow('ECONNREFUSED');
    await expect(pingRedis(`redis://:wrong@127.0.0.1:${server.port}`)).rejects.toThrow(/AUTH/);
    const other = net.createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await expect(pingRedis(`redis://127.0.0.1:${(other.address() as net.AddressInfo).port}`)).rejects.toThrow(
      'the connection was closed',
    );
    await new Promise((resolve) => other.close(resolve));
  });
});
