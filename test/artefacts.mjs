/**
 * What pods can be started from: an image, opened by buildah, or what is packed, with its dependencies installed beside it, of this
 * checkout or of a former commit. What was packed is kept in the cache folder by what is in it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packedFiles } from '../deploy/pack/files.mjs';

const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const cache = process.env.SEVENFOLD_CACHE || path.join(homedir(), '.cache', 'sevenfold');
const CHART = 'deploy/helm/sevenfold';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const APP = '/app';

const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
const said = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: 'utf8', ...options }).trim();
const has = (command) => spawnSync(command, ['--version']).status === 0;

/** What is missing here, in words; empty where pods can be started. */
export function missingForPods() {
  const missing = [];
  if (process.platform !== 'linux') missing.push('Linux');
  else if (process.getuid() !== 0) missing.push('the rights of root');
  else {
    // Mounts, process ids and layers of its own are what a container is; some machines keep them from root as well.
    const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-try-'));
    const script = `mount -t tmpfs tmpfs ${folder} && mkdir ${folder}/u ${folder}/w ${folder}/s && mount -t overlay -o lowerdir=/usr,upperdir=${folder}/u,workdir=${folder}/w overlay ${folder}/s && setpriv --version`;
    const { status } = spawnSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', script]);
    rmSync(folder, { recursive: true, force: true });
    if (status !== 0) missing.push('namespaces and overlays by unshare, mount and setpriv (util-linux)');
  }
  return missing;
}

export const missingForImages = () => (has('buildah') ? [] : ['buildah']);

/** Puts it in place whole, so that what is there is right, whoever else does the same. */
function kept(target, make) {
  if (existsSync(target)) return target;
  mkdirSync(path.dirname(target), { recursive: true });
  const draft = `${target}.${process.pid}`;
  try {
    make(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

const installed = (from, folder) => {
  run('node', ['deploy/pack/main.mjs', '--services', '--folder', folder], { cwd: from });
  run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
  });
};

/** On the file system of this machine, with the Node.js that runs this. */
const onThisMachine = (folder, from, name) => ({
  name,
  root: '/',
  mounts: [
    { from: folder, to: APP },
    { from: process.execPath, to: '/usr/local/bin/node' },
  ],
  chart: path.join(from, CHART),
  ...dockerfileOf(path.join(from, 'deploy/Dockerfile')),
});

/** How the Dockerfile starts programs; what reaps processes is the image's. */
function dockerfileOf(file) {
  const last = readFileSync(file, 'utf8')
    .split(/^FROM .*$/m)
    .at(-1);
  const one = (word) => new RegExp(`^${word} (.*)$`, 'm').exec(last)?.[1] ?? '';
  const entrypoint = JSON.parse(one('ENTRYPOINT'));
  return {
    entrypoint: entrypoint.slice(entrypoint.indexOf('node')),
    env: {
      PATH,
      ...Object.fromEntries(
        one('ENV')
          .split(' ')
          .map((pair) => pair.split('=')),
      ),
    },
    workdir: one('WORKDIR'),
  };
}

export function packed() {
  run('node', ['deploy/build/main.mjs', '--without-tests'], { cwd: repository });
  const hash = createHash('sha256');
  for (const [name, bytes] of packedFiles({ withLocal: false }))
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  const folder = path.join(cache, 'packed', hash.digest('hex').slice(0, 16));
  return onThisMachine(
    kept(folder, (draft) => installed(repository, draft)),
    repository,
    'this checkout, packed',
  );
}

/** Of a commit before this one: its code, its migrations and its chart. */
export function packedBefore(revision) {
  const commit = said('git', ['rev-parse', '--verify', `${revision}^{commit}`], { cwd: repository });
  const folder = path.join(cache, 'packed', commit);
  kept(folder, (draft) => {
    const tree = mkdtempSync(path.join(tmpdir(), 'sevenfold-former-'));
    try {
      run('git', ['worktree', 'add', '--detach', '--force', tree, commit], { cwd: repository });
      console.log(`${commit} is built, once; this takes minutes`);
      run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: tree });
      installed(tree, path.join(draft, 'packed'));
      cpSync(path.join(tree, 'deploy'), path.join(draft, 'sources/deploy'), {
        recursive: true,
        filter: (file) => !/\/(node_modules|dist)$/.test(file),
      });
    } finally {
      spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: repository });
    }
  });
  return onThisMachine(
    path.join(folder, 'packed'),
    path.join(folder, 'sources'),
    `${revision} (${commit.slice(0, 8)}), packed`,
  );
}

/** Without a name the image is built first. `close` gives it back. */
export function image(name) {
  const built =
    name ??
    said('deploy/image.sh', ['sevenfold'], { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'] })
      .split('\n')
      .at(-1);
  const container = said('buildah', ['from', '--pull-never', built]);
  const close = () => spawnSync('buildah', ['rm', container], { stdio: 'ignore' });
  try {
    const root = said('buildah', ['mount', container]);
    const { Entrypoint, Env, WorkingDir } = JSON.parse(said('buildah', ['inspect', '--type', 'image', built]))
      .OCIv1.config;
    const env = Object.fromEntries(
      Env.map((pair) => [pair.split('=', 1)[0], pair.slice(pair.indexOf('=') + 1)]),
    );
    const described = { entrypoint: Entrypoint, env, workdir: WorkingDir };
    return {
      artefact: { name: built, root, mounts: [], chart: path.join(repository, CHART), ...described },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}
