/**
 * For development: compiles in the background and restarts the processes whose compiled files changed.
 * A change in a package that all share restarts all. It restarts whole processes and keeps no state.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './settings';
import { topology } from './topology';

/** The compiler writes many files for one change. */
const SETTLE = 300;
const SHARED = ['services/chassis', 'services/text', 'services/catalog', 'proto'];

export interface WatchOptions {
  readonly restart: (name: string) => Promise<void>;
  readonly say: (line: string) => void;
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
  const folders = new Set([...SHARED, ...topology.map((spec) => spec.folder)]);
  const watchers: FSWatcher[] = [];
  for (const folder of folders) {
    const dist = path.join(repositoryRoot, folder, 'dist');
    if (!existsSync(dist)) continue;
    const users = topology
      .filter((spec) => SHARED.includes(folder) || spec.folder === folder)
      .map((spec) => spec.name);
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
