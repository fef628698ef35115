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

/** What the output of each project is made of, as one digest; what it needs counts, too. */
export function sourcesOf(projects) {
  const shared = ['tsconfig.base.json', 'package-lock.json'].map((name) => read(inRoot(name)));
  const digests = new Map();
  for (const [folder, needs] of projects) {
    const own = filesBelow(inRoot(folder, 'src')).flatMap((name) => [
      `${name}\0`,
      readFileSync(inRoot(folder, 'src', name)),
    ]);
    const settings = ['tsconfig.json', 'package.json'].map((name) => read(inRoot(folder, name)));
    digests.set(folder, digest(...shared, ...settings, ...needs.map((one) => digests.get(one)), ...own));
  }
  return digests;
}

/** What the compiler remembers says whether somebody else compiled in between. */
const stampOf = (folder, sources) =>
  JSON.stringify({ sources, compiled: digest(read(inRoot(folder, 'tsconfig.tsbuildinfo'))) });

const outputsOf = (source) => {
  if (!/(?<!\.d)\.ts$/.test(source)) return [];
  return ['.js', '.js.map', '.d.ts'].map((end) => source.replace(/\.ts$/, end));
};

const isComplete = (folder) => {
  const made = new Set(filesBelow(inRoot(folder, 'dist')));
  return filesBelow(inRoot(folder, 'src'))
    .flatMap(outputsOf)
    .every((output) => made.has(output));
};

export const isCurrent = (folder, sources) =>
  read(inRoot(folder, STAMP)).toString() === stampOf(folder, sources) && isComplete(folder);

export const stamp = (folder, sources) => writeFileSync(inRoot(folder, STAMP), stampOf(folder, sources));

/** The compiler goes by dates and by what it remembers: both must not say that all is well. */
export function doubt(folder) {
  const memory = inRoot(folder, 'tsconfig.tsbuildinfo');
  if (!existsSync(memory)) return;
  if (isComplete(folder)) utimesSync(memory, 0, 0);
  else rmSync(memory);
}

/** Of sources that are gone: the compiler leaves them, and whoever packs the output would pack them, too. */
export function removeLeftovers(folder) {
  const wanted = new Set(filesBelow(inRoot(folder, 'src')).flatMap(outputsOf));
  for (const name of filesBelow(inRoot(folder, 'dist')))
    if (/\.(js|js\.map|d\.ts)$/.test(name) && !wanted.has(name)) rmSync(inRoot(folder, 'dist', name));
}
