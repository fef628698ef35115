/**
 * A container as a cluster runs one, without a cluster: the file system of an artefact, read-only but for its volumes, process ids of its
 * own, the user and the variables that the chart says, and no way to more rights.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Child, startChild } from '@sevenfold/local/child';
import type { Artefact } from './artefact';

export interface Container {
  readonly name: string;
  readonly artefact: Artefact;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  /** By the path inside: a folder of this machine, or `memory`. */
  readonly volumes: Readonly<Record<string, string>>;
  readonly resolvConf: string;
  /** Nobody else's: its mount points and its log are kept there. */
  readonly folder: string;
}

export interface RunningContainer {
  readonly exited: Child['exited'];
  readonly logFile: string;
  /** Whether it was there to be told. */
  signal(name: NodeJS.Signals): boolean;
  /** Ends it at once. */
  kill(): void;
}

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom'];

export function startContainer(container: Container): RunningContainer {
  const { folder, env, artefact } = container;
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(path.join(folder, 'resolv.conf'), container.resolvConf, { mode: 0o644 });
  const script = path.join(folder, 'start.sh');
  writeFileSync(script, scriptOf(container));
  const logFile = path.join(folder, 'log');
  const child = startChild({
    // All of it ends when this process does, however that ends.
    command: '/usr/bin/setpriv',
    args: ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child', '/bin/sh', script],
    cwd: '/',
    env: { ...artefact.env, ...env },
    logFile,
  });
  void child.exited.then(() => rmSync(path.join(folder, 'root'), { recursive: true, force: true }));
  return {
    exited: child.exited,
    logFile,
    signal: (name) => tell(child.pid, name),
    kill: () => child.signal('SIGKILL'),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs with mounts of its own, which go with it. */
function scriptOf({ artefact, args, user, volumes, folder }: Container): string {
  const layers = path.join(folder, 'root');
  const root = path.join(layers, 'seen');
  const inside = (place: string): string => quoted(path.join(root, place));
  const bind = (from: string, to: string): string[] => {
    const made = `if [ -d ${quoted(from)} ]; then mkdir -p ${inside(to)}; else mkdir -p ${inside(path.dirname(to))}; touch ${inside(to)}; fi`;
    return [made, `mount --bind ${quoted(from)} ${inside(to)}`];
  };
  const memory = (to: string, mode: string): string[] => [
    `mkdir -p ${inside(to)}`,
    `mount -t tmpfs -o mode=${mode} tmpfs ${inside(to)}`,
  ];
  const command = [...artefact.entrypoint, ...args].map(quoted).join(' ');
  return [
    'set -e',
    // Only mount points are written there.
    `mkdir -p ${quoted(layers)}`,
    `mount -t tmpfs -o mode=0755 tmpfs ${quoted(layers)}`,
    `mkdir ${['written', 'work', 'seen'].map((name) => quoted(path.join(layers, name))).join(' ')}`,
    `mount -t overlay -o lowerdir=${quoted(artefact.root)},upperdir=${quoted(path.join(layers, 'written'))},workdir=${quoted(path.join(layers, 'work'))} overlay ${quoted(root)}`,
    ...memory('/dev', '0755'),
    ...DEVICES.flatMap((name) => bind(`/dev/${name}`, `/dev/${name}`)),
    `mkdir -p ${inside('/proc')}`,
    `mount -t proc proc ${inside('/proc')}`,
    `rm -f ${inside('/etc/resolv.conf')}`,
    ...bind(path.join(folder, 'resolv.conf'), '/etc/resolv.conf'),
    ...artefact.mounts.flatMap(({ from, to }) => [
      ...bind(from, to),
      `mount -o remount,bind,ro ${inside(to)}`,
    ]),
    ...Object.entries(volumes).flatMap(([to, from]) =>
      from === 'memory' ? memory(to, '1777') : bind(from, to),
    ),
    `mount -o remount,ro ${quoted(root)}`,
    `exec setpriv --no-new-privs chroot --userspec=${user}:${user} --groups=${user} ${quoted(root)} /usr/bin/env -C ${quoted(artefact.workdir)} ${command}`,
    '',
  ].join('\n');
}

/** The first process of the container: whoever made it room only waits for it. */
function tell(parent: number | undefined, signal: NodeJS.Signals): boolean {
  try {
    const [child] = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ');
    if (!child) return false;
    process.kill(Number(child), signal);
    return true;
  } catch {
    // It has ended.
    return false;
  }
}
