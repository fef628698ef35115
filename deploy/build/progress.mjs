/** A bar on a terminal, a line for each project elsewhere; the bytes of its sources say how much of it a project is. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesBelow, inRoot } from './sources.mjs';

const sizeOf = (folder) =>
  filesBelow(inRoot(folder, 'src')).reduce(
    (sum, name) => sum + readFileSync(inRoot(folder, 'src', name)).length,
    0,
  );

export async function progress(folders) {
  const sizes = new Map(folders.map((folder) => [folder, sizeOf(folder)]));
  const all = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const bar = process.stdout.isTTY ? await openBar() : undefined;
  let done = 0;
  let begun = 0;
  if (bar) bar.start(all, 0, { folder: '' });
  else console.log('building what changed');
  return {
    /** The one before is done. Without a folder all are. */
    step: async (folder) => {
      done += begun;
      begun = sizes.get(folder) ?? 0;
      if (bar) bar.update(done, { folder: folder ?? '' });
      else if (folder) console.log(`building ${Math.floor((100 * done) / Math.max(1, all))} % ${folder}`);
      // Between two projects is the only moment in which anything can be shown: the compiler holds the thread.
      await sleep(0);
    },
    stop: () => bar?.stop(),
  };
}

async function openBar() {
  const { default: progress } = await import('cli-progress');
  const format = 'building {bar} {percentage} % {duration_formatted} {folder}';
  return new progress.SingleBar({ format, hideCursor: true }, progress.Presets.shades_classic);
}
