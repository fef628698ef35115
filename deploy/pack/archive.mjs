/** Archives of which the same files make the same bytes. */
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** The first one that is not a date before dates: some archivers warn of 1970. */
const NO_TIME = new Date('1985-10-26T08:15:00Z');

/** `files` holds bytes by path; all of them lie in one folder of the archive, `sevenfold`. */
export async function archive(target, files) {
  mkdirSync(path.dirname(target), { recursive: true });
  const pack = tar.pack();
  for (const [name, bytes] of files)
    pack.entry({ name: `sevenfold/${name}`, mode: 0o644, mtime: NO_TIME }, bytes);
  pack.finalize();
  await pipeline(pack, createGzip({ level: 9 }), createWriteStream(target));
}
