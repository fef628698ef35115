/**
 * Programs of others that tests run as they are: installed into a folder of their own, once for each list of what they
 * need, so that neither the repository's lock nor what is shipped holds any of it.
 */
import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../../..');
const sources = path.join(root, 'test/programs');
const cache = path.join(root, 'node_modules/.cache/client-programs');

/** The registries may be slow. */
const INSTALL_MS = 15 * 60_000;

const run = promisify(execFile);

interface Kind {
  /** What is installed is what this file says. */
  readonly list: string;
  readonly commands: (folder: string) => readonly (readonly [string, readonly string[]])[];
}

const npm: Kind = {
  list: 'package-lock.json',
  commands: () => [['npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts']]],
};
const pip: Kind = {
  list: 'requirements.txt',
  commands: (folder) => [
    ['python3', ['-m', 'venv', 'environment']],
    [
      path.join(folder, 'environment/bin/pip'),
      ['install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
  ],
};
const kinds = { node: npm, editor: npm, python: pip } as const;

/** Where the programs of a kind lie, ready to be run. */
export async function installed(kind: keyof typeof kinds): Promise<string> {
  const { list, commands } = kinds[kind];
  const source = path.join(sources, kind);
  const wanted = createHash('sha1')
    .update(readFileSync(path.join(source, list)))
    .digest('hex');
  const folder = path.join(cache, `${kind}-${wanted.slice(0, 12)}`);
  // Half an installation must not pass for one.
  const mark = path.join(folder, '.whole');
  if (!existsSync(mark)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(source, folder, { recursive: true });
    for (const [command, args] of commands(folder))
      await run(command, [...args], { cwd: folder, timeout: INSTALL_MS });
    writeFileSync(mark, '');
  }
  cpSync(source, folder, { recursive: true });
  return folder;
}
