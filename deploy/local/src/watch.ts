/**
 * For development: compiles in the background and restarts the processes whose compiled files changed.
 * A change in a package restarts whoever stands on it. It restarts whole processes and keeps no state.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './settings';
import { topology } from './topology';

/** The compiler writes many files for one change. */
const SETTLE = 300;

export interface WatchOptions {
  readonly restart: (name: string) => Promise<void>;
  readonly say: (line: string) => void;
}

/** The package of a folder and those of ours that it needs to run. */
function packagesOf(folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const file = readFileSync(path.join(repositoryRoot, folder, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(file) as { dependencies?: Readonly<Record<string, string>> };
  for (const name of Object.keys(dependencies)) {
    const ours = /^@sevenfold\/(.*)$/.exec(name)?.[1];
    if (ours !== undefined) packagesOf(ours === 'proto' ? ours : `services/${ours}`, found);
  }
  return found;
}

/** Which processes run what is compiled in a folder. */
export function usersOfFolders(): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const { name, folder } of topology)
    for (const one of packagesOf(folder)) users.set(one, [...(users.get(one) ?? []), name]);
  return users;
}

export function watchSources({ restart, say }: WatchOptions): { close(): void } {
  const compiler = spawn(
    process.execPath,
    [require.resolve('typescript/bin/tsc'), '-b', 'test', '--watch', '--preserveWatchOutput'],
    {
      cwd: repositoryRoot,
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    },
  );
  compiler.on('error', (error) => say(`the compiler does not run: ${error.message}`));

  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const names = [...pending];
    pending.clear();
    say(`changed, restarting ${names.join(', ')}`);
    for (const name of names) void restart(name);
  };
  const watchers: FSWatcher[] = [];
  for (const [folder, users] of usersOfFolders()) {
    const dist = path.join(repositoryRoot, folder, 'dist');
    if (!existsSync(dist)) continue;
    const watcher = watch(dist, { recursive: true }, (_, file) => {
      if (file !== null && !file.endsWith('.js')) return;
      for (const name of users) pending.add(name);
      clearTimeout(timer);
      timer = setTimeout(flush, SETTLE);
    });
    // A folder that was deleted and made again by a clean build.
    watcher.on('error', (error) => say(`watching ${dist} ended: ${error.message}`));
    watchers.push(watcher);
  }
  return {
    close() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
      compiler.kill('SIGTERM');
    },
  };
}
