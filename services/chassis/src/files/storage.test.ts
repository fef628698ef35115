/** One suite for both stores: whatever holds for the folder holds for the bucket. */
import { link, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { openBucket } from './storage-bucket';
import { openFolder } from './storage-folder';
import { PathTakenError, type Storage } from './storage';
import { type FakeBucket, startBucket } from '../testing/bucket';
import type { Log } from '../log';
import { watchDisk } from '../testing/disk';

let scratch: string;
let bucket: FakeBucket;
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'storage-test-'));
  bucket = await startBucket('files');
});
afterAll(async () => {
  await bucket.stop();
  await rm(scratch, { recursive: true, force: true });
});

const bucketOptions = () => ({
  endpoint: bucket.url,
  bucket: 'files',
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
});

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe.each<[string, () => Storage]>([
  ['a folder', () => openFolder(path.join(scratch, 'uploads'))],
  ['a bucket', () => openBucket(bucketOptions())],
])('%s', (_name, open) => {
  let storage: Storage;
  beforeAll(() => (storage = open()));
  afterAll(() => storage.close());

  it('gives back what was written', async () => {
    await storage.write('2024/05/hello.txt', Buffer.from('hello world'), 'text/plain');
    const found = await storage.find('2024/05/hello.txt');
    expect(found?.size).toBe(11);
    expect(Math.abs(Date.now() - (found?.modified.getTime() ?? 0))).toBeLessThan(60_000);
    expect(await textOf(await found!.read())).toBe('hello world');
  });

  it('takes a file of this machine', async () => {
    const file = path.join(scratch, 'source');
    await writeFile(file, 'x'.repeat(200_000));
    await storage.write('2024/05/large.txt', { file, size: 200_000 }, 'text/plain');
    expect(await textOf(await (await storage.find('2024/05/large.txt'))!.read())).toHaveLength(200_000);
  });

  it('reads a range, both ends included', async () => {
    await storage.write('range.txt', Buffer.from('0123456789'), 'text/plain');
    const found = await storage.find('range.txt');
    expect(await textOf(await found!.read({ start: 2, end: 4 }))).toBe('234');
    expect(await textOf(await found!.read({ start: 9, end: 9 }))).toBe('9');
  });

  it('never overwrites, not even with writers at the same moment', async () => {
    const tries = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((text) => storage.write('once.txt', Buffer.from(text), 'text/plain')),
    );
    expect(tries.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of tries)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(PathTakenError);
    const first = await textOf(await (await storage.find('once.txt'))!.read());
    await expect(storage.write('once.txt', Buffer.from('other'), 'text/plain')).rejects.toBeInstanceOf(
      PathTakenError,
    );
    expect(await textOf(await (await storage.find('once.txt'))!.read())).toBe(first);
  });

  it('knows nothing of what is not there', async () => {
    expect(await storage.find('2024/05/none.txt')).toBeUndefined();
    expect(await storage.find('2024/05/hello.txt/inner')).toBeUndefined();
    await expect(storage.remove('2024/05/none.txt')).resolves.toBeUndefined();
  });

  it('removes', async () => {
    await storage.write('gone.txt', Buffer.from('x'), 'text/plain');
    await storage.remove('gone.txt');
    expect(await storage.find('gone.txt')).toBeUndefined();
    await storage.write('gone.txt', Buffer.from('y'), 'text/plain');
    expect(await textOf(await (await storage.find('gone.txt'))!.read())).toBe('y');
  });

  it.each([
    '../secret',
    '/etc/passwd',
    'a/../../b',
    'a//b',
    './a',
    'a/.hidden',
    '',
    'a\\..\\b',
    'a\0b',
    `${'x'.repeat(300)}`,
  ])('refuses the path %j', async (name) => {
    expect(await storage.find(name)).toBeUndefined();
    await expect(storage.write(name, Buffer.from('x'), 'text/plain')).rejects.toThrow('no path');
    await expect(storage.remove(name)).rejects.toThrow('no path');
  });

  it('keeps names with unusual letters apart', async () => {
    await storage.write("2024/a b'(1)+ü.txt", Buffer.from('odd'), 'text/plain');
    expect(await textOf(await (await storage.find("2024/a b'(1)+ü.txt"))!.read())).toBe('odd');
  });
});

describe('a folder', () => {
  it('leaves nothing unfinished behind', async () => {
    const root = path.join(scratch, 'uploads');
    expect(await readdir(path.join(root, '.unfinished'))).toEqual([]);
  });

  it('forgets what killed writers left unfinished, and nothing that is still written', async () => {
    const root = path.join(scratch, 'killed');
    const storage = openFolder(root);
    await storage.removeUnfinished();
    await storage.write('whole.txt', Buffer.from('x'), 'text/plain');
    const unfinished = (name: string): string => path.join(root, '.unfinished', name);
    await writeFile(unfinished('begun'), 'x');
    await writeFile(unfinished('half'), 'x');
    await link(path.join(root, 'whole.txt'), unfinished('linked'));
    const at = new Date(Date.now() - 61 * 60_000);
    for (const name of ['half', 'linked']) await utimes(unfinished(name), at, at);
    await storage.removeUnfinished();
    expect(await readdir(path.join(root, '.unfinished'))).toEqual(['begun']);
    expect((await storage.find('whole.txt'))?.size).toBe(1);
  });
});

describe('a folder on a machine that loses its power', () => {
  it('has the file and all names of it on the disk before anybody is told', async () => {
    const root = path.join(scratch, 'power');
    const storage = openFolder(root);
    const namesOf = async (file: string): Promise<string[]> => {
      const [bytes, ...names] = await watchDisk(() => storage.write(file, Buffer.from('x'), 'text/plain'));
      expect(bytes).toContain(`wrote ${root}/.unfinished/`);
      return names;
    };
    const wrote = (...folders: string[]) => folders.map((folder) => `wrote ${folder}`);
    expect(await namesOf('a.txt')).toEqual([`named ${root}/a.txt`, ...wrote(root, scratch)]);
    expect(await namesOf('2031/07/b.txt')).toEqual([
      `named ${root}/2031/07/b.txt`,
      ...wrote(`${root}/2031/07`, `${root}/2031`, root),
    ]);
    expect(await namesOf('2031/07/c.txt')).toEqual([
      `named ${root}/2031/07/c.txt`,
      ...wrote(`${root}/2031/07`),
    ]);
  });
});

describe('a bucket', () => {
  it('signs every request and names the bucket in the path', async () => {
    const storage = openBucket(bucketOptions());
    await storage.write('signed.txt', Buffer.from('x'), 'text/plain');
    await storage.close();
    const put = bucket.requests.at(-1);
    expect(put).toMatchObject({ method: 'PUT', path: '/files/signed.txt' });
    expect(put?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=/,
    );
    expect(put?.headers['content-type']).toBe('text/plain');
    expect(put?.headers['content-length']).toBe('1');
  });

  it('asks again when the store is busy', async () => {
    const storage = openBucket(bucketOptions());
    bucket.failNext(503);
    await storage.write('busy.txt', Buffer.from('x'), 'text/plain');
    bucket.failNext(500);
    expect((await storage.find('busy.txt'))?.size).toBe(1);
    await storage.close();
  });

  it('knows its own file where the store wrote it and said that it had failed', async () => {
    const storage = openBucket(bucketOptions());
    bucket.loseNext(500);
    await storage.write('lost.txt', Buffer.from('mine'), 'text/plain');
    expect(await textOf(await (await storage.find('lost.txt'))!.read())).toBe('mine');
    // One as long, which has the name by now, is not its own.
    bucket.loseNext(503);
    await expect(storage.write('lost.txt', Buffer.from('also'), 'text/plain')).rejects.toBeInstanceOf(
      PathTakenError,
    );
    await storage.close();
  });

  it('tries again where another writer of the name is not through yet', async () => {
    const storage = openBucket(bucketOptions());
    bucket.failNext(409);
    await storage.write('contended.txt', Buffer.from('mine'), 'text/plain');
    expect(await textOf(await (await storage.find('contended.txt'))!.read())).toBe('mine');
    bucket.failNext(409);
    await expect(storage.write('contended.txt', Buffer.from('late'), 'text/plain')).rejects.toBeInstanceOf(
      PathTakenError,
    );
    await storage.close();
  });

  it('gives up on a store that does not answer', async () => {
    const storage = openBucket({ ...bucketOptions(), timeoutMs: 200 });
    bucket.hangNext();
    await expect(storage.find('busy.txt')).rejects.toThrow(/Timeout/i);
    await storage.close();
  });

  it('knows what is missing where its key may not list the bucket, and says once that it may not', async () => {
    const told: string[] = [];
    const log = { warn: (message: string) => told.push(message) } as unknown as Log;
    const storage = openBucket({ ...bucketOptions(), log });
    await storage.write('listed.txt', Buffer.from('x'), 'text/plain');
    bucket.canList = false;
    try {
      // Nothing was read yet: perhaps nothing may be.
      await expect(storage.find('none.txt')).rejects.toThrow('answered 403 (AccessDenied) to HEAD none.txt');
      expect((await storage.find('listed.txt'))?.size).toBe(1);
      for (const name of ['none.txt', 'none.png']) expect(await storage.find(name)).toBeUndefined();
      expect(told).toEqual([expect.stringContaining('s3:ListBucket')]);
    } finally {
      bucket.canList = true;
      await storage.close();
    }
  });

  it('takes a bucket that is not there for no missing file', async () => {
    const storage = openBucket({ ...bucketOptions(), bucket: 'none' });
    await expect(storage.find('busy.txt')).rejects.toThrow('answered 404 (NoSuchBucket) to HEAD busy.txt');
    await storage.close();
    const own = openBucket(bucketOptions());
    const asked = async (): Promise<string[]> => {
      const from = bucket.requests.length;
      expect(await own.find('none.txt')).toBeUndefined();
      return bucket.requests.slice(from).map(({ method }) => method);
    };
    expect([await asked(), await asked()]).toEqual([['HEAD', 'GET'], ['HEAD']]);
    await own.close();
  });

  it('reports refusals of the store, and what it calls them', async () => {
    const storage = openBucket({ ...bucketOptions(), bucket: 'other' });
    await expect(storage.find('busy.txt')).rejects.toThrow('answered 403 (AccessDenied) to HEAD');
    await expect(storage.write('late.txt', Buffer.from('x'), 'text/plain')).rejects.toThrow(
      'answered 403 (AccessDenied) to PUT late.txt',
    );
    await storage.close();
  });
});
