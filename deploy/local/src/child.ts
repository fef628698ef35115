/**
 * One child process: a database server, Redis, or a process of a service. Its output goes straight into a log
 * file, so nothing is lost when this process stalls or dies; the file is kept small while the child runs. Refuses to leave a child behind: stopping
 * escalates, and a server without an IPC channel gets a watcher that ends it when this process is killed.
 */
import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A log file larger than this is set aside; one generation is kept. */
const LOG_LIMIT = 20 * 1024 * 1024;
const LOOK_AT_LOG_MS = 1_000;
const TAIL_BYTES = 16 * 1024;

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly logFile: string;
  /** Bytes; default 20 MiB. */
  readonly logLimit?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Opens an IPC channel; the child is expected to stop when it is disconnected. */
  readonly ipc?: boolean;
  /** For a child without IPC: the signal it gets when this process vanishes. */
  readonly signalOnLoss?: NodeJS.Signals;
  /** Deleted when this process vanishes, after the child has ended. Only for temporary folders. */
  readonly removeOnLoss?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Set when the program could not be started at all. */
  readonly error?: Error;
}

/** A signal and how many milliseconds it may take before the next one is sent. */
export type StopStep = readonly [signal: NodeJS.Signals, wait: number];

export interface Child {
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  exit(): Exit | undefined;
  signal(name: NodeJS.Signals): void;
  /** Sends the signals one after another until the child has ended; ends with SIGKILL. */
  stop(steps: readonly StopStep[]): Promise<void>;
  /** The last lines this child wrote, without those of earlier ones in the same file. */
  lastLines(count?: number): string[];
}

export function startChild(options: ChildOptions): Child {
  const log = openLog(options.logFile);
  let logStart = typeof log === 'number' ? fstatSync(log).size : 0;
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    uid: options.uid,
    gid: options.gid,
    // Its own process group: Ctrl-C in a terminal must reach only the supervisor, which knows the order.
    detached: true,
    stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
  });
  if (typeof log === 'number') closeSync(log);
  const limit = options.logLimit ?? LOG_LIMIT;
  const looking = setInterval(() => {
    if (cutLargeLog(options.logFile, limit)) logStart = 0;
  }, LOOK_AT_LOG_MS);
  looking.unref();

  let ended: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    const end = (exit: Exit): void => {
      ended ??= exit;
      clearInterval(looking);
      resolve(ended);
    };
    child.once('error', (error) => {
      // Also emitted when a signal or message could not be delivered; only a missing pid means it never ran.
      if (child.pid === undefined) end({ code: null, signal: null, error });
    });
    child.once('exit', (code, signal) => end({ code, signal }));
  });

  if (options.signalOnLoss && child.pid !== undefined) {
    const release = watchForLoss(child.pid, options.signalOnLoss, options.removeOnLoss);
    void exited.then(release);
  }

  const signal = (name: NodeJS.Signals): void => {
    if (!ended) child.kill(name);
  };
  return {
    pid: child.pid,
    exited,
    exit: () => ended,
    signal,
    lastLines: (count = 15) => lastLines(options.logFile, logStart, count),
    async stop(steps) {
      for (const [name, wait] of steps) {
        if (ended) return;
        signal(name);
        await within(exited, wait);
      }
      signal('SIGKILL');
      await exited;
    },
  };
}

/** Waits for the promise, but no longer than `ms`. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  const late = sleep(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([promise, late]);
  timer.abort();
}

export function describeExit(exit: Exit): string {
  if (exit.error) return `could not be started: ${exit.error.message}`;
  return exit.signal ? `ended by ${exit.signal}` : `exit code ${exit.code}`;
}

/**
 * A shell that reads a pipe nobody writes to: the read returns when this process is gone, however it went
 * (kill -9 and the out-of-memory killer included). Returns the function that calls it off.
 */
function watchForLoss(pid: number, signal: NodeJS.Signals, folder = ''): () => void {
  const script = [
    'read -r _',
    'kill -s "$1" "$2" 2>/dev/null',
    'if [ -n "$3" ]; then n=0; while kill -0 "$2" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done; rm -rf -- "$3"; fi',
  ].join('\n');
  const watcher = spawn(
    '/bin/sh',
    ['-c', script, 'sevenfold-guard', signal.replace(/^SIG/, ''), String(pid), folder],
    {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  watcher.on('error', () => undefined);
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as Socket).unref();
  return () => {
    watcher.kill('SIGKILL');
  };
}

/** A child runs without its log rather than not at all: there may be no room for a file. */
function openLog(file: string): number | 'ignore' {
  try {
    setAsideLargeLog(file);
    return openSync(file, 'a', 0o600);
  } catch {
    return 'ignore';
  }
}

function setAsideLargeLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LOG_LIMIT) return;
  rmSync(`${file}.1`, { force: true });
  renameSync(file, `${file}.1`);
}

/**
 * Sets aside what a running child has written: it goes on writing to the same file, at its new end. A line that comes
 * between the copy and the cut is lost, and so is all of it where there is no room for the copy.
 */
function cutLargeLog(file: string, limit: number): boolean {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= limit) return false;
    try {
      copyFileSync(file, `${file}.1`, constants.COPYFILE_FICLONE);
    } catch {
      rmSync(`${file}.1`, { force: true });
    }
    truncateSync(file);
    return true;
  } catch {
    return false;
  }
}

function lastLines(file: string, from: number, count: number): string[] {
  let log: number;
  try {
    log = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const size = fstatSync(log).size;
    const start = Math.max(from, size - TAIL_BYTES);
    const buffer = Buffer.alloc(Math.max(0, size - start));
    readSync(log, buffer, 0, buffer.length, start);
    return buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-count);
  } finally {
    closeSync(log);
  }
}
