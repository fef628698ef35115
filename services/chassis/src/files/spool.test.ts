/** What becomes of files that come, and what killed processes leave behind of them. */
import { execFileSync } from 'node:child_process';
import { constants, createReadStream } from 'node:fs';
import { mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../testing/until';
import { removeForgotten, spool, withSpool } from './spool';

async function make(prefix: string, minutes: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  await writeFile(path.join(folder, 'upload'), 'x');
  const at = new Date(Date.now() - minutes * 60_000);
  await utimes(folder, at, at);
  return folder;
}

test('folders that nobody fills any more go, those of others stay', async () => {
  const old = await make('sevenfold-upload-', 61);
  const kept = [await make('sevenfold-upload-', 30), await make('sevenfold-other-', 600)];
  try {
    await removeForgotten();
    const there = await readdir(tmpdir());
    expect(there).not.toContain(path.basename(old));
    expect(there).toEqual(expect.arrayContaining(kept.map((one) => path.basename(one))));
  } finally {
    for (const folder of kept) await rm(folder, { recursive: true });
  }
});

test('a process that has looked for such folders looks again', async () => {
  const take = (): Promise<void> => withSpool(() => Promise.resolve());
  await take();
  const old = await make('sevenfold-upload-', 61);
  try {
    const later = performance.now() + 3_600_000;
    const clock = jest.spyOn(performance, 'now').mockReturnValue(later);
    await take().finally(() => clock.mockRestore());
    await until(async () => !(await readdir(tmpdir())).includes(path.basename(old)));
  } finally {
    await rm(old, { recursive: true, force: true });
  }
});

test('what fails before it is read fails with its own fault', async () => {
  await withSpool(async (folder) => {
    // Opened for writing when somebody reads it.
    const slow = path.join(folder, 'slow');
    execFileSync('mkfifo', [slow]);
    const missing = createReadStream(path.join(folder, 'missing'));
    const spooled = spool(missing, folder, 10, 'slow');
    await until(() => missing.destroyed);
    const reader = await open(slow, constants.O_RDONLY | constants.O_NONBLOCK);
    await expect(spooled).rejects.toMatchObject({ code: 'ENOENT' });
    await reader.close();
  });
});
