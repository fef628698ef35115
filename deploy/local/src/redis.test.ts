import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { freePort } from '@sevenfold/chassis/ports';
import { checkRedisOwner, claimRedisOwner, pingRedis, startRedis, type RedisServer } from './redis';
import { findRedis } from './redis-binaries';
import { temporaryFolder, until } from './test-support';

const PASSWORD = 'a-password-of-tests';
const folder = temporaryFolder();
const dir = path.join(folder, 'redis');
const lines: string[] = [];
let server: RedisServer;

const start = async (): Promise<void> => {
  lines.length = 0;
  server = await startRedis({ dir, password: PASSWORD, log: (line) => lines.push(line) });
};

/** Sends lines as whoever reaches the port could, and answers the raw replies, one chunk for each. */
function speak(...inline: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const replies: string[] = [];
    const socket = net.connect(server.port, '127.0.0.1', () => socket.write(`${inline[0]}\r\n`));
    socket.on('data', (reply) => {
      replies.push(reply.toString());
      const next = inline[replies.length];
      if (next !== undefined) return void socket.write(`${next}\r\n`);
      socket.destroy();
      resolve(replies);
    });
    socket.once('error', reject);
  });
}

/** Sends one command as our user and answers the raw reply. */
const send = async (...words: string[]): Promise<string> =>
  (await speak(`AUTH sevenfold ${PASSWORD}`, words.join(' '))).at(-1) as string;

// The first start on a machine may fetch packages.
beforeAll(start);
afterAll(() => server.stop());

describe('the server', () => {
  it('writes down what it was told and forgets nothing for lack of memory', async () => {
    expect(await send('CONFIG', 'GET', 'appendonly')).toContain('yes');
    expect(await send('CONFIG', 'GET', 'appendfsync')).toContain('everysec');
    expect(await send('CONFIG', 'GET', 'maxmemory-policy')).toContain('noeviction');
    expect(await send('CONFIG', 'GET', 'save')).toBe('*2\r\n$4\r\nsave\r\n$0\r\n\r\n');
    expect(await send('CONFIG', 'GET', 'bind')).toContain('127.0.0.1');
  });

  it('serves nobody without the password, and nobody who would run it', async () => {
    for (const command of ['GET kept', 'SET a b', 'KEYS *', 'FLUSHALL', 'INFO', 'CONFIG GET dir'])
      expect(await speak(command)).toEqual([expect.stringMatching(/^-NOAUTH /)]);
    for (const login of ['AUTH wrong', 'AUTH default wrong', 'AUTH default ""', 'AUTH sevenfold wrong'])
      expect(await speak(login, 'PING')).toEqual([
        expect.stringMatching(/^-WRONGPASS /),
        expect.stringMatching(/^-NOAUTH /),
      ]);
    for (const command of ['CONFIG SET dir /tmp', 'ACL LIST', 'SHUTDOWN', 'MODULE LIST'])
      expect(await send(command)).toMatch(/^-NOPERM /);
    expect(statSync(path.join(dir, 'users.acl')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(dir, 'users.acl'), 'utf8')).not.toContain(PASSWORD);
    await pingRedis(server.url);
    await expect(pingRedis(`redis://127.0.0.1:${server.port}`)).rejects.toThrow('NOAUTH');
  });

  it('keeps the data over a stop and a start', async () => {
    await send('SET', 'kept', '7');
    await server.stop();
    await start();
    expect(await send('GET', 'kept')).toBe('$1\r\n7\r\n');
  });

  it('keeps what transactions and scripts wrote', async () => {
    await speak(`AUTH sevenfold ${PASSWORD}`, 'MULTI', 'SET together 1', 'SET with 2', 'EXEC');
    const script = "redis.call('set',KEYS[1],3);redis.call('set',KEYS[2],4)";
    await send('EVAL', `"${script}"`, '2', 'scripted', 'besides');
    await server.stop();
    await start();
    expect(await send('MGET', 'together', 'with', 'scripted', 'besides')).toBe(
      ['*4', '$1', '1', '$1', '2', '$1', '3', '$1', '4', ''].join('\r\n'),
    );
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

describe('the owner of a prefix', () => {
  it('is written once, and whoever is another is told so, without a change', async () => {
    await checkRedisOwner(server.url, 'shared', 'first');
    expect(await send('EXISTS', 'shared:instance')).toBe(':0\r\n');
    await claimRedisOwner(server.url, 'shared', 'first');
    await claimRedisOwner(server.url, 'shared', 'first');
    for (const meet of [checkRedisOwner, claimRedisOwner])
      await expect(meet(server.url, 'shared', 'second')).rejects.toThrow(
        'The Redis server with the prefix "shared" belongs to another instance (first; this one is second).',
      );
    expect(await send('GET', 'shared:instance')).toBe('$5\r\nfirst\r\n');
    await claimRedisOwner(server.url, 'other', 'second');
  });

  it('is looked for in the database that the URL names', async () => {
    await claimRedisOwner(`${server.url}/3`, 'numbered', 'first');
    expect(await send('EXISTS', 'numbered:instance')).toBe(':0\r\n');
    await expect(checkRedisOwner(`${server.url}/3`, 'numbered', 'second')).rejects.toThrow(
      'another instance',
    );
  });
});

describe('pingRedis', () => {
  it('tells a closed port, a missing password and another program apart', async () => {
    await expect(pingRedis(`redis://127.0.0.1:${await freePort()}`)).rejects.toThrow('ECONNREFUSED');
    await expect(pingRedis(`redis://:wrong@127.0.0.1:${server.port}`)).rejects.toThrow('WRONGPASS');
    const other = net.createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await expect(pingRedis(`redis://127.0.0.1:${(other.address() as net.AddressInfo).port}`)).rejects.toThrow(
      'Unknown RESP type 72 "H"',
    );
    await new Promise((resolve) => other.close(resolve));
  });
});
