/** Folders held while a backup is written, and files put back from it. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { temporaryFolder } from '../test-support';
import { type HeldFolders, holdFolders, putFile } from './files';

const dataDir = temporaryFolder();
const uploads = path.join(dataDir, 'uploads');
const place = (name: string): string => path.join(uploads, name);
const MODIFIED = Date.UTC(2026, 0, 31, 12, 0, 0, 123);

function write(name: string): void {
  mkdirSync(path.dirname(place(name)), { recursive: true });
  writeFileSync(place(name), name);
}

async function contentsOf(held: HeldFolders): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, file, size } of held.files()) {
    const text = readFileSync(file, 'utf8');
    expect(size).toBe(text.length);
    found.push(`${name}=${text}`);
  }
  return found.sort();
}

test('what goes while it is held is still there, what comes until it is held again, too', async () => {
  write('2026/01/one.png');
  write('2026/01/two.png');
  write('.unfinished/half');
  const held = await holdFolders(dataDir, { uploads });
  rmSync(place('2026/01/one.png'));
  write('2026/02/three.png');
  await held.again();
  write('2026/02/too-late.png');
  rmSync(place('2026/02/three.png'));
  expect(await contentsOf(held)).toEqual([
    'uploads/2026/01/one.png=2026/01/one.png',
    'uploads/2026/01/two.png=2026/01/two.png',
    'uploads/2026/02/three.png=2026/02/three.png',
  ]);
  await held.release();
  expect(readdirSync(dataDir)).toEqual(['uploads']);
});

test('links that a killed backup left behind go with the next one', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  mkdirSync(path.join(dataDir, `held-for-backup.${pid}`));
  // In a container the next one has the same id.
  mkdirSync(path.join(dataDir, `held-for-backup.${process.pid}`, 'uploads'), { recursive: true });
  writeFileSync(path.join(dataDir, `held-for-backup.${process.pid}`, 'uploads', 'erased-since.txt'), 'x');
  const held = await holdFolders(dataDir, { uploads });
  expect(readdirSync(dataDir).sort()).toEqual([`held-for-backup.${process.pid}`, 'uploads']);
  expect((await contentsOf(held)).filter((one) => one.includes('erased'))).toEqual([]);
  await held.release();
});

test('a file is put back with its time to the millisecond, by its owner alone', async () => {
  const bytes = Array.from({ length: 50 }, (_, n) => Buffer.alloc(100_000, n));
  await putFile(dataDir, 'files/forms/a mail.eml', MODIFIED, Readable.from(bytes));
  const file = path.join(dataDir, 'files/forms/a mail.eml');
  expect(readFileSync(file).equals(Buffer.concat(bytes))).toBe(true);
  const { mtime, mode } = statSync(file);
  expect([mtime.getTime(), mode & 0o777]).toEqual([MODIFIED, 0o600]);
  utimesSync(file, 0, 0);
  await expect(putFile(dataDir, 'files/forms/a mail.eml', 0, Readable.from([]))).rejects.toThrow('EEXIST');
});

test.each(['../out', 'uploads/../../out', '/etc/out', 'uploads//x', '.hidden', 'a\\b', 'a\0b'])(
  'nothing is put at %j',
  async (name) => {
    await expect(putFile(dataDir, name, 0, Readable.from(['x']))).rejects.toThrow('which cannot be');
    expect(existsSync(path.join(dataDir, '..', 'out'))).toBe(false);
  },
);
