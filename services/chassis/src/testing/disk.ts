/** What is done to the disk in the order in which it is done, as a power cut would find it. */
import fs from 'node:fs/promises';

/** Files and folders that were written to the disk, and names that were given, while `work` runs. */
export async function watchDisk(work: () => Promise<unknown>): Promise<string[]> {
  const done: string[] = [];
  const { open, link, rename } = fs;
  const spies = [
    jest.spyOn(fs, 'open').mockImplementation(async (...asked: Parameters<typeof open>) => {
      const handle = await open(...asked);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        await sync();
        done.push(`wrote ${String(asked[0])}`);
      };
      return handle;
    }),
    jest.spyOn(fs, 'link').mockImplementation(async (...asked: Parameters<typeof link>) => {
      await link(...asked);
      done.push(`named ${String(asked[1])}`);
    }),
    jest.spyOn(fs, 'rename').mockImplementation(async (...asked: Parameters<typeof rename>) => {
      await rename(...asked);
      done.push(`named ${String(asked[1])}`);
    }),
  ];
  try {
    await work();
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
  return done;
}
