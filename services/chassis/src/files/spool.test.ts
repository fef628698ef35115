/** What killed processes leave behind of files that were coming. */
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeForgotten } from './spool';

test('folders that nobody fills any more go, those of others stay', async () => {
  const make = async (prefix: string, minutes: number): Promise<string> => {
    const folder = await mkdtemp(path.join(tmpdir(), prefix));
    await writeFile(path.join(folder, 'upload'), 'x');
    const at = new Date(Date.now() - minutes * 60_000);
    await utimes(folder, at, at);
    return folder;
  };
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
