/** What is handed out of a version, in a folder that is there as a whole or not at all. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { filesBelow, inRoot } from '../build/sources.mjs';
import { archive } from '../pack/archive.mjs';

const CHART = 'deploy/helm/sevenfold';

const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });

/** What builds images here; undefined where nothing does. */
export function builder() {
  if (process.env.BUILDER) return process.env.BUILDER;
  // A client alone builds nothing.
  const isThere = (name, args) => spawnSync(name, args, { stdio: 'ignore' }).status === 0;
  if (isThere('buildah', ['--version'])) return 'buildah';
  return isThere('docker', ['info']) ? 'docker' : undefined;
}

const isKept = (name) => name.split('/').every((part) => !part.startsWith('.'));

async function chartOf(target) {
  const names = filesBelow(inRoot(CHART)).filter(isKept);
  await archive(target, new Map(names.map((name) => [name, readFileSync(inRoot(CHART, name))])));
}

/** Of the artefact as it is installed: npm reads its lock alone. */
function sbomOf(artefact, folder, target) {
  const unpacked = mkdtempSync(path.join(folder, '.sbom-'));
  run('tar', ['-xzf', artefact, '-C', unpacked]);
  const sbom = execFileSync('npm', ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'], {
    cwd: path.join(unpacked, 'sevenfold'),
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  writeFileSync(target, sbom);
  rmSync(unpacked, { recursive: true, force: true });
}

function imageOf(image, version, target) {
  const name = `sevenfold:${version}`;
  run(inRoot('deploy/image.sh'), [name], { env: { ...process.env, BUILDER: image } });
  if (path.basename(image).startsWith('buildah'))
    run(image, ['push', '--quiet', name, `docker-archive:${target}:${name}`]);
  else run(image, ['save', '--output', target, name]);
}

async function sumOf(file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** Answers the files. */
export async function build({ version, folder, image }) {
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  const to = (name) => path.join(draft, name);
  try {
    const artefact = to(`sevenfold-${version}.tgz`);
    run(process.execPath, [inRoot('deploy/pack/main.mjs'), '--file', artefact], { stdio: 'ignore' });
    run('npm', ['pack', '--silent', '--workspace', 'client', '--pack-destination', draft], {
      cwd: inRoot(),
      stdio: 'ignore',
    });
    sbomOf(artefact, draft, to(`sevenfold-${version}.cdx.json`));
    await chartOf(to(`sevenfold-chart-${version}.tgz`));
    if (image) imageOf(image, version, to(`sevenfold-image-${version}.tar`));
    const names = readdirSync(draft).sort();
    const sums = [];
    // As sha256sum writes and checks them.
    for (const name of names) sums.push(`${await sumOf(to(name))}  ${name}\n`);
    writeFileSync(to('SHA256SUMS'), sums.join(''));
    renameSync(draft, folder);
    return [...names, 'SHA256SUMS'].map((name) => path.join(folder, name));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}
