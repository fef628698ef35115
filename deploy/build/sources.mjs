/**
 * What a project's output is made of, as a digest of content: a clone, a copy or an unpacked archive has dates of its own. The
 * digest stands beside the output, with one of what the compiler remembers, so that it counts only while both are as they were.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const STAMP = 'dist/.built.json';
/** What programs.mjs makes of the modules of one. */
export const PROGRAM = 'program.js';
export const LINES = 'program.lines.json';

export const inRoot = (...parts) => path.join(root, ...parts);
const read = (file) => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
const digest = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');
export const filesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort()
    : [];

/** The project and those it stands on, each once, what is needed first. */
export function projectsOf(folder, found = new Map()) {
  if (found.has(folder)) return found;
  const { references = [] } = JSON.parse(readFileSync(inRoot(folder, 'tsconfig.json'), 'utf8'));
  const needs = references.map((one) => path.normalize(path.join(folder, one.path)));
  for (const one of needs) projectsOf(one, found);
  found.set(folder, needs);
  return found;
}

/** Its version: what other packages are there changes nothing in what it makes. */
const compilerOf = (lock) =>
  lock.length === 0 ? '' : (JSON.parse(lock).packages['node_modules/typescript']?.version ?? '');

/** Runs by itself: the gateway, and each service. */
export const isProgram = (folder) =>
  /^(gateway$|services\/)/.test(folder) && existsSync(inRoot(folder, 'src/main.ts'));

/** A program has packages in it. */
const madeOfPackages = () =>
  ['package-lock.json', 'deploy/build/programs.mjs'].map((file) => read(inRoot(file)));

/** What the output of each project is made of, as digests: its own sources, and those with all that it stands on. */
export function sourcesOf(projects) {
  const shared = [read(inRoot('tsconfig.base.json')), compilerOf(read(inRoot('package-lock.json')))];
  const digests = new Map();
  for (const [folder, needs] of projects) {
    const files = filesBelow(inRoot(folder, 'src')).flatMap((name) => [
      `${name}\0`,
      readFileSync(inRoot(folder, 'src', name)),
    ]);
    const settings = ['tsconfig.json', 'package.json'].map((name) => read(inRoot(folder, name)));
    const packages = isProgram(folder) ? madeOfPackages() : [];
    const own = digest(...shared, ...packages, ...settings, ...files);
    digests.set(folder, { own, whole: digest(own, ...needs.map((one) => digests.get(one).whole)) });
  }
  return digests;
}

/** What the compiler remembers says whether somebody else compiled in between. */
const stampOf = (folder, sources) =>
  JSON.stringify({ ...sources, compiled: digest(read(inRoot(folder, 'tsconfig.tsbuildinfo'))) });

const outputsOf = (source) => {
  if (!/(?<!\.d)\.ts$/.test(source)) return [];
  return ['.js', '.js.map', '.d.ts'].map((end) => source.replace(/\.ts$/, end));
};

const wantedOf = (folder) => [
  ...filesBelow(inRoot(folder, 'src')).flatMap(outputsOf),
  ...(isProgram(folder) ? [PROGRAM, LINES] : []),
];

const isComplete = (folder) => {
  const made = new Set(filesBelow(inRoot(folder, 'dist')));
  return wantedOf(folder).every((output) => made.has(output));
};

export const isCurrent = (folder, sources) =>
  read(inRoot(folder, STAMP)).toString() === stampOf(folder, sources) && isComplete(folder);

export const stamp = (folder, sources) => writeFileSync(inRoot(folder, STAMP), stampOf(folder, sources));

/**
 * The compiler goes by dates, and by what it remembers: where the sources of a project are others now, or output of it is gone,
 * neither may say that all is well. What follows for the projects that stand on it, it finds out by itself.
 */
export function doubt(folder, { own }) {
  const memory = inRoot(folder, 'tsconfig.tsbuildinfo');
  if (!existsSync(memory)) return;
  if (!isComplete(folder)) rmSync(memory);
  // Not 0: that date is the compiler's sign for a file that is not there.
  else if (!read(inRoot(folder, STAMP)).includes(own)) utimesSync(memory, 1, 1);
}

/** Of sources that are gone: the compiler leaves them, and whoever packs the output would pack them, too. */
export function removeLeftovers(folder) {
  const wanted = new Set(wantedOf(folder));
  for (const name of filesBelow(inRoot(folder, 'dist')))
    if (/\.(js|js\.map|d\.ts)$/.test(name) && !wanted.has(name)) rmSync(inRoot(folder, 'dist', name));
}
