/**
 * `npm run pack -- [--folder FOLDER | --file FILE] [--try]`: the site as one archive that starts with production dependencies
 * alone: unpack it, \`npm ci --omit=dev && npm start\`. Without options the file is dist/sevenfold-VERSION.tgz. With --folder
 * nothing is archived: an image copies the files from there, and with --services they are those of the gateway and the services
 * alone. --try installs and starts what was packed, in a folder of its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build/sources.mjs';
import { archive } from './archive.mjs';
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

function write(target, files) {
  mkdirSync(target, { recursive: true });
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty.`);
  for (const [name, bytes] of files) {
    mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
    writeFileSync(path.join(target, name), bytes);
  }
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
