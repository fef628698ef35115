/**
 * `npm run pack -- [--folder FOLDER | --file FILE] [--try]`: the site as one archive that starts with production dependencies
 * alone: unpack it, \`npm ci --omit=dev && npm start\`. Without options the file is dist/sevenfold-VERSION.tgz. With --folder
 * nothing is archived: an image copies the files from there, and with --services they are those of the gateway and the services
 * alone. --try installs and starts what was packed, in a folder of its own.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import { root } from '../build/sources.mjs';
import { packedFiles } from './files.mjs';
import { tryOut } from './try-out.mjs';

const {
  folder,
  file,
  services,
  try: isTried,
} = parseArgs({
  options: {
    folder: { type: 'string' },
    file: { type: 'string' },
    services: { type: 'boolean' },
    try: { type: 'boolean' },
  },
}).values;

/** The first one that is not a date before dates: some archivers warn of 1970. */
const NO_TIME = new Date('1985-10-26T08:15:00Z');

function write(target, files) {
  mkdirSync(target, { recursive: true });
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty.`);
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
    writeFileSync(path.join(target, name), bytes);
  }
}

/** The same files make the same bytes. */
async function archive(target, files) {
  mkdirSync(path.dirname(target), { recursive: true });
  const pack = tar.pack();
  for (const [name, bytes] of files)
    pack.entry({ name: `sevenfold/${name}`, mode: 0o644, mtime: NO_TIME }, bytes);
  pack.finalize();
  await pipeline(pack, createGzip({ level: 9 }), createWriteStream(target));
}

async function main() {
  const built = spawnSync(process.execPath, [path.join(root, 'deploy/build/main.mjs'), '--without-tests'], {
    stdio: 'inherit',
  });
  if (built.status !== 0) throw new Error('Nothing is packed, as it does not compile.');
  const files = packedFiles({ withLocal: !services });
  const { version } = JSON.parse(files.get('package.json').toString());
  if (isTried) {
    const target = mkdtempSync(path.join(tmpdir(), 'sevenfold-pack-'));
    try {
      write(path.join(target, 'sevenfold'), files);
      await tryOut(target);
    } finally {
      rmSync(target, { recursive: true, force: true, maxRetries: 5 });
    }
  } else if (folder) write(path.resolve(folder), files);
  else {
    const target = path.resolve(file ?? path.join(root, 'dist', `sevenfold-${version}.tgz`));
    await archive(target, files);
    console.log(target);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
