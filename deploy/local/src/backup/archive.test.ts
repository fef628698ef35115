/** The file of a backup: what comes out is what went in, or nothing is taken for whole. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { temporaryFolder } from '../test-support';
import { type ArchiveWriter, readArchive, writeArchive } from './archive';

const folder = temporaryFolder();
const place = (name: string): string => path.join(folder, name);
const picture = randomBytes(200_000);
const MODIFIED = Date.UTC(2026, 0, 31, 12, 0, 0, 123);

async function fill({ add, addFile }: ArchiveWriter): Promise<void> {
  await add('manifest.json', { greeting: 'Grüße' });
  await add('empty', Buffer.alloc(0));
  await add('rows', randomBytes(300_000));
  await addFile('files/a picture.png', {
    file: place('picture'),
    size: picture.length,
    modifiedMs: MODIFIED,
  });
  await addFile(`files/${'long/'.repeat(40)}ü`, { file: place('nothing'), size: 0, modifiedMs: MODIFIED });
}

interface Seen {
  readonly name: string;
  readonly modifiedMs: number;
  readonly bytes: Buffer;
}

async function read(file: string, passphrase?: string): Promise<Seen[]> {
  const seen: Seen[] = [];
  await readArchive(file, passphrase, async ({ name, modifiedMs, stream }) => {
    seen.push({
      name,
      modifiedMs,
      bytes: Buffer.concat((await stream.toArray()) as Buffer[]),
    });
  });
  return seen;
}

beforeAll(async () => {
  writeFileSync(place('picture'), picture);
  writeFileSync(place('nothing'), '');
  utimesSync(place('picture'), MODIFIED / 1000, MODIFIED / 1000);
  await writeArchive(place('open'), undefined, fill);
  await writeArchive(place('sealed'), 'schlüssel', fill);
});

test.each([
  ['open', undefined],
  ['sealed', 'schlüssel'],
])('%s: entries come back as they went in, in their order', async (file, passphrase) => {
  const seen = await read(place(file), passphrase);
  expect(seen.map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['manifest.json', expect.any(Number)],
    ['empty', 0],
    ['rows', 300_000],
    ['files/a picture.png', picture.length],
    [`files/${'long/'.repeat(40)}ü`, 0],
  ]);
  expect(JSON.parse(String(seen[0]?.bytes))).toEqual({ greeting: 'Grüße' });
  expect(seen[3]?.bytes.equals(picture)).toBe(true);
  expect(seen[3]?.modifiedMs).toBe(MODIFIED);
});

test('only its owner reads the file', () => {
  for (const file of ['open', 'sealed']) expect(statSync(place(file)).mode & 0o777).toBe(0o600);
});

test('a sealed one shows nothing, and opens with its passphrase only', async () => {
  expect(readFileSync(place('sealed')).includes('manifest')).toBe(false);
  await expect(read(place('sealed'))).rejects.toThrow('is encrypted: it needs its passphrase');
  await expect(read(place('sealed'), 'schlussel')).rejects.toThrow('The passphrase is wrong.');
  // The same letters, typed on another machine.
  expect(await read(place('sealed'), 'schlüssel'.normalize('NFD'))).toHaveLength(5);
});

const refused = async (bytes: Buffer, passphrase?: string): Promise<string> => {
  writeFileSync(place('bad'), bytes);
  return read(place('bad'), passphrase).then(
    () => 'taken',
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );
};

test.each([
  ['open', undefined],
  ['sealed', 'schlüssel'],
])('%s: cut anywhere, it is refused', async (file, passphrase) => {
  const whole = readFileSync(place(file));
  const lengths = [0, 1, 30, 60, 76, 65_612, 65_613, 300_000, whole.length - 16, whole.length - 1];
  for (const length of lengths)
    expect([length, await refused(whole.subarray(0, length), passphrase)]).toEqual([
      length,
      expect.stringMatching(/^DamagedBackup: /),
    ]);
});

test.each([
  ['open', undefined],
  ['sealed', 'schlüssel'],
])('%s: changed anywhere, it is refused', async (file, passphrase) => {
  const whole = readFileSync(place(file));
  // The first bytes of a gzip hold times and the system it was made on.
  for (let at = 20; at < whole.length; at += Math.floor(whole.length / 6)) {
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(at) ^ 4, at);
    expect([at, await refused(changed, passphrase)]).toEqual([at, expect.stringMatching(/^DamagedBackup: /)]);
  }
});

test('a whole tar that lacks an entry, or its end, is refused', async () => {
  const tar = gunzipSync(readFileSync(place('open')));
  const tampered = pack();
  tampered.entry({ name: 'manifest.json' }, '{}');
  tampered.finalize();
  const parts: Buffer[] = [];
  for await (const part of tampered as AsyncIterable<Buffer>) parts.push(part);
  expect(await refused(gzipSync(Buffer.concat(parts)))).toMatch(/Its end is missing/);
  // The first entry: its header and a block of content.
  expect(await refused(gzipSync(tar.subarray(1024)))).toMatch(/Its digest is another one/);
});

test('what is no backup is told so', async () => {
  expect(await refused(Buffer.from('<?xml version="1.0"?>'))).toMatch(/is no backup/);
  await expect(read(place('absent'))).rejects.toThrow('ENOENT');
});

test('what killed writers left goes with the next one, also of one that had the same id, as in a container', async () => {
  const ours = place(`of yesterday.${hostname()}.${process.pid}.part`);
  const another = place(`killed.${hostname()}.${process.pid}.part`);
  for (const half of [ours, another]) writeFileSync(half, 'secrets');
  await writeArchive(place('killed'), undefined, async (writer) => {
    // One that is being written stays.
    await writeArchive(place('beside'), undefined, fill);
    await fill(writer);
  });
  expect((await read(place('killed'))).map(({ name }) => name)).toContain('rows');
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('what came under its name while it was written is kept: it says so, and leaves nothing', async () => {
  const second = writeArchive(place('one name'), undefined, async (writer) => {
    await fill(writer);
    writeFileSync(place('one name'), 'another backup');
  });
  await expect(second).rejects.toThrow(`There is a file ${place('one name')} already.`);
  expect(String(readFileSync(place('one name')))).toBe('another backup');
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('where writing fails nothing is left, and what the reader of an entry throws is thrown', async () => {
  await expect(
    writeArchive(place('failed'), undefined, async ({ add, addFile }) => {
      await add('first', randomBytes(1_000_000));
      await addFile('gone', { file: place('no such file'), size: 10, modifiedMs: 0 });
    }),
  ).rejects.toThrow('ENOENT');
  expect(existsSync(place('failed'))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  const nowhere = place('no such folder/backup');
  await expect(writeArchive(nowhere, undefined, fill)).rejects.toThrow(
    `cannot write ${nowhere}: ENOENT: no such file or directory`,
  );
  await expect(
    readArchive(place('open'), undefined, () => Promise.reject(new Error('no room'))),
  ).rejects.toThrow(/^no room$/);
});
